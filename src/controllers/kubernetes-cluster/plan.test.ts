import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ALLOW_SCALE_DOWN, ROLE, WORKER_GROUP } from '#api/labels.ts'
import { aControlPlane, aKubernetesCluster, aProvidedMachine } from '#test/builders.ts'
import {
  afterStep,
  allMade,
  asMade,
  aWorldOf,
  NO_PARTS,
  saying,
} from '#test/kubernetes-cluster-world.ts'
import { planEvery } from './plan.ts'
import type { World } from './world.ts'

const NOW = new Date('2030-01-01T00:00:00Z')
const plan = planEvery(30_000)

const cluster = aKubernetesCluster()
const planOf = (over: Partial<World> = {}, of = cluster) => plan(of, aWorldOf(of, over), NOW)
const deeds = (over: Partial<World> = {}, of = cluster) =>
  planOf(over, of).steps.map((step) => `${step.do} ${'machine' in step ? step.machine : ''}`.trim())

const running = allMade(cluster).map((machine) => saying(machine, { phase: 'Running' }))
const fresh = { stale: [], surplus: [] }

test('R24: Machines in their order, then their files', () => {
  expect(deeds()).toEqual([
    ...['createMachine prod-cp-0', 'createMachine prod-cp-1', 'createMachine prod-cp-2'],
    ...['createMachine prod-workers-0', 'createMachine prod-workers-1', 'writeFiles'],
  ])
})

test('R14, R34: what is said after that is what is there then', () => {
  expect(planOf()).toMatchObject({
    status: {
      ...{ phase: 'Provisioning', machineCount: 5, controlPlaneReady: false, workersReady: 0 },
    },
    conditions: {
      TopologyValid: { ok: true, reason: 'ValidationSucceeded' },
      MachinesCreated: { ok: true, reason: 'CreationSucceeded' },
      FilesGenerated: { ok: true, reason: 'GenerationSucceeded' },
      Ready: { ok: false, reason: 'MachinesNotReady' },
    },
  })
})

test('R27: it is looked at again after the interval', () => {
  expect(planOf().wakeAt).toEqual(new Date('2030-01-01T00:00:30Z'))
})

test('R13, A8: a cluster whose Machines all run is running, and there is nothing to do', () => {
  expect(planOf({ machines: running, files: fresh })).toMatchObject({
    steps: [],
    status: { phase: 'Running', controlPlaneReady: true, workersReady: 2, machineCount: 5 },
    conditions: { Ready: { ok: true, reason: 'ClusterReady' } },
  })
})

test('A8: a cluster that has no Machine, and can have none, is pending', () => {
  const taken = [{ what: 'Machine prod-cp-0', owner: 'KubernetesCluster other' }]

  expect(planOf({ free: [], taken }).status.phase).toBe('Pending')
})

test('A9: the condition of a Machine counts more than its phase', () => {
  const [first, ...others] = running
  const conditions = [{ type: 'Ready', status: 'False' }]
  const machines = [...(first ? [saying(first, { phase: 'Running', conditions })] : []), ...others]

  expect(planOf({ machines, files: fresh }).status).toMatchObject({ controlPlaneReady: false })
})

test('A9: from the first address on, a cluster is as ready as its machines are seen to be', () => {
  const [first, second, third, ...workers] = running
  const at = { phase: 'Running', ipAddresses: ['192.0.2.7'] }
  const some = [first, second].flatMap((machine) => (machine ? [saying(machine, at)] : []))
  const machines = [...some, ...(third ? [third] : []), ...workers]

  expect(planOf({ machines, files: fresh })).toMatchObject({
    status: { phase: 'Provisioning', controlPlaneReady: false, workersReady: 0 },
    conditions: {
      Ready: { ok: false, message: expect.stringContaining('these have none: prod-cp-2') },
    },
  })
  const all = running.map((machine) => saying(machine, at))
  expect(planOf({ machines: all, files: fresh }).conditions.Ready).toMatchObject({
    ...{ ok: false, message: 'its control plane is about to begin' },
  })
})

