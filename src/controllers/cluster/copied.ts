import { COPIED, RECONCILE_MODE } from '#api/labels.ts'
import { type KubeObject, type ObjectMeta, TALOS_GROUP } from '#api/meta.ts'
import { isImport } from '#engine/adoption.ts'

type Texts = Record<string, string>

/**
 * The labels and annotations that a part has from its cluster, and a note of which these are. To be taken over as it runs
 * holds for all parts; but a part that has a mode of its own keeps that.
 */
export function copiedFrom(
  { metadata }: KubeObject,
  part?: KubeObject,
): Pick<ObjectMeta, 'labels' | 'annotations'> {
  const { annotations = {} } = metadata
  const labels = metadata.labels && only(metadata.labels, isForParts)
  const isModeKept = part !== undefined && isModeOfItsOwn(part)
  const isCopied = (key: string): boolean =>
    key === RECONCILE_MODE ? isImport(metadata) && !isModeKept : isForParts(key)
  const own = only(annotations, isCopied)
  const note = noteOf(labels ?? {}, own)
  return {
    ...(labels && { labels }),
    annotations: { ...own, ...(note !== '' && { [COPIED]: note }) },
  }
}

const only = (texts: Texts, isMeant: (key: string) => boolean): Texts =>
  Object.fromEntries(Object.entries(texts).filter(([key]) => isMeant(key)))

/** What users put on a cluster is meant for its parts too, but not what tools and we put there for the cluster alone. */
const isForParts = (key: string): boolean =>
  !key.startsWith(`${TALOS_GROUP}/`) && !key.startsWith('kubectl.kubernetes.io/')

const isModeOfItsOwn = ({ metadata }: KubeObject): boolean =>
  metadata.annotations?.[RECONCILE_MODE] !== undefined && !isImport(metadata)

/** `annotations:a labels:b`: no key has a space in it. */
const noteOf = (labels: Texts, annotations: Texts): string =>
  [...named('annotations', annotations), ...named('labels', labels)].sort().join(' ')

const named = (where: string, texts: Texts): string[] =>
  Object.keys(texts).map((key) => `${where}:${key}`)

/** Keys of a part that it has from its cluster, which does not have them any more. */
export interface TakenOff {
  labels: string[]
  annotations: string[]
}

/** What has to go from a part that is to have these from its cluster. What others put there stays. */
export function takenOff(
  part: KubeObject,
  wanted: Pick<ObjectMeta, 'labels' | 'annotations'>,
): TakenOff {
  const { labels = {}, annotations = {} } = part.metadata
  const noted = new Set((annotations[COPIED] ?? '').split(' '))
  const gone = (where: string, has: Texts, keeps: Texts = {}) =>
    Object.keys(has).filter((key) => noted.has(`${where}:${key}`) && !Object.hasOwn(keeps, key))
  return {
    labels: gone('labels', labels, wanted.labels),
    annotations: [
      ...gone('annotations', annotations, wanted.annotations).filter(
        (key) => isForParts(key) || (key === RECONCILE_MODE && isImport(part.metadata)),
      ),
      // With the last of them the note goes, too.
      ...[COPIED].filter((key) => key in annotations && !(key in (wanted.annotations ?? {}))),
    ],
  }
}

/** Whether nothing has to go. */
export const isNothing = ({ labels, annotations }: TakenOff): boolean =>
  labels.length + annotations.length === 0

/** The merge patch that takes these off, of exactly this part. */
export const withoutThese = ({ metadata }: KubeObject, { labels, annotations }: TakenOff) => ({
  type: 'merge' as const,
  body: {
    metadata: { uid: metadata.uid, labels: nulls(labels), annotations: nulls(annotations) },
  },
})

const nulls = (keys: readonly string[]) => Object.fromEntries(keys.map((key) => [key, null]))
