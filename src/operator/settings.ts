import { formatDuration } from '#base/duration.ts'
import { messageOf } from '#base/operator-error.ts'
import type { Setting } from './settings-declare.ts'
import { readFileOf } from './settings-file.ts'
import { ignoredTable } from './settings-ignored.ts'
import { type Given, givenFlags, givenVariables, type Sources, textOf } from './settings-sources.ts'
import { developmentDefaults, settingsTable } from './settings-table.ts'

type Table = Readonly<Record<string, Setting<unknown>>>
type Values<Of extends Table> = {
  readonly [Name in keyof Of]: Of[Name] extends Setting<infer Value> ? Value : never
}

/** What the operator was told, parsed. Nobody else looks at flags, variables or the file. */
export type Settings = Values<typeof settingsTable> & {
  /** Sentences to log once: what is set and has no effect. Each names the flag or the variable. */
  readonly notes: readonly string[]
}

interface Findings {
  problems: string[]
  notes: string[]
}

const LONGEST_QUOTE = 100

/**
 * The settings: flags go before variables, these before the file, and that before the defaults. Throws
 * one error with everything that is wrong, a sentence or two a line; no secret is in it.
 */
export function readSettings(sources: Sources): Settings {
  const findings: Findings = { problems: [], notes: [] }
  const { given, failed } = readGiven(sources, findings)
  judgeIgnored(sources, findings)

  const settings = valuesOf(settingsTable, given)
  // A default that stands in for what could not be read is nothing to compare with.
  if (!failed.some((name) => name.startsWith('leaderElection'))) {
    findings.problems.push(...leaseProblems(settings))
  }
  if (findings.problems.length > 0) throw new Error(findings.problems.join('\n'))
  return { ...settings, notes: findings.notes }
}

/** The settings for a line of the log: flat, without what is not set, and without secrets. */
export function describeSettings(settings: Settings): Record<string, string | number | boolean> {
  const values = new Map<string, unknown>(Object.entries(settings))
  const shown = Object.entries<Setting<unknown>>(settingsTable)
    .filter(([name]) => values.get(name) !== undefined)
    .map(([name, { type }]) => [name, type.show(values.get(name))] as const)
  return Object.fromEntries(shown)
}

/** The values that somebody gave, by the names of settings, and the names of those that make no sense. */
function readGiven(sources: Sources, findings: Findings) {
  const file = readFileOf(settingsTable, sources.file)
  findings.problems.push(...file.problems)
  const given = new Map<string, unknown>()
  const failed: string[] = []
  for (const [name, setting] of Object.entries<Setting<unknown>>(settingsTable)) {
    const chosen =
      firstOf(givenFlags(setting, sources), findings) ??
      firstOf(givenVariables(setting, sources), findings) ??
      file.given.get(name)
    if (!chosen) continue
    const parsed = parse(chosen, { isSecret: setting.isSecret ?? false, findings })
    if (parsed) given.set(name, parsed.value)
    else failed.push(name)
  }
  return { given, failed }
}

/** Two spellings of one setting may both be there: the first counts, and the other is told of. */
function firstOf([first, ...others]: Given[], { notes }: Findings): Given | undefined {
  for (const { where } of others) {
    notes.push(`${where} has no effect: ${first?.where} says the same thing and goes first.`)
  }
  return first
}

function parse(
  { where, text, type }: Given,
  { isSecret, findings }: { isSecret: boolean; findings: Findings },
): { value: unknown } | undefined {
  try {
    const value = type.parse(text)
    const remark = type.remark?.(text)
    if (remark) findings.notes.push(`${where} is ${quote(text)}, which ${remark}.`)
    return { value }
  } catch (error) {
    const subject = isSecret ? `${where} cannot be used` : `${where} is ${quote(text)}`
    findings.problems.push(`${subject}: ${messageOf(error)}. Give ${type.takes}.`)
    return undefined
  }
}

/** A text as it was given; a user and a password in a URL are left out. */
function quote(text: string): string {
  const plain = text.replaceAll(/(^|\/\/)\S*@/g, '$1***@')
  return JSON.stringify(plain.length > LONGEST_QUOTE ? `${plain.slice(0, LONGEST_QUOTE)}…` : plain)
}

/** One note for each reason, however many flags and variables have it. */
function judgeIgnored(sources: Sources, findings: Findings): void {
  const names = new Map<string, string[]>()
  for (const { name, because, type, asksFor = () => true } of ignoredTable) {
    const text = textOf(name, sources)
    if (text === undefined) continue
    const isSound = !type || parse({ where: name, text, type }, { isSecret: false, findings })
    if (isSound && asksFor(text)) names.set(because, [...(names.get(because) ?? []), name])
  }
  for (const [because, all] of names) {
    findings.notes.push(
      `${all.join(', ')} ${all.length > 1 ? 'have' : 'has'} no effect: ${because}.`,
    )
  }
}

/** The values of all settings. That the loop yields this type is beyond what the compiler can see. */
function valuesOf<Of extends Table>(table: Of, given: ReadonlyMap<string, unknown>): Values<Of>
function valuesOf(table: Table, given: ReadonlyMap<string, unknown>): Record<string, unknown> {
  const defaults = Object.entries(table).map(([name, setting]) => [name, setting.default])
  return {
    ...Object.fromEntries(defaults),
    ...(given.get('development') === true && developmentDefaults),
    ...Object.fromEntries(given),
  }
}

function leaseProblems({
  leaderElectionLeaseDuration: lease,
  leaderElectionRenewDeadline: renew,
  leaderElectionRetryPeriod: retry,
}: Values<typeof settingsTable>): string[] {
  if (lease.ms > renew.ms && renew.ms > retry.ms) return []
  return [
    `leaderElectionLeaseDuration (${formatDuration(lease)}) must be longer than ` +
      `leaderElectionRenewDeadline (${formatDuration(renew)}), and that longer than ` +
      `leaderElectionRetryPeriod (${formatDuration(retry)}): ` +
      'a leader must stop before another one can begin. Change one of the three.',
  ]
}