test('a control plane without an address is told of with what its provider says', () => {
  const [first, second, third, ...others] = running
  const placed = { phase: 'Running', ipAddresses: ['192.0.2.7'] }
  const machines = [
    ...(first ? [saying(first, { phase: 'Pending', message: 'no address is free' })] : []),
    ...(second ? [saying(second, {})] : []),
    ...[third, ...others].flatMap((machine) => (machine ? [saying(machine, placed)] : [])),
  ]

  expect(planOf({ machines, files: fresh }).conditions.Ready).toMatchObject({
    message: expect.stringContaining(
      'these have none: prod-cp-0 (Pending, no address is free), prod-cp-1 (its provider has not said anything of it yet)',
    ),
  })
})

test('R33: a wrong spec makes nothing, asks for no finalizer, and is a ValidationError', () => {
  const wrong = aKubernetesCluster({ spec: { controlPlane: { replicas: 2 } } })
  const message = 'spec.controlPlane.replicas is 2: write 1, 3 or 5'

  expect(planOf({}, wrong)).toMatchObject({
    ...{ steps: [], needsTeardown: false, status: { phase: 'Failed' } },
    conditions: {
      TopologyValid: { ok: false, reason: 'ValidationFailed', message },
      Ready: { ok: false, reason: 'ValidationFailed', message },
    },
    failure: { code: 'ValidationError', message },
  })
})

test('A33: of two clusters with one clusterName the second makes nothing at all, and says whose it is', () => {
  const { steps, status, conditions, failure } = planOf({ namesake: 'first' })

  expect(steps).toEqual([])
  expect(status).toMatchObject({ phase: 'Pending', machineCount: 0 })
  expect(failure).toMatchObject({ code: 'OwnerReferenceError' })
  expect(conditions).toMatchObject({
    MachinesCreated: { ok: false, reason: 'CreationFailed' },
    FilesGenerated: { ok: false, reason: 'GenerationFailed' },
    Ready: { ok: false, reason: 'OwnerReferenceFailed', message: failure?.message },
  })
  expect(failure?.message).toContain(
    'KubernetesCluster first of this namespace has the clusterName',
  )
})

test('R33, A11, A33: what belongs to another is named, and everything else is made', () => {
  const taken = [{ what: 'Machine prod-cp-1', owner: 'KubernetesCluster other' }]
  const { steps, failure, conditions } = planOf({ taken, free: ['prod-cp-0'] })

  expect(steps[0]).toMatchObject({ do: 'createMachine', machine: 'prod-cp-0' })
  expect(failure).toMatchObject({ code: 'OwnerReferenceError' })
  expect(failure?.message).toContain(
    'Machine prod-cp-1 is there, and belongs to KubernetesCluster other',
  )
  expect(conditions).toMatchObject({
    ...{ MachinesCreated: { ok: false, reason: 'CreationFailed' } },
    Ready: { ok: false, reason: 'OwnerReferenceFailed' },
  })
})

test('A38: a Machine that is being deleted is made anew when it is gone, and not before', () => {
  const [first, ...others] = running
  const deletionTimestamp = '2030-01-01T00:00:00Z'
  const leaving = aProvidedMachine({
    ...first,
    metadata: { ...first?.metadata, deletionTimestamp },
  })

  expect(deeds({ machines: [leaving, ...others], files: fresh })).toEqual([])
  expect(deeds({ machines: others, files: fresh })).toEqual(['createMachine prod-cp-0'])
})

test('A34: a Machine that says something else than its template is made to say it', () => {
  const [first, ...others] = running
  const edited = aProvidedMachine({ ...first, spec: {} })

  expect(deeds({ machines: [edited, ...others], files: fresh })).toEqual([
    'updateMachine prod-cp-0',
  ])
})

const surplus = (name: string, role: string) =>
  aProvidedMachine({
    metadata: { name, labels: { [ROLE]: role, [WORKER_GROUP]: 'workers' }, uid: name },
  })

