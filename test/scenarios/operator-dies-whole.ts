import { Cluster } from '#api/cluster.ts'
import { ControlPlane } from '#api/control-plane.ts'
import { Worker } from '#api/worker.ts'
import { onMachines } from './a-control-plane.ts'
import { untilAsWanted, withPatch } from './changed-configs.ts'
import type { Life } from './operator-dies.cases.ts'
import { watchedBriefly } from './parts.ts'
import { untilGone } from './verdicts.ts'
import type { World } from './world.ts'

const UPGRADED = 'v1.13.1'

const untilAllAsWanted = (world: World): Promise<void> =>
  untilAsWanted(world, [Cluster, 'one'], [ControlPlane, 'one'], [Worker, 'one'])

/** A cluster on five machines, with a patch for all of them. */
function patched(world: World, level: string) {
  const { spec, ...rest } = world.cluster('one', [1, 2, 3], [4, 5])
  const partWith = <Part extends object>(part: Part) => {
    const machine = { env: { GRPC_GO_LOG_SEVERITY_LEVEL: level } }
    return watchedBriefly(withPatch({ spec: part }, { machine })).spec
  }
  return {
    ...rest,
    spec: {
      controlPlane: partWith({ ...spec.controlPlane, ...onMachines(world, [1, 2, 3]).spec }),
      worker: partWith({ ...spec.worker }),
    },
  }
}

/** Of three control planes and two workers more than one could be down at once, which nobody may be for it. */
export const WHOLE: Life = {
  name: 'a whole cluster',
  machines: 5,
  versions: { talos: 'v1.13.0', kubernetes: 'v1.34.1' },
  chapters: [
    {
      name: 'created',
      begin: async (world) => {
        await world.bringSecrets('one')
        await world.objects.apply(patched(world, 'warning'))
      },
      isOver: untilAllAsWanted,
      done: { bootstraps: 1, resets: 0 },
    },
    {
      name: 'configured by a reboot',
      begin: (world) => world.objects.apply(patched(world, 'info')),
      isOver: untilAllAsWanted,
      done: { bootstraps: 1, resets: 0 },
    },
    {
      name: 'upgraded',
      begin: ({ objects }) => {
        const version = { version: UPGRADED }
        return objects.patch(Cluster, 'one', { spec: { controlPlane: version, worker: version } })
      },
      isOver: async (world) => {
        await world.until('all to run another Talos', () =>
          world.fleet.machines.every(({ talosVersion }) => talosVersion === UPGRADED),
        )
        await untilAllAsWanted(world)
      },
      done: { bootstraps: 1, resets: 0 },
    },
    {
      name: 'deleted',
      begin: (world) => world.objects.remove(Cluster, 'one'),
      isOver: untilGone,
      done: { bootstraps: 1, resets: 5 },
    },
  ],
}

/** Where who is changed is decided, written down, or told. */
export const TURNING =
  /^(PATCH (taloscontrolplanes|talosworkers|talosmachines)\/[^/ ]+ |configuration|reboot|upgrade|reset)/
