import { Cluster } from '#api/cluster.ts'
import { ControlPlane } from '#api/control-plane.ts'
import { RECONCILE_MODE } from '#api/labels.ts'
import { Machine } from '#api/machine.ts'
import { Worker } from '#api/worker.ts'
import { controllersWith } from '#operator/controllers.ts'
import { blindToModes } from './mutants-lies.ts'
import { type Life, settled } from './mutants-life.ts'
import type { World } from './world.ts'

const ownOnly = { modeFrom: () => [] }

const set = (world: World, mode: string) =>
  world.objects.annotate(Cluster, 'one', { [RECONCILE_MODE]: mode })

export const notYet: Life = {
  title: 'a cluster is made that is only to be spoken of',
  machines: 2,
  live: async (world) => {
    const cluster = world.cluster('one', [1], [2])
    const metadata = { ...cluster.metadata, annotations: { [RECONCILE_MODE]: 'dryrun' } }
    await world.objects.apply({ ...cluster, metadata })
    await world.pass(5)
  },
  ...{ bootstraps: 0, resets: 0 },
  ends: ['.1: maintenance', '.2: maintenance'],
  mutants: [
    {
      title: 'does not see modes',
      controllers: (ports) => controllersWith(ports).map(blindToModes),
      said: 'the reconcile-mode of TalosCluster one forbids it',
    },
  ],
}

export const deletedButDisabled: Life = {
  title: 'all of a cluster is deleted that is not to be worked on',
  machines: 2,
  live: async (world) => {
    await world.objects.apply(world.cluster('one', [1], [2]))
    await settled(world, 'one')
    await set(world, 'disable')
    await world.pass(1)
    await world.objects.remove(Cluster, 'one')
    await world.objects.remove(ControlPlane, 'one')
    await world.objects.remove(Worker, 'one')
    await world.objects.remove(Machine, `one-${world.address(2)}`)
    await world.pass(5)
  },
  ...{ bootstraps: 1, resets: 0 },
  ends: ['.1: running', '.2: running'],
  mutants: [
    {
      title: 'does not see modes',
      controllers: (ports) => controllersWith(ports).map(blindToModes),
      said: 'the reconcile-mode of TalosCluster one forbids it',
    },
    {
      title: 'asks a machine alone whether it may be worked on',
      controllers: (ports) => controllersWith(ports, { machine: ownOnly }),
      said: 'the reconcile-mode of TalosCluster one forbids it',
    },
    {
      title: 'asks a pool alone whether it may be worked on',
      controllers: (ports) => controllersWith(ports, { worker: ownOnly }),
      said: 'instead: TalosWorker one: Ready Deleting=True',
    },
    {
      title: 'asks a control plane alone whether it may be worked on',
      controllers: (ports) => controllersWith(ports, { controlPlane: ownOnly }),
      said: 'instead: TalosControlPlane one: Ready Deleting=True',
    },
  ],
}
