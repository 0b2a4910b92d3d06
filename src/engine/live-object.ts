import { apiVersionOf, type Kind, type KubeObject, type ObjectOf } from '#api/meta.ts'
import { OperatorError } from '#base/operator-error.ts'
import type { Reader } from '#runtime/reader.ts'

/**
 * An object of ours as the API itself has it, in the namespace of the resource. A cache can be behind: what
 * it does not show may be there, and whoever does what cannot be undone asks first. Undefined: the API says that
 * there is none. Throws where it does not say. Only for who declares `readsAny`.
 */
export async function liveObject<K extends Kind>(
  kind: K,
  name: string,
  read: Pick<Reader, 'fetchAny'>,
): Promise<ObjectOf<K> | undefined> {
  const answer = await read.fetchAny({ apiVersion: apiVersionOf(kind), kind: kind.kind, name })
  if (answer.is === 'absent') return undefined
  if (answer.is === 'found' && isOf(kind, answer.object)) return answer.object
  const why = 'rule' in answer ? `: the operator's role lacks the rule ${answer.rule}` : ''
  throw new OperatorError(answer.is === 'forbidden' ? 'Forbidden' : 'UnknownError', {
    message: `the API does not say whether there is a ${kind.kind} ${name}${why}`,
  })
}

/** The API has nothing under this address but objects of the kind. */
const isOf = <K extends Kind>(kind: K, object: KubeObject): object is KubeObject & ObjectOf<K> =>
  object.kind === kind.kind
