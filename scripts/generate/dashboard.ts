// The dashboard for Grafana: rows of panels, from what people ask first (is all well?) to what they ask last (why is it slow?).

import { metricTable } from '#runtime/metrics-table.ts'
import { by, series } from './series.ts'

const COLUMNS = 24
const SOURCE = { type: 'prometheus', uid: '$datasource' }
const STEPS = { green: { color: 'green', value: null }, red: { color: 'red', value: 1 } }

interface Panel {
  type: 'stat' | 'timeseries' | 'table'
  title: string
  /** What it means, in a sentence. */
  description: string
  queries: readonly Query[]
  unit?: string
  width: number
  height?: number
  /** Of a stat: red from one on. */
  isBadFromOne?: boolean
}

interface Query {
  expr: string
  legend?: string
}

const m = metricTable
const rate = (what: string): string => `rate(${what}[$__rate_interval])`
const CACHED = (plural: string) => by('max', [], series(m.cachedObjects, { kind: plural }))
const talos = (plural: string): string => `${plural}[.]talos[.]alperen[.]cloud`

/** The time below which 99 of 100 stay, of a histogram. */
const p99 = <Label extends string>(
  metric: Parameters<typeof series<Label>>[0],
  label: Label,
): string =>
  `histogram_quantile(0.99, sum by (le, ${label}) (${rate(series<Label>(metric, {}, '_bucket'))}))`

const panels: readonly Panel[] = [
  {
    ...{ type: 'stat', title: 'Leader', width: 4 },
    description: 'Operators that lead: one, or one for each that is installed for some namespaces.',
    queries: [{ expr: `sum(${series(m.leader)})` }],
  },
  {
    ...{ type: 'stat', title: 'Control planes', width: 4 },
    description: 'TalosControlPlanes: one for each cluster.',
    queries: [{ expr: `sum(${CACHED(talos('taloscontrolplanes'))})` }],
  },
  {
    ...{ type: 'stat', title: 'Machines', width: 4 },
    description: 'TalosMachines.',
    queries: [{ expr: `sum(${CACHED(talos('talosmachines'))})` }],
  },
  {
    ...{ type: 'stat', title: 'Not Ready', width: 4, isBadFromOne: true },
    description: 'Clusters, control planes and pools that are not Ready.',
    queries: [{ expr: `count(${by('max', NAMED(), series(m.notReadySince))}) or vector(0)` }],
  },
  {
    ...{ type: 'stat', title: 'Machines that do not answer', width: 4, isBadFromOne: true },
    description: 'TalosMachines whose condition Reachable is False.',
    queries: [
      {
        expr: `sum(${by('max', ['reason'], series(m.conditions, { kind: 'TalosMachine', type: 'Reachable', status: 'False' }))}) or vector(0)`,
      },
    ],
  },
  {
    ...{ type: 'stat', title: 'Version', width: 4 },
    description: 'What runs.',
    queries: [{ expr: `count by (version) (${series(m.build)})`, legend: '{{version}}' }],
  },
  {
    ...{ type: 'table', title: 'What is not Ready, and for how long', width: 24, height: 9 },
    description: 'The oldest first. The condition Ready of the object says more.',
    unit: 's',
    queries: [{ expr: `sort_desc(time() - ${by('max', NAMED(), series(m.notReadySince))})` }],
  },
  {
    ...{ type: 'timeseries', title: 'Machines by what Ready says', width: 12 },
    description: 'TalosMachines by the reason of their condition Ready.',
    queries: [
      {
        expr: by('max', ['reason'], series(m.conditions, { kind: 'TalosMachine', type: 'Ready' })),
        legend: '{{reason}}',
      },
    ],
  },
  {
    ...{ type: 'timeseries', title: 'Control planes by what Ready says', width: 12 },
    description: 'TalosControlPlanes by the reason of their condition Ready.',
    queries: [
      {
        expr: by(
          'max',
          ['reason'],
          series(m.conditions, { kind: 'TalosControlPlane', type: 'Ready' }),
        ),
        legend: '{{reason}}',
      },
    ],
  },
  {
    ...{ type: 'timeseries', title: 'KubernetesClusters by phase', width: 12 },
    description: 'Of the vitistack.io contract.',
    queries: [{ expr: by('max', ['phase'], series(m.clusters)), legend: '{{phase}}' }],
  },
  {
    ...{ type: 'timeseries', title: 'Steps', width: 12, unit: 'ops' },
    description: 'What is done, by controller and step. A settled fleet has none.',
    queries: [
      {
        expr: `sum by (controller, step, outcome) (${rate(series(m.steps))}) > 0`,
        legend: '{{controller}} {{step}} {{outcome}}',
      },
    ],
  },
  {
    ...{ type: 'timeseries', title: 'Passes', width: 8, unit: 'ops' },
    description: 'How often controllers look and decide.',
    queries: [
      {
        expr: `sum by (controller) (${rate(series(m.passSeconds, {}, '_count'))})`,
        legend: '{{controller}}',
      },
    ],
  },
  {
    ...{ type: 'timeseries', title: 'Passes that fail', width: 8, unit: 'ops' },
    description: 'Each is tried again, later each time, up to every five minutes.',
    queries: [
      {
        expr: `sum by (controller, error_type) (${rate(series(m.passErrors))})`,
        legend: '{{controller}} {{error_type}}',
      },
    ],
  },
  {
    ...{ type: 'timeseries', title: 'How long passes take (p99)', width: 8, unit: 's' },
    description: 'Those that failed included.',
    queries: [{ expr: p99(m.passSeconds, 'controller'), legend: '{{controller}}' }],
  },
  {
    ...{ type: 'timeseries', title: 'Objects in queues', width: 8 },
    description: 'Those that wait for a worker. Those that wait for a time are not among them.',
    queries: [
      {
        expr: by('max', ['controller'], series(m.queueDepth, { state: 'waiting' })),
        legend: '{{controller}}',
      },
    ],
  },
  {
    ...{ type: 'timeseries', title: 'Longest wait for a worker', width: 8, unit: 's' },
    description: 'Above some seconds, there are too few workers, or too little processor time.',
    queries: [
      { expr: by('max', ['controller'], series(m.queueOldestWait)), legend: '{{controller}}' },
    ],
  },
  {
    ...{ type: 'timeseries', title: 'Watches that began anew', width: 8, unit: 'ops' },
    description: 'A few that resume are as it should be.',
    queries: [
      {
        expr: `sum by (kind, reason) (${rate(series(m.watchRestarts, { reason: '!~resumed' }))}) > 0`,
        legend: '{{kind}} {{reason}}',
      },
    ],
  },
  {
    ...{ type: 'timeseries', title: 'Requests to the Kubernetes API', width: 8, unit: 'reqps' },
    description: 'By what is asked and how it is answered; 0 is no answer.',
    queries: [
      {
        expr: `sum by (verb, code) (${rate(series(m.apiRequests))})`,
        legend: '{{verb}} {{code}}',
      },
    ],
  },
  {
    ...{ type: 'timeseries', title: 'Until the API answers (p99)', width: 8, unit: 's' },
    description: 'Watches not counted.',
    queries: [{ expr: p99(m.apiSeconds, 'verb'), legend: '{{verb}}' }],
  },
  {
    ...{ type: 'timeseries', title: 'Event loop lag', width: 8, unit: 's' },
    description: 'How late the event loop was at worst, lately.',
    queries: [ofOperators(series(m.eventLoopLag))],
  },
  {
    ...{ type: 'timeseries', title: 'Memory', width: 12, unit: 'bytes' },
    description: 'What the process occupies.',
    queries: [ofOperators(series(m.residentMemory))],
  },
  {
    ...{ type: 'timeseries', title: 'Processor', width: 12, unit: 'percentunit' },
    description: 'Of one core.',
    queries: [ofOperators(rate(series(m.cpuSeconds)))],
  },
]

