import { expect, test } from 'vitest'
import { MACHINE_UUID } from '#api/labels.ts'
import type { Machine } from '#api/machine.ts'
import { aControlPlane, aMachineSpec, aWorker } from './pool.cases.ts'
import { type MachineEntry, machineDraft } from './pool.ts'
import { inSpecOrder, machinePlan, type ResolvedEntry } from './pool-plan.ts'

const parent = aControlPlane()
const at = (address: string, entry: MachineEntry = { address }): ResolvedEntry => ({
  entry,
  address,
})
const through = (name: string, address?: string): ResolvedEntry => ({
  entry: { machineRef: { kind: 'Node', name, fieldPath: '.ip' } },
  ...(address !== undefined && { address }),
})

/** The machine of an entry as it would be there. */
function machineOf(
  { entry, address = '192.0.2.1' }: ResolvedEntry,
  changes: Partial<Machine> = {},
): Machine {
  const draft = machineDraft(parent, entry, address)
  if (!draft) throw new Error('the parent has a spec')
  return { ...draft, ...changes }
}

const names = (machines: readonly { metadata: { name: string } }[]) =>
  machines.map(({ metadata }) => metadata.name)

test('machines that are not there are missing, in the order of the spec', () => {
  const plan = machinePlan(
    parent,
    [at('192.0.2.2'), at('192.0.2.1'), through('a', '192.0.2.3')],
    [],
  )

  expect(names(plan.missing)).toEqual(['prod-192.0.2.2', 'prod-192.0.2.1', 'prod-a'])
  expect(plan).toMatchObject({ changed: [], same: [], surplus: [], taken: [], waiting: [] })
})

test('machines that are as wanted are left alone, whatever else they have', () => {
  const machine = machineOf(at('192.0.2.1'))
  const seen: Machine = {
    ...machine,
    metadata: { ...machine.metadata, labels: { ...machine.metadata.labels, mine: 'too' } },
    status: { state: 'Available' },
  }

  const plan = machinePlan(parent, [at('192.0.2.1')], [seen])

  expect(plan.same).toEqual([seen])
  expect(plan).toMatchObject({ missing: [], changed: [], surplus: [] })
})

test('another spelling of an address is the same machine', () => {
  const plan = machinePlan(parent, [at('2001:DB8:0:0::1')], [machineOf(at('2001:db8::1'))])

  expect(names(plan.same)).toEqual(['prod-2001-db8--1'])
})

test('it is said in what a machine differs', () => {
  const machine = machineOf(at('192.0.2.1'))
  const changed = aControlPlane({
    version: 'v1.13.1',
    deletionPolicy: 'preserve',
    configRef: { name: 'a', key: 'b' },
    metalSpec: { machineSpec: aMachineSpec({ wipe: true }) },
  })
  const foreign: Machine = { ...machine, metadata: { name: machine.metadata.name } }

  const plan = machinePlan(changed, [at('192.0.2.1')], [foreign])

  expect(plan.changed).toMatchObject([
    {
      machine: foreign,
      draft: { metadata: { name: 'prod-192.0.2.1' }, spec: { version: 'v1.13.1' } },
      differs: ['version', 'machineSpec', 'configRef', 'deletionPolicy', 'labels', 'owner'],
    },
  ])
})

test('a machine that is found through an object follows its address and keeps its name', () => {
  const plan = machinePlan(
    parent,
    [through('a', '192.0.2.9')],
    [machineOf(through('a', '192.0.2.1'))],
  )

  expect(plan.changed).toMatchObject([
    {
      draft: { metadata: { name: 'prod-a' }, spec: { endpoint: '192.0.2.9' } },
      differs: ['endpoint'],
    },
  ])
  expect(plan).toMatchObject({ missing: [], surplus: [] })
})

test('a machine whose entry changes from an address to an object is still the same', () => {
  const plan = machinePlan(parent, [through('a', '192.0.2.1')], [machineOf(at('192.0.2.1'))])

  expect(names(plan.same)).toEqual(['prod-192.0.2.1'])
  expect(plan).toMatchObject({ missing: [], surplus: [] })
})

test('a machine that has moved keeps its name, and its old address is free for another', () => {
  const moved = machineOf(at('192.0.2.1'))
  const machine = { ...moved, spec: { ...moved.spec, endpoint: '192.0.2.2' } } as Machine // the spec is whole

  const kept = machinePlan(parent, [at('192.0.2.2')], [machine])
  const crossed = machinePlan(parent, [at('192.0.2.1'), at('192.0.2.2')], [machine])

  expect(names(kept.same)).toEqual(['prod-192.0.2.1'])
  expect(names(crossed.same)).toEqual(['prod-192.0.2.1'])
  expect(crossed.taken).toMatchObject([{ draft: { spec: { endpoint: '192.0.2.1' } }, machine }])
})

