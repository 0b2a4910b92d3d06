// One page for all metrics: name, type, labels and meaning, from the table that the registry is made of.

import { type MetricEntry, metricTable } from '#runtime/metrics-table.ts'
import { code, table } from './markdown.ts'
import { type GeneratedFile, MARKER } from './tree.ts'

const SECTIONS: { of: MetricEntry['of']; title: string; words: string }[] = [
  {
    of: 'contract',
    title: 'Of the vitistack.io contract',
    words: 'These five have the names and the labels of the contract.',
  },
  {
    of: 'operator',
    title: 'Of talos-operator',
    words: 'What the controllers do, and what they wait for.',
  },
  {
    of: 'program',
    title: 'Of the process',
    words: 'Named as in other programs on Node, so that dashboards know them.',
  },
]

export const metricsFiles = (): GeneratedFile[] => [
  { path: 'docs/reference/metrics.md', content: page() },
]

const page = (): string =>
  [
    `<!-- ${MARKER} -->`,
    '# Metrics',
    '',
    'Served at `/metrics`, on `METRICS_BIND_ADDRESS`, in the classic text format of Prometheus. No label names an',
    'object, so that more machines make no more series; `cluster` is the exception that the contract makes, and what',
    'is not Ready is named while it is not, machines excepted. [The guide](../guides/monitoring.md) has a dashboard,',
    'alerts and queries.',
    '',
    ...SECTIONS.flatMap(({ of, title, words }) => [
      `## ${title}`,
      '',
      words,
      '',
      ...table(
        ['metric', 'type', 'labels', 'what it tells'],
        Object.values(metricTable)
          .filter((entry) => entry.of === of)
          .map(row),
      ),
    ]),
  ].join('\n')

function row({ name, type, labels, help, buckets }: MetricEntry): string[] {
  const described = Object.entries(labels).map(([label, values]) => `${code(label)}: ${values}`)
  const bounds = buckets ? ` Buckets: ${buckets.join(', ')}.` : ''
  return [code(name), type, described.join('.<br>'), `${help}${bounds}`]
}
