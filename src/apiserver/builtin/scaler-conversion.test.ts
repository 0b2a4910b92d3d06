import { expect, test } from 'vitest'
import { scalerFromV2, scalerToV2 } from './scaler-conversion.ts'

const cpu = {
  type: 'Resource',
  resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 80 } },
}
const memory = {
  type: 'Resource',
  resource: { name: 'memory', target: { type: 'Utilization', averageUtilization: 50 } },
}

test('the percentage of version 1 is a metric of version 2', () => {
  const scaler = {
    apiVersion: 'autoscaling/v1',
    spec: { maxReplicas: 2, targetCPUUtilizationPercentage: 80 },
  }

  expect(scalerToV2(scaler)).toMatchObject({
    apiVersion: 'autoscaling/v2',
    spec: { maxReplicas: 2, metrics: [cpu] },
  })
})

test('nothing of version 2 is lost on the way through version 1', () => {
  const scaler = {
    apiVersion: 'autoscaling/v2',
    metadata: { name: 'a', annotations: { own: 'x' } },
    spec: { maxReplicas: 2, metrics: [cpu, memory], behavior: { scaleUp: {} } },
    status: {
      desiredReplicas: 1,
      currentMetrics: [
        { type: 'Resource', resource: { name: 'cpu', current: { averageUtilization: 5 } } },
      ],
      conditions: [{ type: 'AbleToScale' }],
    },
  }

  const first = scalerFromV2(scaler)
  expect(first).toMatchObject({
    apiVersion: 'autoscaling/v1',
    spec: { maxReplicas: 2, targetCPUUtilizationPercentage: 80 },
    status: { currentCPUUtilizationPercentage: 5 },
  })
  expect(scalerToV2(first)).toEqual(scaler)
})

test('an annotation that is none of ours stays', () => {
  const metadata = { annotations: { 'autoscaling.alpha.kubernetes.io/metrics': 'not JSON' } }

  expect(scalerToV2({ metadata })).toMatchObject({ metadata })
})

test('version 1 counts what is there, even when it is nothing', () => {
  const scaler = {
    apiVersion: 'autoscaling/v2',
    status: { desiredReplicas: 0, currentMetrics: null },
  }
  const first = scalerFromV2(scaler)

  expect(first.status).toEqual({ currentReplicas: 0, desiredReplicas: 0 })
  expect(scalerToV2(first).status).toEqual(scaler.status)
})
