import { expect, test } from 'vitest'
import { kinds } from '#api/kinds.ts'
import { parseYaml } from '#base/yaml.ts'
import { type MetricEntry, metricTable } from '#runtime/metrics-table.ts'
import { filesMatching, textOf } from '#test/repo/tree.ts'
import { alertGroups } from './alerts.ts'

const CHART = 'charts/talos-operator/files'
const alerts = alertGroups.flatMap((group) => group.alerts)
const metrics = new Map<string, MetricEntry>(
  Object.values(metricTable).map((entry) => [entry.name, entry]),
)

// What Prometheus itself puts on series: of targets, and of buckets.
const OF_PROMETHEUS = ['job', 'namespace', 'instance', 'le']

interface Selected {
  name: string
  matchers: { label: string; words: string[] }[]
}

/** The series that an expression asks for. */
const selectedIn = (expr: string): Selected[] =>
  [...expr.matchAll(/\b((?:talos|process|nodejs)_\w+)(?:\{([^}]*)\})?/g)].map(
    ([, name = '', inner = '']) => ({
      name,
      matchers: [...inner.matchAll(/(\w+)(?:=~|!~|!=|=)"([^"]*)"/g)].map(
        ([, label = '', words = '']) => ({ label, words: words.split('|') }),
      ),
    }),
  )

const entryOf = (name: string): MetricEntry | undefined => {
  const base = metrics.get(name.replace(/_(bucket|count|sum)$/, ''))
  return metrics.get(name) ?? (base?.type === 'histogram' ? base : undefined)
}

const groupedBy = (expr: string): string[] =>
  [...expr.matchAll(/\b(?:by|on) \(([^)]*)\)/g)].flatMap(([, labels = '']) => labels.split(', '))

/** What is wrong with an expression: metrics and labels that are not there. */
function problemsOf(expr: string): string[] {
  const selected = selectedIn(expr)
  const known = new Set(OF_PROMETHEUS)
  const wrong = selected.flatMap(({ name, matchers }) => {
    const entry = entryOf(name)
    if (!entry) return [`there is no metric ${name}`]
    const labels = Object.keys(entry.labels)
    for (const label of labels) known.add(label)
    const used = matchers.map(({ label }) => label)
    return used.filter((label) => !labels.includes(label)).map((label) => `${name} has no ${label}`)
  })
  const lost = groupedBy(expr).filter((label) => !known.has(label))
  const empty = selected.length > 0 ? [] : ['it asks for nothing']
  return [...wrong, ...empty, ...lost.map((label) => `nothing has ${label}`)]
}

async function expressions(): Promise<string[]> {
  const rules = Object(parseYaml(await textOf(`${CHART}/alerts.yaml`)))
  const { panels } = JSON.parse(await textOf(`${CHART}/dashboard.json`))
  return [
    ...rules.groups.flatMap((group: { rules: { expr: string }[] }) => group.rules),
    ...panels.flatMap((panel: { targets: { expr: string }[] }) => panel.targets),
  ].map(({ expr }) => expr)
}

test('alerts and dashboard ask only for metrics and labels that there are', async () => {
  const all = await expressions()

  expect(all.length).toBeGreaterThan(alerts.length)
  expect(all.flatMap((expr) => problemsOf(expr).map((what) => `${expr}: ${what}`))).toEqual([])
})

test.each([
  ['sum(talos_operator_leaders)', 'there is no metric talos_operator_leaders'],
  ['talos_operator_leader{kind="A"}', 'talos_operator_leader has no kind'],
  ['talos_operator_leader_count', 'there is no metric talos_operator_leader_count'],
  ['max by (job, kind) (talos_operator_leader)', 'nothing has kind'],
  ['vector(0)', 'it asks for nothing'],
])('%s is found out', (expr, problem) => {
  expect(problemsOf(expr)).toEqual([problem])
})

const sources = await filesMatching(/^src\/(controllers|engine|operator)\/.*(?<!\.test)\.ts$/)
const source = (await Promise.all(sources.map(textOf))).join('\n')

