import type { Kind } from '#api/meta.ts'
import { sameJson } from '#base/same-json.ts'
import type { Named, Writer } from '#runtime/writer.ts'

/**
 * Makes an object say what the draft says, and nothing else in its spec. Applying alone takes away only
 * what was applied before: what an object was created with, or somebody else wrote, would stay for ever.
 */
export async function applyWhole<K extends Kind>(
  write: Writer,
  kind: K,
  draft: Named<K>,
): Promise<void> {
  const applied = await write.apply(kind, draft)
  const wanted = specIn(draft)
  if (wanted === undefined || sameJson(specIn(applied), wanted)) return
  const { name, uid } = applied.metadata
  await write.patch(kind, name, {
    type: 'json',
    body: [
      { op: 'test', path: '/metadata/uid', value: uid },
      { op: 'replace', path: '/spec', value: wanted },
    ],
  })
}

const specIn = (object: object): unknown => ('spec' in object ? object.spec : undefined)
