import type { Explained } from '#runtime/explain.ts'
import type { Verdict } from '#runtime/plan.ts'

/** An object, and what would be done for it. */
export interface ExplainedObject {
  readonly kind: string
  readonly namespace: string
  readonly name: string
  readonly explained: Explained
}

/** The plan for an object, for people. */
export function explainText({ kind, namespace, name, explained }: ExplainedObject): string {
  const { conditions, notices } = explained
  return [
    `${kind} ${namespace}/${name}`,
    ...section('What is next', nextOf(explained)),
    ...section('Why not more', whyNotMore(explained)),
    ...section('What its conditions would be', Object.entries(conditions).map(conditionLine)),
    ...section(
      'To note',
      notices.map(({ reason, message }) => `${reason}: ${message}`),
    ),
    '',
  ].join('\n')
}

const section = (title: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : ['', `${title}:`, ...lines.map((line) => `  ${line}`)]

function nextOf({ steps, finished, isLeaving, mode, modeFrom }: Explained): string[] {
  const why = `${modeFrom ? `the reconcile-mode of ${modeFrom}` : 'its reconcile-mode'} is ${mode}`
  if (mode === 'disable') return [`nothing: ${why}`]
  if (finished && isLeaving) return ['nothing of ours keeps it from going']
  if (steps.length === 0) return ['nothing']
  const words = steps.map(({ message }, at) => `${at + 1}. ${message}`)
  return mode === 'dryrun' ? [...words, `None of it is done: ${why}`] : words
}

/** What is waited for: a plan holds only what is safe from what was seen. */
function whyNotMore({ steps, conditions, wakeAt, isLeaving }: Explained): string[] {
  const verdict = isLeaving ? (conditions.Deleting ?? conditions.Ready) : conditions.Ready
  const isDone = verdict === undefined || (!isLeaving && verdict.ok === true)
  return [
    ...(isDone || !verdict ? [] : [`${verdict.reason}: ${verdict.message}`]),
    ...(isDone && verdict && steps.length === 0 ? ['it is as it should be'] : []),
    ...(steps.length > 0 ? ['what follows is decided when that is done and seen'] : []),
    ...(wakeAt
      ? [`it is looked at again at ${wakeAt.toISOString()}, or when something changes`]
      : []),
  ]
}

const conditionLine = ([type, { ok, reason, message }]: [string, Verdict]): string => {
  const status = ok === 'unknown' ? 'Unknown' : ok ? 'True' : 'False'
  return `${type} ${status} (${reason})${message ? `: ${message}` : ''}`
}

/** The plan for an object, for programs. */
export const explainJson = ({ explained, ...object }: ExplainedObject): string =>
  `${JSON.stringify({ ...object, ...explained }, null, 2)}\n`
