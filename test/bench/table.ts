import type { Outcome } from './row.ts'

/** Whether a figure keeps its budget. Exactly the budget is kept. */
export const verdictOf = (
  value: number,
  { budget, better }: Pick<Outcome, 'budget' | 'better'>,
): 'ok' | 'missed' => ((better === 'less' ? value <= budget : value >= budget) ? 'ok' : 'missed')

/**
 * The line of an outcome: `name  measured  budget  ok|missed  detail`. The columns are as wide as all
 * the names ask for, so that lines printed one by one stand below each other.
 */
export function lineOf(outcome: Outcome, names: readonly string[]): string {
  const name = outcome.name.padEnd(Math.max(...names.map((one) => one.length)))
  if ('whyNot' in outcome) return `${name}  not measured: ${outcome.whyNot}`
  const { value, unit, budget, better, detail } = outcome
  return [
    name,
    `${shown(value)} ${unit}`.padStart(16),
    `${better === 'less' ? '≤' : '≥'} ${shown(budget)} ${unit}`.padStart(18),
    verdictOf(value, outcome).padEnd(6),
    detail,
  ].join('  ')
}

/** A number as people read it: thousands apart, and a decimal place only where it says something. */
export const shown = (value: number): string =>
  value.toLocaleString('en-US', { maximumFractionDigits: value < 10 ? 2 : value < 100 ? 1 : 0 })