/** The values that the table has for a label in words: `done`, `failed`. */
const valuesOf = (label: string): string[] =>
  [...metrics.values()].flatMap(({ labels }) =>
    [...(labels[label] ?? '').matchAll(/`([^`]+)`/g)].map(([, word = '']) => word),
  )

const isKnown: Readonly<Record<string, (word: string) => boolean>> = {
  kind: (word) =>
    kinds.some(({ kind, plural, group }) =>
      [kind, `${plural}.${group}`].includes(word.replaceAll('[.]', '.')),
    ),
  controller: (word) => kinds.some(({ kind }) => kind === word),
  type: (word) => kinds.some(({ conditions }) => word in conditions),
  reason: (word) => word === 'resumed' || source.includes(`'${word}'`),
  step: (word) => source.includes(`do: '${word}'`),
  status: (word) => valuesOf('status').includes(word),
  phase: (word) => valuesOf('phase').includes(word),
  outcome: (word) => valuesOf('outcome').includes(word),
}

/** What an expression wants of labels, and no object, step or pass ever has. */
const unknownWordsIn = (expr: string): string[] =>
  selectedIn(expr).flatMap(({ matchers }) =>
    matchers.flatMap(({ label, words }) =>
      words
        .filter((word) => isKnown[label]?.(word) === false)
        .map((word) => `no ${label} is ${word}`),
    ),
  )

test('the kinds, conditions, reasons, steps and outcomes that they name are those that there are', async () => {
  const all = await expressions()

  const matchers = all.flatMap(selectedIn).flatMap((one) => one.matchers)
  expect(matchers.length).toBeGreaterThan(10)
  expect(matchers.map(({ label }) => label)).toEqual(
    expect.arrayContaining(['kind', 'type', 'reason', 'controller', 'step', 'outcome']),
  )
  expect(all.flatMap(unknownWordsIn)).toEqual([])
})

test.each([
  ['talos_operator_conditions{reason=~"QuorumLost|QuorumLostt"}', 'no reason is QuorumLostt'],
  ['talos_operator_steps_total{step="deliverr"}', 'no step is deliverr'],
  ['talos_operator_steps_total{controller="TalosPool"}', 'no controller is TalosPool'],
  ['talos_operator_steps_total{outcome="success"}', 'no outcome is success'],
  ['talos_operator_clusters_total{phase!="Ready"}', 'no phase is Ready'],
])('what %s asks for in vain is found out', (expr, problem) => {
  expect(unknownWordsIn(expr)).toEqual([problem])
})

test('an alert names in its words only what its expression leaves', () => {
  const lost = alerts.flatMap(({ alert, expr, summary }) => {
    const left = expr.includes('changes(') ? ['instance'] : groupedBy(expr)
    const named = [...summary.matchAll(/\$labels\.(\w+)/g)].map(([, label = '']) => label)
    return named.filter((label) => !left.includes(label)).map((label) => `${alert}: ${label}`)
  })

  expect(lost).toEqual([])
})

test('the guide has every alert, with what to do', async () => {
  const guide = await textOf('docs/guides/monitoring.md')
  const rows = alerts.map(
    ({ alert, severity, remedy }) => `| \`${alert}\` | ${severity} | ${remedy} |`,
  )

  expect(rows.filter((row) => !guide.includes(row))).toEqual([])
  expect(guide.match(/^\| `Talos\w+` \|/gm)).toHaveLength(rows.length)
})

test('the queries of the guide ask only for what there is', async () => {
  const guide = await textOf('docs/guides/monitoring.md')
  const queries = [...guide.matchAll(/^\| [^|]+ \| `(.*)` \|$/gm)]
    .map(([, query = '']) => query.replaceAll('\\|', '|'))
    .filter((query) => query.includes('talos_operator_'))

  expect(queries.length).toBeGreaterThan(5)
  expect(queries.flatMap(problemsOf)).toEqual([])
  expect(queries.flatMap(unknownWordsIn)).toEqual([])
})

test('panels lie side by side, none upon another, and each says what it shows', async () => {
  const { panels } = JSON.parse(await textOf(`${CHART}/dashboard.json`))
  const taken = new Set<string>()
  for (const { title, description, gridPos } of panels) {
    expect(description, title).toMatch(/\.$/)
    expect(gridPos.x + gridPos.w, title).toBeLessThanOrEqual(24)
    for (let x = gridPos.x; x < gridPos.x + gridPos.w; x += 1)
      for (let y = gridPos.y; y < gridPos.y + gridPos.h; y += 1) {
        expect(taken, title).not.toContain(`${x} ${y}`)
        taken.add(`${x} ${y}`)
      }
  }
  expect(new Set(panels.map(({ title }: { title: string }) => title)).size).toBe(panels.length)
})
