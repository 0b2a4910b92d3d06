import { Cluster } from '#api/cluster.ts'
import { FORCE_DELETION } from '#api/labels.ts'
import { Machine } from '#api/machine.ts'
import { planBy, rules } from '#controllers/machine/plan.ts'
import type { TalosMachines } from '#engine/talos-machines.ts'
import { controllersWith } from '#operator/controllers.ts'
import { asIsWanted } from './mutants-lies.ts'
import { gone, type Life, type Mutant, settled } from './mutants-life.ts'
import { without } from './mutants-rules.ts'
import type { World } from './world.ts'

const doesWithout =
  (rule: string): Mutant['controllers'] =>
  (ports) =>
    controllersWith(ports, { machine: { plan: planBy(without(rules, rule)) } })

export const replaced: Life = {
  title: 'another machine is at the address of one of ours',
  machines: 2,
  live: async (world) => {
    await world.objects.apply(world.cluster('one', [1], [2]))
    await settled(world, 'one')
    world.fault('wrong-machine', 2)
    await world.pass(8)
  },
  ...{ bootstraps: 1, resets: 0 },
  ends: ['AnotherMachine'],
  mutants: [
    {
      title: 'takes whoever is at the address for the machine of the object',
      controllers: doesWithout('anotherMachine'),
      said: 'its TalosMachine had the machine',
    },
    {
      title: 'does not ask a machine who it is before it is configured',
      controllers: (ports, world) =>
        controllersWith({ ...ports, machines: asIsWanted(ports.machines, world, () => true) }),
      said: 'the machine is claimed by nobody',
    },
  ],
}

export const notMeant: Life = {
  title: 'another machine is at the address than the one that the spec means',
  machines: 2,
  live: async (world) => {
    const { spec, ...cluster } = world.cluster('one', [1], [2])
    const uuid = world.fleet.machine(world.address(1))?.hardware.uuid
    const metalSpec = { machines: [{ address: world.address(2), uuid }] }
    await world.objects.apply({
      ...cluster,
      spec: { ...spec, worker: { ...spec.worker, metalSpec } },
    })
    await world.pass(8)
  },
  ...{ bootstraps: 1, resets: 0 },
  ends: ['AnotherMachine'],
  mutants: [
    {
      title: 'gives keys to whoever answers',
      controllers: doesWithout('notTheOneMeant'),
      said: 'not in the end: machine',
    },
  ],
}

export const wantedByTwo: Life = {
  title: 'two clusters want one machine',
  machines: 3,
  live: async (world) => {
    const heal = world.fault('unreachable', 3)
    await world.objects.apply(world.cluster('one', [1], [3]))
    await world.objects.apply(world.cluster('two', [2], [3]))
    await world.pass(1)
    heal()
    await world.pass(2)
  },
  ...{ bootstraps: 2, resets: 0 },
  ends: ['TalosMachine two-', 'Ready=False (NotInMaintenance)'],
  mutants: [
    {
      title: 'configures a machine for whoever wants it',
      controllers: doesWithout('contested'),
      said: 'the machine is claimed by one-',
    },
  ],
}

export const ofAnotherCluster: Life = {
  title: 'a machine of a cluster that nobody knows any more is to be a worker of another one',
  machines: 2,
  live: async (world) => {
    await world.objects.apply(world.cluster('one', [1], []))
    await settled(world, 'one')
    await world.objects.annotate(Cluster, 'one', { [FORCE_DELETION]: 'true' })
    await world.objects.remove(Cluster, 'one')
    await gone(world)
    await world.objects.apply(world.cluster('two', [2], [1]))
    await world.pass(2)
  },
  ...{ bootstraps: 2, resets: 0 },
  ends: ['Reachable=False (NotInMaintenance) Ready=False (NotInMaintenance)'],
  mutants: [
    {
      title: 'does not say whom it must not speak to',
      controllers: doesWithout('stranger'),
      said: 'not in the end: TalosMachine two-',
    },
  ],
}

/** Whoever has its configuration is called where the endpoint of the cluster leads to. */
const throughEndpoint = (machines: TalosMachines, world: () => World): TalosMachines => ({
  machine: (target) =>
    machines.machine(
      target.access.kind === 'cluster' ? { ...target, address: world().address(1) } : target,
    ),
})

export const endpointElsewhere: Life = {
  title: 'a worker is wiped, and the endpoint of its cluster leads to another machine',
  machines: 2,
  live: async (world) => {
    await world.objects.apply(world.cluster('one', [1], [2]))
    await settled(world, 'one')
    await world.objects.remove(Machine, `one-${world.address(2)}`)
    await world.pass(1)
    await settled(world, 'one')
  },
  ...{ bootstraps: 1, resets: 1 },
  ends: ['.2: running'],
  mutants: [
    {
      title: 'calls a machine at the endpoint of its cluster, and believes whoever answers',
      controllers: (ports, world) =>
        controllersWith({
          ...ports,
          machines: asIsWanted(throughEndpoint(ports.machines, world), world, () => true),
        }),
      said: 'reset 127.80.30.1 done: the machine is that of one-127.80.30.1',
    },
    {
      title: 'calls a machine at the endpoint of its cluster',
      controllers: (ports, world) =>
        controllersWith({ ...ports, machines: throughEndpoint(ports.machines, world) }),
      said: 'Reachable=False (AnotherMachine)',
    },
  ],
}
