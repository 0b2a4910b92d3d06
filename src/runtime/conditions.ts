import type { Kind } from '#api/meta.ts'
import { withoutSecrets } from './log-redaction.ts'
import { no, unknown, type Verdict, yes } from './plan.ts'

const LONGEST_MESSAGE = 4_096
const ELLIPSIS = '…'

/** A condition as it stands in a status. */
export interface Condition {
  type: string
  status: string
  reason: string
  message: string
  lastTransitionTime: string
  observedGeneration?: number
}

/** What was stated of each type of condition. */
export type Verdicts = Readonly<Record<string, Verdict | undefined>>

interface Judged {
  kind: Kind
  verdicts: Verdicts
  /** The status that is there, whoever wrote it. */
  previous: unknown
  generation: number | undefined
  now: Date
}

/**
 * The conditions of a status. Their time changes only together with their status, so that a person sees
 * since when it is so, and a pass that finds the same writes nothing.
 */
export function conditionsOf({ kind, verdicts, previous, generation, now }: Judged): Condition[] {
  const before = new Map(conditionsIn(previous).map((condition) => [condition.type, condition]))
  return Object.entries(judgedBy(kind, verdicts)).map(([type, { ok, reason, message }]) => {
    const status = STATUS[`${ok}`]
    const known = before.get(type)
    const isAsBefore = known?.status === status && isTime(known.lastTransitionTime)
    return {
      ...{ type, status, reason, message },
      lastTransitionTime: isAsBefore ? known.lastTransitionTime : inSeconds(now),
      ...(generation !== undefined && { observedGeneration: generation }),
    }
  })
}

/** What is said of each type of the kind, in the kind's order: Ready in accord with the others. */
export function judgedBy(kind: Kind, verdicts: Verdicts): Record<string, Verdict> {
  const stated: Verdicts = { ...verdicts, Ready: readiness(kind, verdicts) }
  return Object.fromEntries(
    Object.keys(kind.conditions).flatMap((type) => {
      const verdict = stated[type]
      return verdict ? [[type, { ...verdict, message: presentable(verdict.message) }]] : []
    }),
  )
}

/** The conditions that a status holds, as far as they are such. */
export const conditionsIn = (status: unknown): Condition[] => entriesIn(status).filter(isCondition)

const TEXTS = ['type', 'status', 'reason', 'message', 'lastTransitionTime']

/** By hand: every event and every pass asks it several times, and a schema needs 60 µs where this needs one. */
function isCondition(entry: unknown): entry is Condition {
  const fields: Record<string, unknown> = Object(entry)
  const { observedGeneration: seen } = fields
  return (
    TEXTS.every((name) => typeof fields[name] === 'string') &&
    (seen === undefined || Number.isInteger(seen))
  )
}

/** Whatever stands in a status where conditions should. */
export function entriesIn(status: unknown): unknown[] {
  const { conditions } = Object(status)
  return Array.isArray(conditions) ? conditions : []
}

/** Those of the conditions that are the kind's own, in the kind's order. */
export const ownOf = ({ conditions }: Kind, some: readonly Condition[]): Condition[] =>
  Object.keys(conditions).flatMap((own) => some.filter(({ type }) => type === own))

const STATUS = { true: 'True', false: 'False', unknown: 'Unknown' } as const

/** Ready as it was stated, unless another condition speaks against it: they never contradict. */
function readiness(kind: Kind, verdicts: Verdicts): Verdict {
  const stated = verdicts.Ready ?? yes('AsWanted', 'everything is as the spec says')
  if (stated.ok !== true) return stated
  const objections = Object.entries(kind.conditions).flatMap(([type, declared]) => {
    const verdict = type === 'Ready' ? undefined : verdicts[type]
    const wanted = typeof declared === 'string' ? 'True' : declared.forReady
    const isAgainst = verdict && wanted !== 'any' && STATUS[`${verdict.ok}`] !== wanted
    return isAgainst ? [verdict] : []
  })
  // What is known to be wrong says more than what is not known.
  const worst = objections.find(({ ok }) => ok !== 'unknown') ?? objections[0]
  if (!worst) return stated
  return (worst.ok === 'unknown' ? unknown : no)(worst.reason, worst.message)
}

/** A message as everybody may see it, and as it comes back from the server. */
function presentable(message: string): string {
  const text = withoutSecrets(message)
  const cut =
    text.length <= LONGEST_MESSAGE ? text : `${text.slice(0, LONGEST_MESSAGE - 1)}${ELLIPSIS}`
  // Half a character would come back as another one, and be written again and again.
  return cut.replace(/\p{Cs}/gu, '')
}

const isTime = (text: string): boolean => !Number.isNaN(Date.parse(text))

/** As Kubernetes writes times: `2030-01-01T00:00:00Z`. */
export const inSeconds = (date: Date): string => `${date.toISOString().slice(0, 19)}Z`