test('A15: workers go before control planes, those with the highest index first', () => {
  const machines = [
    ...running,
    ...[surplus('prod-cp-3', 'controlplane'), surplus('prod-workers-2', 'worker')],
    surplus('prod-workers-10', 'worker'),
  ]

  expect(deeds({ machines, files: fresh })).toEqual([
    ...['removeMachine prod-workers-10', 'removeMachine prod-workers-2'],
  ])
  expect(planOf({ machines, files: fresh }).conditions.Ready?.reason).toBe('ScalingDown')
})

test('A15: control planes go one at a time', () => {
  const five = [surplus('prod-cp-3', 'controlplane'), surplus('prod-cp-4', 'controlplane')]
  const [first, second] = five

  expect(deeds({ machines: [...running, ...five], files: fresh })).toEqual([
    'removeMachine prod-cp-4',
  ])
  const leaving = aProvidedMachine({
    ...second,
    metadata: { ...second?.metadata, deletionTimestamp: '2030-01-01T00:00:00Z' },
  })
  const machines = [...running, ...(first ? [first] : []), leaving]
  expect(deeds({ machines, files: fresh })).toEqual([])
})

test('A15: five control planes do not become one by a single edit, unless somebody insists', () => {
  const one = aKubernetesCluster({ spec: { controlPlane: { replicas: 1 } } })
  const insisting = aKubernetesCluster({
    metadata: { annotations: { [ALLOW_SCALE_DOWN]: 'true' } },
    spec: { controlPlane: { replicas: 1 } },
  })
  const machines = [0, 1, 2, 3, 4].map((at) => surplus(`prod-cp-${at}`, 'controlplane'))

  expect(planOf({ machines }, one)).toMatchObject({
    ...{ steps: [], failure: { code: 'ValidationError' } },
    conditions: { Ready: { reason: 'ValidationFailed' } },
  })
  expect(planOf({ machines }, one).failure?.message).toContain(`${ALLOW_SCALE_DOWN}=true`)
  expect(deeds({ machines }, insisting)).toContain('removeMachine prod-cp-4')
})

test('nothing goes by a spec that may be an old one, nor what the engine still has', () => {
  const machines = [...running, surplus('prod-workers-2', 'worker')]

  expect(deeds({ machines, files: fresh, isOld: true })).toEqual([])
  expect(deeds({ machines, files: fresh, held: ['prod-workers-2'] })).toEqual([])
})

test('A17: files that cannot be written are told, tried again, and keep nobody from being ready', () => {
  const trouble = {
    ...{ message: 'no space left', tries: 2 },
    retryAt: new Date('2030-01-01T00:00:02Z'),
  }
  const files = { stale: ['prod-cp-0.yaml'], surplus: [], trouble }
  const waiting = planOf({ machines: running, files })

  expect(waiting).toMatchObject({
    ...{ steps: [], wakeAt: trouble.retryAt, status: { phase: 'Running' } },
    conditions: {
      FilesGenerated: { ok: false, reason: 'GenerationFailed', message: 'no space left' },
      Ready: { ok: true },
    },
  })
  expect(
    plan(cluster, aWorldOf(cluster, { machines: running, files }), trouble.retryAt).steps,
  ).toEqual([{ do: 'writeFiles', files: ['prod-cp-0.yaml'] }])
})

test('A15: the file of a Machine goes when that is gone', () => {
  const files = { stale: [], surplus: ['prod-workers-2.yaml'] }

  expect(deeds({ machines: [...running, surplus('prod-workers-2', 'worker')], files })).toEqual([
    'removeMachine prod-workers-2',
  ])
  expect(deeds({ machines: running, files })).toEqual(['removeFiles'])
})

test('A7: keys are made where there are none; those in the spec are warned about', () => {
  const secrets: World['secrets'] = {
    ...{ is: 'to be made', name: 'prod-talos-secrets', from: 'spec', brought: {} },
  }
  const { steps, notices } = planOf({ machines: running, files: fresh, secrets })

  expect(steps).toEqual([{ do: 'createSecrets', name: 'prod-talos-secrets', from: 'spec' }])
  expect(notices).toMatchObject([{ type: 'Warning', reason: 'SecretsInSpec' }])
})

