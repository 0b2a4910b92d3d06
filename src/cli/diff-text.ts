import { withoutSecrets } from '#runtime/log-redaction.ts'
import {
  isOrdered,
  type MachineDiff,
  type ObjectDiff,
  type Ordered,
  type RefusedObject,
  type Report,
  type Said,
  type Summary,
  summaryOf,
} from './diff-report.ts'
import { changesOn, deedOn } from './diff-text-machine.ts'

/** What would change, for people. */
export function diffText(report: Report): string {
  const { objects, refused, notLookedAt } = report
  const blocks = [
    ...refused.map(refusal),
    ...objectBlocks(objects),
    ...(notLookedAt.length > 0 ? [[`Not looked at: ${notLookedAt.join(', ')}`]] : []),
    [summaryText(summaryOf(report))],
  ]
  return withoutSecrets(`${blocks.map((lines) => lines.join('\n')).join('\n\n')}\n`)
}

/** What would change, for programs. */
export const diffJson = (report: Report): string =>
  `${JSON.stringify({ ...report, summary: summaryOf(report) }, withoutSecretTexts, 2)}\n`

const withoutSecretTexts = (_key: string, value: unknown): unknown =>
  typeof value === 'string' ? withoutSecrets(value) : value

const refusal = ({ kind, namespace, name, message, rightForm = '' }: RefusedObject): string[] => [
  `${kind} ${namespace}/${name} is refused`,
  ...indented(message),
  ...indented(rightForm),
]

/** The machines of each cluster are counted in the order in which they are seen to. */
function objectBlocks(objects: readonly ObjectDiff[]): string[][] {
  const counts = new Map<string, number>()
  const shown = new Map<string, string>()
  const blocks = objects.map((object) => {
    const cluster = `${object.namespace}/${object.cluster}`
    const before = counts.get(cluster) ?? 0
    counts.set(cluster, before + object.machines.length)
    const machines = object.machines.flatMap((machine, at) =>
      machineLines(machine, { number: before + at + 1, shown }),
    )
    return [heading(object), ...indented(remarks(object).join('\n')), ...machines]
  })
  return together(objects, blocks)
}

/** Machines of providers are many, and little is said of each. */
function together(objects: readonly ObjectDiff[], blocks: readonly string[][]): string[][] {
  const isNext = (at: number) =>
    objects.slice(at - 1, at + 1).filter(isOrdered).length === 2 && at > 0
  const all: string[][] = []
  for (const [at, lines] of blocks.entries()) {
    const last = isNext(at) ? all.pop() : undefined
    all.push([...(last ?? []), ...lines])
  }
  return all
}

function heading({ kind, namespace, name, change, fields }: ObjectDiff): string {
  const object = `${kind} ${namespace}/${name}`
  if (change === 'none') return `${object} stays as it is`
  return change === 'changed' ? `${object} changes: ${fields.join(', ')}` : `${object} is ${change}`
}

const remarks = ({ problem, hindrances = [], notes, machines, atOnce }: ObjectDiff): string[] => [
  ...(problem ? [`nothing is done for it: ${said(problem)}`] : []),
  ...hindrances.map((one) => `something is in its way: ${said(one)}`),
  ...notes.map((note) => `note: ${said(note)}`),
  ...(atOnce !== undefined && machines.some((machine) => machine.do !== 'add')
    ? [atOnce === 1 ? 'one machine at a time:' : `at most ${atOnce} machines at a time:`]
    : []),
]

const said = ({ reason, message }: Said): string => `${reason}: ${message}`

function machineLines(
  machine: MachineDiff,
  { number, shown }: { number: number; shown: Map<string, string> },
): string[] {
  const { name, address, problem } = machine
  const who = address === undefined ? name : `${name} at ${address}`
  const what = problem ? `stays as it is, though it should not: ${said(problem)}` : deedOn(machine)
  const changes = machine.do === 'change' && !problem ? changesOn(machine, shown) : ''
  return indented([`${number}. ${who} ${what}`, ...indented(changes, 3)].join('\n'))
}

const indented = (text: string, by = 2): string[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => `${' '.repeat(by)}${line}`)

/** `2 machines change (1 reboot), 1 is added, 1 is removed`. */
function summaryText({ changed, reboots, added, removed, stuck, wrong, ordered }: Summary): string {
  const machines = [
    { count: changed, one: 'changes', many: 'change', more: rebootText(reboots) },
    { count: added, one: 'is added', many: 'are added', more: '' },
    { count: removed, one: 'is removed', many: 'are removed', more: '' },
    { count: stuck, one: 'cannot be as it should', many: 'cannot be as they should', more: '' },
  ]
    .filter(({ count }) => count > 0)
    .map(({ count, one, many, more }, at) => {
      const noun = at > 0 ? '' : count === 1 ? ' machine' : ' machines'
      return `${count}${noun} ${count === 1 ? one : many}${more}`
    })
  const objects = wrong === 1 ? ['1 object is wrong'] : [`${wrong} objects are wrong`]
  return [
    ...(machines.length > 0 ? machines : ['no machine changes']),
    ...(wrong > 0 ? objects : []),
  ]
    .join(', ')
    .concat(orderedText(ordered))
}

/** `; Machines of providers: 2 created, 1 removed`. */
function orderedText(ordered: Ordered): string {
  const counts = Object.entries(ordered).filter(([, count]) => count > 0)
  const words = counts.map(([what, count]) => `${count} ${what}`)
  return words.length === 0 ? '' : `; Machines of providers: ${words.join(', ')}`
}

const rebootText = (reboots: number): string => {
  if (reboots === 0) return ''
  return ` (${reboots} ${reboots === 1 ? 'reboot' : 'reboots'})`
}
