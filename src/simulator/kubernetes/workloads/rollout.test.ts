import { expect, test } from 'vitest'
import type { Fields } from '#apiserver/objects.ts'
import { rolloutStep } from './rollout.ts'

const aSet = (name: string, wanted: number, available = wanted): Fields => ({
  metadata: { name },
  spec: { replicas: wanted },
  status: { replicas: wanted, availableReplicas: available },
})

const aDeployment = (replicas: number, strategy: Fields = {}): Fields => ({
  spec: { replicas, strategy },
})

const rolling = (maxSurge: unknown, maxUnavailable: unknown): Fields => ({
  type: 'RollingUpdate',
  rollingUpdate: { maxSurge, maxUnavailable },
})

test('as many new pods come as the surge allows, and old ones stay until new ones work', () => {
  const deployment = aDeployment(4, rolling(1, 0))

  expect(rolloutStep({ deployment, newest: aSet('new', 0), older: [aSet('old', 4)] })).toEqual([
    { name: 'new', replicas: 1 },
    { name: 'old', replicas: 4 },
  ])
  expect(rolloutStep({ deployment, newest: aSet('new', 1), older: [aSet('old', 4)] })).toEqual([
    { name: 'new', replicas: 1 },
    { name: 'old', replicas: 3 },
  ])
})

test('old pods that do not work go first, whatever the limits are', () => {
  const deployment = aDeployment(2, rolling(1, 0))

  const step = rolloutStep({ deployment, newest: aSet('new', 1, 0), older: [aSet('old', 2, 0)] })

  expect(step).toContainEqual({ name: 'old', replicas: 0 })
})

test('limits of zero and zero let one pod go, or nothing would move', () => {
  const deployment = aDeployment(1, rolling('0%', '25%'))

  const step = rolloutStep({ deployment, newest: aSet('new', 0), older: [aSet('old', 1)] })

  expect(step).toContainEqual({ name: 'old', replicas: 0 })
})

test('a Deployment that recreates ends the old pods before it starts new ones', () => {
  const deployment = aDeployment(2, { type: 'Recreate' })
  const going: Fields = {
    metadata: { name: 'old' },
    spec: { replicas: 0 },
    status: { replicas: 1 },
  }

  expect(rolloutStep({ deployment, newest: aSet('new', 0), older: [aSet('old', 2)] })).toEqual([
    { name: 'old', replicas: 0 },
  ])
  expect(rolloutStep({ deployment, newest: aSet('new', 0), older: [going] })).toEqual([])
  expect(rolloutStep({ deployment, newest: aSet('new', 0), older: [aSet('old', 0)] })).toEqual([
    { name: 'new', replicas: 2 },
  ])
})
