import { expect, test } from 'vitest'
import { Cluster } from '#api/cluster.ts'
import { ControlPlane } from '#api/control-plane.ts'
import { RECONCILE_MODE } from '#api/labels.ts'
import { Machine } from '#api/machine.ts'
import type { Kind, KubeObject, ObjectMeta } from '#api/meta.ts'
import { systemClock } from '#base/clock.ts'
import { createMetrics } from '#runtime/metrics.ts'
import { quietLog } from '#test/quiet-log.ts'
import { controllersWith } from './controllers.ts'
import { objectNumbers } from './object-numbers.ts'
import { openPorts } from './ports.ts'
import { readSettings } from './settings.ts'

const T1 = '2030-01-01T00:00:00Z'
const T2 = '2030-01-01T00:01:00Z'
const seconds = (time: string) => Date.parse(time) / 1_000

/** `Ready False QuorumLost` */
const condition = (said: string, lastTransitionTime = T1) => {
  const [type, status, reason] = said.split(' ')
  return { type, status, reason, lastTransitionTime, message: 'so it is' }
}

const anObject = (
  name: string,
  conditions: object[],
  metadata: Partial<ObjectMeta> = {},
): KubeObject => ({
  metadata: { name, namespace: 'team-a', uid: `uid-${name}`, creationTimestamp: T2, ...metadata },
  status: { conditions },
})

const numbersOf = (...objects: [Kind, KubeObject[]][]) =>
  objectNumbers(
    objects.map(([kind]) => kind),
    (kind) => new Map(objects).get(kind) ?? [],
  )

test('objects that say the same are counted together, since the first of them did', () => {
  const silent = (name: string, since: string) =>
    anObject(name, [condition('Reachable False Unreachable', since)])
  const well = anObject('c', [condition('Reachable True Answers')])

  const { conditions } = numbersOf([Machine, [silent('a', T2), silent('b', T1), well]])

  const reachable = { kind: 'TalosMachine', type: 'Reachable' }
  expect(conditions).toEqual([
    {
      ...{ ...reachable, status: 'False', reason: 'Unreachable' },
      ...{ objects: 2, sinceSeconds: seconds(T1) },
    },
    {
      ...{ ...reachable, status: 'True', reason: 'Answers' },
      ...{ objects: 1, sinceSeconds: seconds(T1) },
    },
  ])
})

test('a condition that the kind does not have, or that is none, is not counted', () => {
  const odd = anObject('a', [condition('Invented True ByUser'), { type: 'Ready' }])

  expect(numbersOf([Machine, [odd]]).conditions).toEqual([])
})

test('what is not Ready is named with its reason, and one that nobody has looked at counts from its making', () => {
  const lost = anObject('prod', [condition('Ready False QuorumLost')])
  const anew = anObject('new', [])
  const well = anObject('well', [condition('Ready True AsWanted')])

  expect(numbersOf([ControlPlane, [lost, anew, well]]).notReady).toEqual([
    {
      ...{ kind: 'TalosControlPlane', namespace: 'team-a', name: 'prod' },
      ...{ reason: 'QuorumLost', sinceSeconds: seconds(T1) },
    },
    {
      ...{ kind: 'TalosControlPlane', namespace: 'team-a', name: 'new' },
      ...{ reason: 'NotLookedAt', sinceSeconds: seconds(T2) },
    },
  ])
})

test('machines are counted and never named, however many there are', () => {
  const machines = Array.from({ length: 50 }, (_, index) =>
    anObject(`m-${index}`, [condition('Ready False Unreachable')]),
  )

  const { conditions, notReady } = numbersOf([Machine, machines])
  expect(notReady).toEqual([])
  expect(conditions).toMatchObject([{ objects: 50 }])
})

test.each(['disable', 'dryrun'])(
  'what is set to %s is left out, with all that belongs to it',
  (mode) => {
    const set = anObject('prod', [], { annotations: { [RECONCILE_MODE]: mode } })
    const ready = [condition('Ready False RollingOut')]
    const owned = (owner: string) => ({
      ownerReferences: [{ apiVersion: 'v1', kind: 'Any', name: 'any', uid: `uid-${owner}` }],
    })

    const numbers = numbersOf(
      [Cluster, [set]],
      [ControlPlane, [anObject('cp', ready, owned('prod')), anObject('other', ready)]],
      [Machine, [anObject('m', ready, owned('cp')), anObject('n', ready, owned('other'))]],
    )

    expect(numbers.notReady.map(({ name }) => name)).toEqual(['other'])
    expect(numbers.conditions.map(({ kind, objects }) => [kind, objects])).toEqual([
      ['TalosControlPlane', 1],
      ['TalosMachine', 1],
    ])
  },
)

test('the controllers are in an order in which owners come before what they own', async () => {
  const settings = readSettings({ flags: {}, env: {} })
  const metrics = createMetrics({ version: '' })
  const clock = systemClock
  await using ports = openPorts({ clock, log: quietLog(), version: '', metrics, settings })

  expect(controllersWith(ports).map(({ kind }) => kind.kind)).toEqual([
    ...['TalosCluster', 'KubernetesCluster', 'TalosControlPlane', 'TalosWorker', 'TalosMachine'],
    ...['TalosClusterAddon', 'TalosClusterAddonRelease'],
    ...['TalosEtcdBackupSchedule', 'TalosEtcdBackup'],
  ])
})
