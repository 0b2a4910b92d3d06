import type { ApiKind, ForeignKind } from '#api/meta.ts'
import { ApiError, isNotFound } from '#kube/api-error.ts'
import type { KubeClient } from '#kube/client.ts'
import { type AnyObject, type AnyRef, isSecret } from './fetch-any-object.ts'
import type { Watches } from './watches.ts'

/** What came of asking for an object of any kind. What cannot be known, for now, is thrown instead. */
export type Fetched =
  | { is: 'found'; object: AnyObject }
  | { is: 'absent' }
  /** We may not read it. `rule` is what is missing in the operator's role of that kind, as it stands in one. */
  | { is: 'forbidden'; rule: string; role: 'Role' | 'ClusterRole' }
  /** The API serves no such kind, or none whose objects can be read. */
  | { is: 'noSuchKind' }
  /** It is not read, whoever would allow it. `why` is a clause. */
  | { is: 'refused'; why: string }

interface Place {
  client: KubeClient
  watches: Pick<Watches, 'kindOf'>
  /** Where objects are looked for, if their kind is in a namespace at all. */
  namespace: string
  signal: AbortSignal
}

/** Asks the server for an object of any kind. Secrets are not among them: see `refused`. */
export async function fetchAny(
  ref: AnyRef,
  { client, watches, namespace, signal }: Place,
): Promise<Fetched> {
  const kind = await watches.kindOf(ref, signal)
  if (!kind?.verbs.includes('get')) return { is: 'noSuchKind' }
  if (isSecret(kind)) {
    // Whoever may name an object need not be allowed to read it; we would read it for them.
    return { is: 'refused', why: 'a Secret is not read on behalf of who names it' }
  }
  const place = kind.scope === 'Cluster' ? {} : { namespace }
  const foreign: ForeignKind<AnyObject> = kind
  try {
    const object = await client.get(foreign, { ...place, name: ref.name }, { signal })
    return { is: 'found', object }
  } catch (error) {
    return outcomeOf(error, kind)
  }
}

function outcomeOf(error: unknown, kind: ApiKind): Fetched {
  if (isNotFound(error)) return { is: 'absent' }
  const status = error instanceof ApiError ? error.status : 0
  if (status === 403) {
    return {
      ...{ is: 'forbidden', rule: ruleFor(kind) },
      role: kind.scope === 'Cluster' ? 'ClusterRole' : 'Role',
    }
  }
  // It was served when we last asked, and has been taken away since.
  if (status === 404) return { is: 'noSuchKind' }
  throw error
}

/** As one line of YAML: to look once, and to be told of changes. */
const ruleFor = ({ group, plural }: ApiKind): string =>
  `{apiGroups: ["${group}"], resources: ["${plural}"], verbs: ["get", "list", "watch"]}`