test('a machine on which the wanted address was seen is the same machine', () => {
  const machine = machineOf(at('192.0.2.1'), {
    status: { addresses: ['192.0.2.1', '198.51.100.1'] },
  })

  const plan = machinePlan(parent, [at('198.51.100.1')], [machine])

  expect(plan.changed).toMatchObject([
    { draft: { metadata: { name: 'prod-192.0.2.1' } }, differs: ['endpoint'] },
  ])
  expect(plan.surplus).toEqual([])
})

test('an address that was seen on two machines tells neither', () => {
  const machines = ['192.0.2.1', '192.0.2.2'].map((address) =>
    machineOf(at(address), { status: { addresses: ['198.51.100.1'] } }),
  )

  const plan = machinePlan(parent, [at('198.51.100.1')], machines)

  expect(names(plan.missing)).toEqual(['prod-198.51.100.1'])
  expect(plan.surplus).toHaveLength(2)
})

/** The machine of an address that stands for a UUID, or that only says who answers there. */
const claimed = (address: string, uuid: string, changes: Partial<Machine> = {}): Machine => {
  const machine = machineOf(at(address))
  const metadata = { ...machine.metadata, annotations: { [MACHINE_UUID]: uuid } }
  return { ...machine, metadata, ...changes }
}
const answering = (address: string, uuid: string, stage = 'running'): Machine =>
  machineOf(at(address), { status: { uuid, stage, conditions: [reachable('True')] } })
const reachable = (status: 'True' | 'False') => ({
  ...{ type: 'Reachable', status, reason: 'Tested', message: '' },
  lastTransitionTime: '2030-01-01T00:00:00Z',
})

test('a machine that an entry names is known by that, wherever it is and whatever its spec said before', () => {
  const [one, two] = [claimed('192.0.2.1', 'aa'), claimed('192.0.2.2', 'bb')]
  const crossed = [
    at('192.0.2.1', { address: '192.0.2.1', uuid: 'BB' }),
    at('192.0.2.2', { address: '192.0.2.2', uuid: 'aa' }),
  ]

  const moved = machinePlan(parent, [at('192.0.2.9', { uuid: 'AA' })], [one])
  const swapped = machinePlan(parent, crossed, [one, two])

  expect(moved).toMatchObject({ missing: [], surplus: [], known: [one] })
  expect(moved.changed).toMatchObject([
    { draft: { metadata: { name: 'prod-192.0.2.1' } }, differs: ['endpoint', 'uuid'] },
  ])
  expect(swapped.changed.map(({ machine, draft }) => [machine, draft.spec.endpoint])).toEqual([
    [two, '192.0.2.1'],
    [one, '192.0.2.2'],
  ])
})

test('an entry that names another machine is a new one, also where the known one was seen', () => {
  const known = claimed('192.0.2.1', 'aa', { status: { addresses: ['192.0.2.9'] } })

  const plan = machinePlan(parent, [at('192.0.2.9', { uuid: 'bb' })], [known])

  expect(names(plan.missing)).toEqual(['prod-192.0.2.9'])
  expect(plan.surplus).toEqual([known])
})

test('a machine that answers at a new address follows, and the object that was made for that goes', () => {
  const known = claimed('192.0.2.1', 'aa')
  const made = answering('192.0.2.9', 'aa')

  const plan = machinePlan(parent, [at('192.0.2.9')], [known, made])
  const followed = { ...known, spec: { ...known.spec, endpoint: '192.0.2.9' } } as Machine // the spec is whole
  const later = machinePlan(parent, [at('192.0.2.9')], [followed, made])
  const last = machinePlan(parent, [at('192.0.2.9')], [followed])

  expect(plan.changed).toMatchObject([
    { machine: known, draft: { spec: { endpoint: '192.0.2.9' } }, differs: ['endpoint'] },
  ])
  expect(plan).toMatchObject({ missing: [], known: [known], surplus: [made] })
  expect(later).toMatchObject({ missing: [], same: [followed], surplus: [made] })
  expect(last).toMatchObject({ missing: [], same: [followed], surplus: [] })
})

