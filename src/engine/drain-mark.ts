import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'
import { DRAIN } from '#api/labels.ts'
import type { ObjectMeta } from '#api/meta.ts'

const Mark = Type.Object({
  /** The uid of the TalosMachine that it is drained for. */
  by: Type.String({ minLength: 1 }),
  /** When that began. */
  since: Type.String(),
  /** Whether it was us who cordoned it: what somebody else did is not undone. */
  cordoned: Type.Boolean(),
  /** When it was given up. */
  stopped: Type.Optional(Type.String()),
})

/** What is written on a node that is drained. It is kept there, so that it outlives whoever drains. */
export type DrainMark = Static<typeof Mark>

/** The mark on a node. What nobody can read is none: whatever it is, it is not ours to undo. */
export function drainMarkIn({ annotations }: ObjectMeta): DrainMark | undefined {
  try {
    const mark: unknown = JSON.parse(annotations?.[DRAIN] ?? 'null')
    return Value.Check(Mark, mark) && !Number.isNaN(Date.parse(mark.since)) ? mark : undefined
  } catch {
    return undefined
  }
}

/** The annotation that says so; without a mark, the one that takes it away. */
export const drainAnnotation = (mark: DrainMark | undefined): Record<string, string | null> => ({
  [DRAIN]: mark ? JSON.stringify(mark) : null,
})
