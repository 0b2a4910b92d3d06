import { EtcdBackup } from '#api/etcd-backup.ts'
import type { Kind, ObjectOf } from '#api/meta.ts'
import { notSupportedYet, unsupportedNotices } from '#engine/not-supported-yet.ts'
import { conditionsIn } from '#runtime/conditions.ts'
import { type Farewell, type Plan, type Verdict, yes } from '#runtime/plan.ts'

/** What is not done for the objects of a kind. */
export interface Unbuilt {
  kind: Kind
  what: string
  /** How its user gets it done meanwhile. */
  instead: string
  /** What another operator may have made of an object, and nobody takes away. */
  stays: string
}

/**
 * Says that nobody works on the object. What another operator wrote of what it did is kept: it may be all that tells where a
 * backup lies.
 */
export function planFor({ kind, what, instead }: Unbuilt, { status = {} }: Held): Plan<never> {
  const { conditions, observedGeneration, ...kept } = status
  const base = { steps: [], status: kept, needsTeardown: false }
  const taken = kind === EtcdBackup ? takenBackup(status) : undefined
  if (taken) return { ...base, conditions: { Ready: taken } }
  const ready = notSupportedYet(what, instead)
  return { ...base, conditions: { Ready: ready }, notices: unsupportedNotices(ready) }
}

/** A backup is taken once, and one that is there needs nobody any more. */
function takenBackup(status: object): Verdict | undefined {
  const ready = conditionsIn(status).find(({ type }) => type === 'Ready')
  return ready?.status === 'True' ? yes(ready.reason, ready.message) : undefined
}

/** Whom an operator before us has held, and its user lets go, goes: nobody would ever take down what it stands for. */
export const teardownOf = ({ kind, stays }: Unbuilt, { status }: Held): Farewell => {
  const { filename } = Object(status)
  const where = kind === EtcdBackup && typeof filename === 'string' ? `: ${filename}` : ''
  const message = `nothing is taken away that was made of it: ${stays}${where}`
  return { finished: true, notices: [{ type: 'Warning', reason: 'LeftBehind', message }] }
}

type Held = ObjectOf<Kind>