test.each<[string, Machine, Machine]>([
  ['answers as another one', claimed('192.0.2.1', 'aa'), answering('192.0.2.9', 'bb')],
  [
    'does not answer any more',
    claimed('192.0.2.1', 'aa'),
    machineOf(at('192.0.2.9'), { status: { uuid: 'aa', conditions: [reachable('False')] } }),
  ],
  [
    'is not the one that runs where it was',
    claimed('192.0.2.1', 'aa', { status: answering('192.0.2.1', 'aa').status ?? {} }),
    answering('192.0.2.9', 'aa', 'maintenance'),
  ],
  [
    'was looked at where it was to be before',
    claimed('192.0.2.1', 'aa'),
    machineOf(at('192.0.2.9'), {
      metadata: { name: 'prod-192.0.2.9', generation: 2 },
      status: { uuid: 'aa', observedGeneration: 1, conditions: [reachable('True')] },
    }),
  ],
])('a machine at a new address that %s is not taken for one that is known', (_, known, made) => {
  const plan = machinePlan(parent, [at('192.0.2.9')], [known, made])

  expect(names(plan.known)).toEqual(['prod-192.0.2.9'])
  expect(plan.surplus).toEqual([known])
})

test('a machine that an entry stands for is not taken to another one, whoever answers there', () => {
  const [known, made] = [claimed('192.0.2.1', 'aa'), answering('192.0.2.9', 'aa')]

  const plan = machinePlan(parent, [at('192.0.2.1'), at('192.0.2.9')], [known, made])

  expect(plan).toMatchObject({ same: [known, made], surplus: [] })
})

test('machines come in the order of the spec, whether they are as wanted or not, and others come last', () => {
  const entries = [at('192.0.2.3'), through('a', '192.0.2.2'), at('192.0.2.1')]
  const changed = machineOf(at('192.0.2.3'), { metadata: { name: 'prod-192.0.2.3' } })
  const [second, third] = [machineOf(through('a', '192.0.2.2')), machineOf(at('192.0.2.1'))]
  const own = [machineOf(at('192.0.2.0')), third, changed, second]

  const plan = machinePlan(parent, entries, own)

  expect(names(plan.known)).toEqual(['prod-192.0.2.3', 'prod-a', 'prod-192.0.2.1'])
  expect(inSpecOrder(own, plan)).toEqual([changed, second, third, own[0]])
  expect(inSpecOrder([third], plan)).toEqual([third])
})

test('machines that no entry stands for are surplus', () => {
  const plan = machinePlan(parent, [], [machineOf(at('192.0.2.1'))])

  expect(names(plan.surplus)).toEqual(['prod-192.0.2.1'])
})

test('a machine that no entry stands for is spared if its parent says so, and by nothing else', () => {
  const machine = machineOf(at('192.0.2.1'))
  const keeping = aControlPlane({ deletionPolicy: 'preserve' })
  const kept = machineOf(at('192.0.2.1'), {
    ...(machine.spec && { spec: { ...machine.spec, deletionPolicy: 'preserve' } }),
  })

  expect(machinePlan(keeping, [], [machine]).spared).toEqual([machine])
  expect(machinePlan(keeping, [], [kept]).spared).toEqual([])
  expect(machinePlan(parent, [], [kept]).spared).toEqual([])
})

test('nothing is surplus while an entry leads nowhere, and what is known of it stays', () => {
  const machines = [machineOf(through('a', '192.0.2.1')), machineOf(at('192.0.2.2'))]

  const known = machinePlan(parent, [through('a')], machines)
  const unknown = machinePlan(parent, [through('b')], machines)

  expect(names(known.same)).toEqual(['prod-a'])
  expect(names(known.surplus)).toEqual(['prod-192.0.2.2'])
  expect(known.waiting).toHaveLength(1)
  expect(unknown).toMatchObject({ missing: [], surplus: [], waiting: [through('b').entry] })
})

test('machines of others are not looked at, but their names are taken', () => {
  const worker = aWorker({}, 'prod')
  const machine = machineOf(at('192.0.2.1'))

  const plan = machinePlan(worker, [at('192.0.2.1'), at('192.0.2.2')], [machine])

  expect(plan.taken).toMatchObject([{ machine }])
  expect(names(plan.missing)).toEqual(['prod-192.0.2.2'])
  expect(plan.surplus).toEqual([])
})

test('a thousand machines are compared at once', () => {
  const entries = Array.from({ length: 1000 }, (_, i) => at(`10.0.${i >> 8}.${i & 255}`))

  const plan = machinePlan(
    parent,
    entries,
    entries.map((entry) => machineOf(entry)),
  )

  expect(plan.same).toHaveLength(1000)
})
