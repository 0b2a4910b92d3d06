import { crdName, toCrd } from '#api/crd.ts'
import type { Kind } from '#api/meta.ts'
import type { Answer, Send } from '#test/conformance/kubernetes/https-json.ts'
import { until } from '#test/until.ts'

const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'

interface CrdCondition {
  type: string
  status: string
  message: string
}

export interface Installed {
  kind: Kind
  /** The answer to the creation of the CRD. */
  created: Answer
  /** The conditions of the CRD, once its objects are served. */
  conditions: CrdCondition[]
}

/** Creates the CRDs of all kinds and waits until the API serves them. */
export async function installKinds(send: Send, kinds: readonly Kind[]): Promise<Installed[]> {
  const created = new Map<Kind, Answer>()
  for (const kind of kinds) {
    created.set(kind, await send({ method: 'POST', path: CRDS, body: toCrd(kind) }))
  }
  return Promise.all(
    [...created].map(async ([kind, answer]) => ({
      kind,
      created: answer,
      conditions: await settledConditions(send, kind),
    })),
  )
}

async function settledConditions(send: Send, kind: Kind): Promise<CrdCondition[]> {
  const look = async () => {
    const { body } = await send({ method: 'GET', path: `${CRDS}/${crdName(kind)}` })
    // The objects' own path is served a moment after the CRD says that it is established.
    const { status } = await send({ method: 'GET', path: pathOf(kind) })
    return { conditions: conditionsOf(body), isServed: status === 200 }
  }
  const { conditions } = await until(
    `${kind.kind} to be established and served`,
    look,
    (seen) => seen.isServed && isEstablished(seen.conditions),
  )
  return conditions
}

const isEstablished = (conditions: CrdCondition[]): boolean =>
  conditions.some(({ type, status }) => type === 'Established' && status === 'True')

function conditionsOf(crd: unknown): CrdCondition[] {
  const { status } = crd as { status?: { conditions?: CrdCondition[] } } // from the API, not ours
  return status?.conditions ?? []
}

/** Where the objects of a kind are, in the namespace `default`. */
export const pathOf = (kind: Kind, name?: string): string =>
  [`/apis/${kind.group}/${kind.version}/namespaces/default/${kind.plural}`, name]
    .filter((part) => part !== undefined)
    .join('/')
