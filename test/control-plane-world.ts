// Worlds of a control plane, for tests of what follows from them.

import { MACHINE_UUID } from '#api/labels.ts'
import type { Machine } from '#api/machine.ts'
import type { World } from '#controllers/control-plane/world.ts'
import { aMachine } from '#test/builders.ts'

export const NOW = new Date('2030-01-01T00:00:00Z')

/** What is seen of an API where nobody is. */
export const UNREACHABLE = {
  ...{ is: 'silent' as const, reason: 'Unreachable' as const, message: 'x', since: NOW },
}

/** A world in which all is as it should be, of one machine that is ready. */
export const aWorld = (over: Partial<World> = {}): World => ({
  machines: [aMember(1)],
  pool: {
    ...{ missing: [], changed: [], same: [], surplus: [], taken: [], waiting: [] },
    known: over.machines ?? [],
  },
  isOld: false,
  turns: { turns: { last: 0, held: [] }, gone: new Set() },
  unresolved: undefined,
  problem: undefined,
  warnings: [],
  secrets: { is: 'there', clusterId: 'id-1', areBrought: false },
  hold: 'held',
  workers: [],
  api: { is: 'answering', version: 'v1.35.0' },
  kubernetes: {
    problem: undefined,
    unlikeTalos: [],
    busyPools: [],
    poolsBehind: [],
    standing: undefined,
  },
  kubelets: { asking: [], isAnyWaiting: false, busy: [], unlikeTalos: [], problem: undefined },
  areNodesMarked: false,
  strays: [],
  unknownNodes: [],
  due: [],
  taken: [],
  means: {},
  ...over,
})

export const uuidAt = (at: number): string => `uuid-${at}`

type Status = NonNullable<Machine['status']>

const condition = (type: string, isTrue: boolean, message: string) => ({
  ...{ type, status: isTrue ? ('True' as const) : ('False' as const), reason: 'Tested', message },
  lastTransitionTime: '2030-01-01T00:00:00Z',
})

const machineAt = (at: number, status: Status, annotations: Record<string, string>) =>
  aMachine({
    metadata: { name: `prod-192.0.2.${at}`, annotations },
    spec: { endpoint: `192.0.2.${at}` },
    status,
  })

const claim = (at: number) => ({ [MACHINE_UUID]: uuidAt(at) })

/** One that is a member of etcd, and ready. */
export const aMember = (at: number, over: Status = {}): Machine =>
  machineAt(
    at,
    {
      ...{ type: 'controlplane', stage: 'running' },
      etcdMember: { id: `${at}`.padStart(16, '0'), learner: false },
      conditions: [condition('Reachable', true, 'answers'), condition('Ready', true, 'ready')],
      ...over,
    },
    claim(at),
  )

/** One that has its configuration, and could begin the cluster. */
export const aBooting = (at: number, over: Status = {}): Machine =>
  machineAt(
    at,
    {
      ...{ type: 'controlplane', stage: 'booting' },
      conditions: [
        condition('Reachable', true, 'answers'),
        condition('Ready', false, 'waits for etcd'),
      ],
      ...over,
    },
    claim(at),
  )

/** One that has its configuration, and does not answer. */
export const aSilent = (at: number): Machine =>
  machineAt(
    at,
    {
      conditions: [
        condition('Reachable', false, 'no answer'),
        condition('Ready', false, 'no answer'),
      ],
    },
    claim(at),
  )

/** One that nobody has seen yet, unless its status says so. */
export const anUnclaimed = (at: number, status: Status = {}): Machine => machineAt(at, status, {})
