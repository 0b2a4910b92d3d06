import { expect, test } from 'vitest'
import { VITISTACK_GROUP } from '#api/meta.ts'
import { systemClock } from '#base/clock.ts'
import { controllersWith } from '#operator/controllers.ts'
import { openPorts } from '#operator/ports.ts'
import { readSettings } from '#operator/settings.ts'
import { createMetrics } from '#runtime/metrics.ts'
import { rulesOf } from '#runtime/rbac.ts'
import { quietLog } from '#test/quiet-log.ts'

const controllers = () =>
  controllersWith(
    openPorts({
      ...{ clock: systemClock, log: quietLog(), version: '' },
      ...{
        metrics: createMetrics({ version: '' }),
        settings: readSettings({ flags: {}, env: {} }),
      },
    }),
  )

test('R1: of vitistack.io one kind is worked on, KubernetesCluster', () => {
  const own = controllers().filter(({ kind }) => kind.group === VITISTACK_GROUP)

  expect(own.map(({ kind }) => kind.kind)).toEqual(['KubernetesCluster'])
})

test('A27: its status and its finalizers may be written, and Secrets are created and never listed', () => {
  const own = controllers().filter(({ kind }) => kind.group === VITISTACK_GROUP)
  const rules = rulesOf(own)

  expect(rules).toContainEqual({
    ...{ apiGroups: ['vitistack.io'], resources: ['kubernetesclusters/status'], verbs: ['patch'] },
  })
  expect(rules).toContainEqual({
    ...{ apiGroups: ['vitistack.io'], resources: ['kubernetesclusters/finalizers'] },
    verbs: ['update'],
  })
  expect(rules).toContainEqual({
    apiGroups: [''],
    resources: ['secrets'],
    verbs: ['get', 'create'],
  })
})
