import { type ApiSide, embeddedSide } from '#test/bench/api-side.ts'
import { Blocks } from '#test/bench/blocks.ts'
import {
  CONTESTS,
  createNamespaces,
  hold,
  NAMESPACE,
  OBJECTS,
  TURNS,
  WARM_UP,
} from '#test/bench/contests.ts'
import {
  definitionWithRules,
  deploymentWithVariables,
  keyedObject,
  largeObject,
  operations,
} from '#test/bench/heavy-bodies.ts'
import type { Row } from '#test/bench/row.ts'
import { shown } from '#test/bench/table.ts'
import { WORST_PATH, worstCalls, worstDefinition } from '#test/bench/worst-bodies.ts'
import type { Answer } from '#test/conformance/kubernetes/https-json.ts'
import { until } from '#test/until.ts'

const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
const RULES = 200
const LARGE_BYTES = 3_000_000
const ITEMS = 2_000
const OPENAPI = ['/openapi/v2', '/openapi/v3', '/openapi/v3/api/v1', '/openapi/v3/apis/apps/v1']

const PROTOBUF = {
  ...{ method: 'GET', path: '/openapi/v2' },
  accept: 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf',
}

const ROUNDS = 3

/** The longest that one thing keeps the embedded API from everything else: a request, or many clients at once. */
export const apiLoop: Row = {
  name: 'api-loop',
  budget: 50,
  unit: 'ms',
  better: 'less',
  async measure() {
    const blocks = new Blocks()
    for (let round = 0; round < ROUNDS; round++) {
      await using side = await embeddedSide()
      await createNamespaces(side)
      await oneRound({ side, blocks })
    }
    return {
      value: blocks.longest(),
      detail: `the longest turns of the event loop in ms, in ${ROUNDS} rounds with a new server each, without waiting for a core (by the clock): ${blocks.shown()}`,
    }
  },
}

interface Observed {
  side: ApiSide
  blocks: Blocks
}

async function oneRound(at: Observed): Promise<void> {
  const { side, blocks } = at
  // Cold: nobody has asked for these documents before.
  for (const path of OPENAPI) await asked(at, path, path)
  for (const contest of CONTESTS) {
    for (const turn of TURNS) {
      await blocks.observed(side, `${contest} (${turn})`, () => hold(side, contest, turn))
    }
  }
  const list = `/api/v1/namespaces/${NAMESPACE}/configmaps`
  await asked(at, `a list of ${shown(OBJECTS)}`, list)
  await asked(
    at,
    `the same with a label selector`,
    `${list}?labelSelector=${encodeURIComponent('app=bench,number notin (00000001)')}`,
  )
  await heavyReads(at, list)
  await heavyWrites(at)
  await heavyChanges(at)
  await worst(at)
  for (const path of OPENAPI) await asked(at, `${path} after a new kind`, path)
  await blocks.observed(side, '/openapi/v2 as protobuf', async () =>
    demand(await side.send(PROTOBUF), 'as protobuf'),
  )
}

async function asked({ side, blocks }: Observed, name: string, path: string): Promise<void> {
  await blocks.observed(side, name, async () =>
    demand(await side.send({ method: 'GET', path }), name),
  )
}

const FORM = 'v=v1;g=meta.k8s.io'
const INITIAL =
  'watch=true&sendInitialEvents=true&allowWatchBookmarks=true&resourceVersionMatch=NotOlderThan&timeoutSeconds=1'

async function heavyReads({ side, blocks }: Observed, list: string): Promise<void> {
  const table = `application/json;as=Table;${FORM}`
  const partial = `application/json;as=PartialObjectMetadataList;${FORM}`
  const reads = [
    ['as a Table', { path: list, accept: table }],
    ['as a Table with its objects', { path: `${list}?includeObject=Object`, accept: table }],
    ['as metadata', { path: list, accept: partial }],
    ['for the eye', { path: `${list}?pretty=true` }],
    ['with a field selector', { path: `${list}?fieldSelector=metadata.name!%3Dnone` }],
    ['in a watch', { path: `${list}?${INITIAL}` }],
    ['as Tables in a watch', { path: `${list}?${INITIAL}`, accept: table }],
  ] as const
  for (const [form, call] of reads) {
    const name = `${shown(OBJECTS)} ${form}`
    await blocks.observed(side, name, async () =>
      demand(await side.send({ method: 'GET', ...call }), name),
    )
  }
}

async function heavyWrites({ side, blocks }: Observed): Promise<void> {
  const { send } = side
  const { definition, path } = definitionWithRules(RULES)
  await blocks.observed(side, `a definition with ${RULES} rules`, async () => {
    demand(await send({ method: 'POST', path: CRDS, body: definition }), 'the definition')
    await until(
      'the kind to be served',
      () => send({ method: 'GET', path }),
      ({ status }) => status === 200,
    )
  })
  const body = largeObject(LARGE_BYTES)
  await blocks.observed(side, `a body of ${shown(LARGE_BYTES / 1e6)} MB`, async () =>
    demand(await send({ method: 'POST', path, body }), 'the large body'),
  )
}

const APPLY = 'application/apply-patch+yaml'

/** Objects with lists of many items that have keys, and many objects at once. */
async function heavyChanges({ side, blocks }: Observed): Promise<void> {
  const { path } = definitionWithRules(RULES)
  const one = `${path}/keyed`
  const deployments = `/apis/apps/v1/namespaces/${NAMESPACE}/deployments`
  const variables = (value: string) => deploymentWithVariables(ITEMS, value)
  const config = (count: number) => ({
    ...{ method: 'PATCH', path: `${one}?fieldManager=bench`, contentType: APPLY },
    body: keyedObject(count),
  })
  const changes: readonly [string, Parameters<ApiSide['send']>[0]][] = [
    ['an apply', config(ITEMS)],
    ['an apply that leaves some out', config(ITEMS - 10)],
    ['a patch for each item', patchOf('json', one, operations(ITEMS - 10))],
    ['a Deployment', { method: 'POST', path: deployments, body: variables('one') }],
    [
      'a strategic patch',
      patchOf('strategic-merge', `${deployments}/many-variables`, variables('two')),
    ],
    ['a deletion of all', { method: 'DELETE', path: `/api/v1/namespaces/${WARM_UP}/configmaps` }],
  ]
  for (const [change, call] of changes) {
    await blocks.observed(side, change, async () => demand(await side.send(call), change))
  }
}

/** Requests that are as hard as any can be that is within the limits, or is refused because it is not. */
async function worst({ side, blocks }: Observed): Promise<void> {
  const { send } = side
  demand(await send({ method: 'POST', path: CRDS, body: worstDefinition }), 'the worst kind')
  await until(
    'the worst kind to be served',
    () => send({ method: 'GET', path: WORST_PATH }),
    ({ status }) => status === 200,
  )
  for (const { name, status: wanted, ...call } of worstCalls()) {
    const { status, body } = await blocks.observed(side, `worst: ${name}`, () => send(call))
    if (status === wanted) continue
    throw new Error(`${name} was answered ${status}: ${JSON.stringify(body).slice(0, 300)}`)
  }
}

const patchOf = (type: string, path: string, body: object) => ({
  ...{ method: 'PATCH', path, body },
  contentType: `application/${type}-patch+json`,
})

/** What is refused costs less than what is done. */
function demand({ status, body }: Answer, name: string): void {
  if (status >= 300) {
    throw new Error(`${name} was answered ${status}: ${JSON.stringify(body).slice(0, 300)}`)
  }
}
