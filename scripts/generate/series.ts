// How alerts and panels name metrics: by the table that the registry is made of, so that neither can ask for a metric or a
// label that is not there.

import type { MetricEntry } from '#runtime/metrics-table.ts'

/** By which a Prometheus knows one operator from another, whatever it is told of them. */
const OPERATOR = ['job', 'namespace']

type Matchers<Label extends string> = Partial<Record<Label, string>>

/** Series of a metric: `name{reason=~"A|B"}`. A matcher is `!~…` or a pattern; plain words are matched as they are. */
export function series<Label extends string>(
  { name }: MetricEntry<Label>,
  matchers: Matchers<Label> = {},
  part = '',
): string {
  const all = Object.entries<string | undefined>(matchers).map(([label, wanted = '']) => {
    if (wanted.startsWith('!~')) return `${label}!~"${wanted.slice(2)}"`
    return /^\w*$/.test(wanted) ? `${label}="${wanted}"` : `${label}=~"${wanted}"`
  })
  return `${name}${part}${all.length > 0 ? `{${all.join(', ')}}` : ''}`
}

/** `max by (job, namespace, …) (what)`: of several pods, each of which says the same, or one of which says it. */
export function by<Label extends string>(
  how: 'max' | 'min' | 'sum',
  labels: readonly Label[],
  what: string,
): string {
  return `${how} by (${[...OPERATOR, ...labels].join(', ')}) (${what})`
}
