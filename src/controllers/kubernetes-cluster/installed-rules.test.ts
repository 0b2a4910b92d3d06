import { expect, test } from 'vitest'
import { OS_INSTALLED } from '#api/labels.ts'
import type { Machine } from '#api/machine.ts'
import type { ProvidedMachine } from '#api/provided-machine.ts'
import { aKubernetesCluster } from '#test/builders.ts'
import { runningWith } from '#test/kubernetes-cluster-parts.ts'
import { allMade } from '#test/kubernetes-cluster-world.ts'
import { installedSteps } from './installed-rules.ts'

const cluster = aKubernetesCluster()
const running = runningWith(cluster, allMade(cluster))

const marked = (over: Partial<typeof running> = {}) =>
  installedSteps({ ...running, ...over }).map((step) => ('machine' in step ? step.machine : ''))

const machines = (change: (machine: ProvidedMachine) => ProvidedMachine) =>
  running.machines.map((one) => (one.metadata.name === 'prod-cp-0' ? change(one) : one))

const engine = (change: (machine: Machine) => Machine) => ({
  ...running.talos,
  machines: running.talos.machines.map((one) =>
    one.metadata.name === 'prod-prod-cp-0' ? change(one) : one,
  ),
})

test('of each Machine whose machine runs the provider is told once', () => {
  expect(marked()).toEqual([
    ...['prod-cp-0', 'prod-cp-1', 'prod-cp-2', 'prod-workers-0', 'prod-workers-1'],
  ])
  const told = machines(({ metadata, ...one }) => ({
    ...one,
    metadata: { ...metadata, annotations: { ...metadata.annotations, [OS_INSTALLED]: 'true' } },
  }))
  expect(marked({ machines: told })).not.toContain('prod-cp-0')
})

test('of one that is not known to run nobody is told: it may have nothing else to boot from', () => {
  const { status: _, ...unknown } = running.talos.machines[0] ?? { metadata: { name: '' } }

  expect(marked({ talos: engine(() => unknown as Machine) })) // no status: nobody has looked at it
    .not.toContain('prod-cp-0')
  expect(marked({ talos: { ...running.talos, machines: [] } })).toEqual([])
})

test('what ran under the name of a Machine before it was made anew says nothing of it', () => {
  const deletionTimestamp = '2030-01-01T00:00:00Z'
  const anew = machines(({ metadata, ...one }) => ({
    ...one,
    metadata: { ...metadata, uid: 'new' },
  }))
  const leaving = engine(({ metadata, ...one }) => ({
    ...one,
    metadata: { ...metadata, deletionTimestamp },
  }))

  expect(marked({ machines: anew })).not.toContain('prod-cp-0')
  expect(marked({ talos: leaving })).not.toContain('prod-cp-0')
})