function NAMED() {
  return ['kind', 'object_namespace', 'object_name', 'reason'] as const
}

/** Metrics that every program has: those of operators alone. */
function ofOperators(what: string): Query {
  return {
    expr: `${what} and on (job, instance) ${series(m.build)}`,
    legend: '{{instance}}',
  }
}

/** The dashboard, as Grafana imports it. Whoever imports it is asked for a Prometheus. */
export const dashboardWith = (description: string) => ({
  description,
  title: 'talos-operator',
  uid: 'talos-operator',
  tags: ['talos', 'kubernetes'],
  schemaVersion: 39,
  editable: true,
  graphTooltip: 1,
  refresh: '1m',
  time: { from: 'now-6h', to: 'now' },
  templating: {
    list: [{ name: 'datasource', label: 'Prometheus', type: 'datasource', query: 'prometheus' }],
  },
  panels: placed(panels).map(panelOf),
})

type Place = { x: number; y: number; w: number; h: number }

/** From left to right, and on in the next line where one is full. */
function placed(all: readonly Panel[]): { panel: Panel; place: Place }[] {
  let [x, y, lineHeight] = [0, 0, 0]
  return all.map((panel) => {
    const { width: w, height: h = panel.type === 'stat' ? 4 : 8 } = panel
    if (x + w > COLUMNS) [x, y, lineHeight] = [0, y + lineHeight, 0]
    const place = { x, y, w, h }
    x += w
    lineHeight = Math.max(lineHeight, h)
    return { panel, place }
  })
}

const panelOf = ({ panel, place }: { panel: Panel; place: Place }, index: number) => ({
  ...{ id: index + 1, type: panel.type, title: panel.title, description: panel.description },
  datasource: SOURCE,
  gridPos: place,
  fieldConfig: {
    defaults: {
      unit: panel.unit ?? 'none',
      ...(panel.type === 'stat' && {
        color: { mode: 'thresholds' },
        thresholds: { mode: 'absolute', steps: stepsOf(panel) },
      }),
    },
    overrides: [],
  },
  ...(panel.type === 'table' && { transformations: [withoutTheOperator] }),
  ...(panel.type === 'timeseries' && {
    options: { legend: { displayMode: 'table', placement: 'bottom', calcs: ['lastNotNull'] } },
  }),
  targets: panel.queries.map((query, nth) => targetOf(panel, query, nth)),
})

const stepsOf = ({ isBadFromOne }: Panel) => (isBadFromOne ? Object.values(STEPS) : [STEPS.green])

// Which pod said it is of no concern.
const withoutTheOperator = {
  id: 'organize',
  options: {
    excludeByName: { Time: true, job: true, namespace: true },
    renameByName: { object_namespace: 'namespace', object_name: 'name', Value: 'for' },
  },
}

const targetOf = ({ type }: Panel, { expr, legend }: Query, nth: number) => ({
  refId: String.fromCharCode('A'.charCodeAt(0) + nth),
  datasource: SOURCE,
  expr,
  ...(legend && { legendFormat: legend }),
  ...(type === 'timeseries' ? { range: true } : { instant: true, range: false }),
  ...(type === 'table' && { format: 'table' }),
})
