import { type Fields, fieldsAt, isFields, listAt } from '#apiserver/objects.ts'

// What version 1 has no field for is kept in these annotations, so that nothing is lost on the way.
const KEPT = {
  metrics: 'autoscaling.alpha.kubernetes.io/metrics',
  behavior: 'autoscaling.alpha.kubernetes.io/behavior',
  currentMetrics: 'autoscaling.alpha.kubernetes.io/current-metrics',
  conditions: 'autoscaling.alpha.kubernetes.io/conditions',
} as const

/** A HorizontalPodAutoscaler of autoscaling/v1, as autoscaling/v2 has it. */
export function scalerToV2(scaler: Fields): Fields {
  const metadata = { ...fieldsAt(scaler, 'metadata') }
  const annotations = { ...fieldsAt(metadata, 'annotations') }
  const { targetCPUUtilizationPercentage, ...spec } = fieldsAt(scaler, 'spec')
  const { currentCPUUtilizationPercentage, currentReplicas, ...status } = fieldsAt(scaler, 'status')
  const metrics = [
    ...cpuTarget(targetCPUUtilizationPercentage),
    ...takeList(annotations, 'metrics'),
  ]
  const currentMetrics = [
    ...cpuCurrent(currentCPUUtilizationPercentage),
    ...takeList(annotations, 'currentMetrics'),
  ]
  const [behavior, conditions] = [
    take(annotations, 'behavior'),
    takeList(annotations, 'conditions'),
  ]
  return {
    ...scaler,
    apiVersion: 'autoscaling/v2',
    metadata: withAnnotations(metadata, annotations),
    spec: {
      ...spec,
      ...(metrics.length > 0 && { metrics }),
      ...(isFields(behavior) && { behavior }),
    },
    status: {
      ...status,
      ...(Boolean(currentReplicas) && { currentReplicas }),
      currentMetrics: currentMetrics.length > 0 ? currentMetrics : null,
      ...(conditions.length > 0 && { conditions }),
    },
  }
}

/** The other way. */
export function scalerFromV2(scaler: Fields): Fields {
  const metadata = { ...fieldsAt(scaler, 'metadata') }
  const annotations = { ...fieldsAt(metadata, 'annotations') }
  const { metrics: _metrics, behavior, ...spec } = fieldsAt(scaler, 'spec')
  const { currentMetrics: _current, conditions, ...status } = fieldsAt(scaler, 'status')
  const target = split(listAt(fieldsAt(scaler, 'spec'), 'metrics'), 'target')
  const current = split(listAt(fieldsAt(scaler, 'status'), 'currentMetrics'), 'current')
  keep(annotations, 'metrics', target.others)
  keep(annotations, 'behavior', behavior)
  keep(annotations, 'currentMetrics', current.others)
  keep(annotations, 'conditions', conditions)
  return {
    ...scaler,
    apiVersion: 'autoscaling/v1',
    metadata: withAnnotations(metadata, annotations),
    spec: {
      ...spec,
      ...(target.cpu !== undefined && { targetCPUUtilizationPercentage: target.cpu }),
    },
    status: {
      currentReplicas: 0,
      ...status,
      ...(current.cpu !== undefined && { currentCPUUtilizationPercentage: current.cpu }),
    },
  }
}

const cpuTarget = (percent: unknown): Fields[] =>
  typeof percent === 'number'
    ? [cpuMetric({ target: { type: 'Utilization', averageUtilization: percent } })]
    : []

const cpuCurrent = (percent: unknown): Fields[] =>
  typeof percent === 'number' ? [cpuMetric({ current: { averageUtilization: percent } })] : []

const cpuMetric = (what: Fields): Fields => ({
  type: 'Resource',
  resource: { name: 'cpu', ...what },
})

/** The percentage of processor time, which version 1 has a field for, and all the rest. */
function split(metrics: unknown[], at: 'target' | 'current') {
  let cpu: unknown
  const others = metrics.filter((metric) => {
    const found = cpu === undefined ? percentOfCpu(metric, at) : undefined
    cpu ??= found
    return found === undefined
  })
  return { cpu, others }
}

function percentOfCpu(metric: unknown, at: 'target' | 'current'): unknown {
  if (!isFields(metric) || metric.type !== 'Resource') return undefined
  const resource = fieldsAt(metric, 'resource')
  return resource.name === 'cpu' ? fieldsAt(resource, at).averageUtilization : undefined
}

function keep(annotations: Fields, what: keyof typeof KEPT, value: unknown): void {
  const isEmpty = value === undefined || value === null || (Array.isArray(value) && !value.length)
  if (!isEmpty) annotations[KEPT[what]] = JSON.stringify(value)
}

function take(annotations: Fields, what: keyof typeof KEPT): unknown {
  const text = annotations[KEPT[what]]
  if (typeof text !== 'string') return undefined
  try {
    const value: unknown = JSON.parse(text)
    delete annotations[KEPT[what]]
    return value
  } catch {
    return undefined // a user's own words, which stay where they are
  }
}

function takeList(annotations: Fields, what: keyof typeof KEPT): unknown[] {
  const value = take(annotations, what)
  return Array.isArray(value) ? value : []
}

function withAnnotations({ annotations: _, ...metadata }: Fields, annotations: Fields): Fields {
  return Object.keys(annotations).length > 0 ? { ...metadata, annotations } : metadata
}