test('A7: keys that cannot be used are a ValidationError', () => {
  const secrets: World['secrets'] = { is: 'wrong', problem: 'Secret keys is not there' }

  expect(planOf({ secrets })).toMatchObject({ steps: [], failure: { code: 'ValidationError' } })
})

test('A3: an endpoint that another cluster has is warned about, and refused by nobody', () => {
  const { notices, failure } = planOf({ sameEndpoint: ['default/other'] })

  expect(notices).toMatchObject([{ type: 'Warning', reason: 'EndpointShared' }])
  expect(failure).toBeUndefined()
})

test('A37: versions that do not go together are warned about, and refused by nobody', () => {
  const odd = aKubernetesCluster({ spec: { kubernetesVersion: 'v1.20.0' } })
  const { notices, failure } = planOf({}, odd)

  expect(notices).toMatchObject([{ type: 'Warning', reason: 'VersionsUnsupported' }])
  expect(failure).toBeUndefined()
})

test('A37: Machines of a Talos that nobody can install are made, and told of when they have addresses', () => {
  const old = aKubernetesCluster({ spec: { talosVersion: 'v1.2.0' } })
  const secrets: World['secrets'] = {
    ...{ is: 'to be made', name: 'prod-talos-secrets', from: 'nothing', brought: {} },
  }
  const made = allMade(old)
  const status = { phase: 'Running', ipAddresses: ['192.0.2.7'] }
  const addressed = made.map((machine) => saying(machine, status))

  expect(deeds({ secrets, files: fresh }, old)).toEqual(
    made.map(({ metadata }) => `createMachine ${metadata.name}`),
  )
  expect(planOf({ secrets, files: fresh, machines: addressed }, old)).toMatchObject({
    ...{ steps: [], status: { phase: 'Provisioning' } },
    conditions: { Ready: { ok: false, reason: 'MachinesNotReady' } },
  })
})

test('the domain of a cluster that has a control plane cannot be changed', () => {
  const other = aKubernetesCluster({
    spec: { talosConfig: { cluster: { network: { dnsDomain: 'other.local' } } } },
  })
  const talos = { ...NO_PARTS, controlPlane: aControlPlane() }

  expect(planOf({ talos }, other).failure?.message).toContain('set it back')
})

const aShape = fc.record({
  controlPlanes: fc.constantFrom(1, 3, 5),
  workers: fc.array(fc.nat(3), { maxLength: 3 }),
  present: fc.array(fc.nat(12), { maxLength: 8 }),
  hasAddresses: fc.boolean(),
})

test('converges: doing the plan, again and again, leaves nothing to do', () => {
  fc.assert(
    fc.property(aShape, ({ controlPlanes, workers, present, hasAddresses }) => {
      const some = aKubernetesCluster({
        metadata: { annotations: { [ALLOW_SCALE_DOWN]: 'true' } },
        spec: {
          controlPlane: { replicas: controlPlanes },
          workers: workers.map((replicas, at) => ({ name: `g${at}`, replicas })),
        },
      })
      const names = aWorldOf(some).wanted.map(({ name }) => name)
      const kept = names.filter((_, at) => present.includes(at)).map((name) => asMade(some, name))
      const strangers = present.map((at) => surplus(`prod-workers-${at}`, 'worker'))
      let world = aWorldOf(some, {
        machines: [...kept, ...new Map(strangers.map((one) => [one.metadata.name, one])).values()],
      })
      for (let pass = 0; pass < 30; pass++) {
        const { steps } = plan(some, world, NOW)
        if (steps.length === 0) break
        world = steps.reduce((before, step) => afterStep(some, before, step), world)
        if (!hasAddresses) continue
        const status = { phase: 'Running', publicIPAddresses: ['192.0.2.7'] }
        world = { ...world, machines: world.machines.map((one) => saying(one, status)) }
      }

      expect(plan(some, world, NOW).steps).toEqual([])
      expect(world.machines.map(({ metadata }) => metadata.name).sort()).toEqual([...names].sort())
      expect(world.talos.controlPlane !== undefined).toBe(hasAddresses)
    }),
    { numRuns: 60 },
  )
})
