import { RECONCILE_MODE } from '#api/labels.ts'
import type { KubeObject } from '#api/meta.ts'
import { isRestrained } from '#runtime/reconcile-mode.ts'

/** An object whose reconcile-mode forbids to change anything, and since when it does. */
export interface Held {
  readonly by: string
  readonly since: Date
}

/** Whether an object, or one that it belongs to, is not to be worked on. */
export function heldBy(object: KubeObject, all: readonly KubeObject[]): Held | undefined {
  if (isRestrained(object)) {
    return { by: `${object.kind} ${object.metadata.name}`, since: restrainedSince(object) }
  }
  const owners = object.metadata.ownerReferences ?? []
  for (const { uid } of owners) {
    const owner = all.find(({ metadata }) => metadata.uid === uid)
    const held = owner && heldBy(owner, all)
    if (held) return held
  }
  return undefined
}

/** When whoever wrote the annotation last wrote anything. */
function restrainedSince({ metadata }: KubeObject): Date {
  const entries = (metadata.managedFields ?? []).map((entry): ManagedFields => Object(entry))
  const written = entries.filter(
    ({ fieldsV1 }) => fieldsV1?.['f:metadata']?.['f:annotations']?.[`f:${RECONCILE_MODE}`],
  )
  return new Date(Math.max(0, ...written.map(({ time = '' }) => Date.parse(time))))
}

interface ManagedFields {
  time?: string
  fieldsV1?: { 'f:metadata'?: { 'f:annotations'?: Record<string, unknown> } }
}
