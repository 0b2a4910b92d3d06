import type { KubeObject } from '#api/meta.ts'
import { fingerprint } from '#base/fingerprint.ts'
import { conditionsIn } from './conditions.ts'
import type { ReconcileMode } from './reconcile-mode.ts'
import { editableOf } from './wakes.ts'

// Longer than the longest backoff. What is done every hour is not done again and again.
const IN_A_ROW_MS = 10 * 60_000

/** What is remembered of one resource from pass to pass. Losing it costs a pass, and nothing else. */
interface Remembered {
  /** The fingerprint of what the status is to say. */
  reported?: string
  /** The mode that the last pass went by. */
  mode?: ReconcileMode
  /** The fingerprint of what was last found to be wrong without a step that failed. */
  found?: string
  /** Why nothing can be done until the resource is edited, and what it was like then. */
  stalled?: { reason: string; edit: string }
  /** What was done last, when, and how many times in a row. */
  did?: { steps: string; atMs: number; times: number }
}

/** What one controller remembers of its resources while it leads. */
export class Memory {
  readonly #resources = new Map<string, Remembered>()

  of(key: string): Remembered {
    const known = this.#resources.get(key)
    if (known) return known
    const fresh: Remembered = {}
    this.#resources.set(key, fresh)
    return fresh
  }

  forget(key: string): void {
    this.#resources.delete(key)
  }

  /** Nothing can be done for the resource until somebody edits it; Ready says this for a reason. */
  stall(key: string, resource: KubeObject, reason: string): void {
    this.of(key).stalled = { reason, edit: fingerprint(editableOf(resource)) }
  }

  /** Whether that is still so. What Ready does not say, or no longer, is for another pass to say. */
  isStalled(key: string, resource: KubeObject): boolean {
    const stalled = this.#resources.get(key)?.stalled
    if (stalled === undefined || stalled.edit !== fingerprint(editableOf(resource))) return false
    const ready = conditionsIn(resource.status).find(({ type }) => type === 'Ready')
    return ready?.reason === stalled.reason
  }

  /** How many times in a row, this one included, exactly these steps were done. */
  repeats(key: string, steps: readonly object[], atMs: number): number {
    const remembered = this.of(key)
    const { did } = remembered
    const now = fingerprint(steps)
    const isAgain = did?.steps === now && atMs - did.atMs <= IN_A_ROW_MS
    const times = isAgain ? did.times + 1 : 1
    remembered.did = { steps: now, atMs, times }
    return times
  }
}
