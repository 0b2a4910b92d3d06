import { ControlPlane } from '#api/control-plane.ts'
import { Machine } from '#api/machine.ts'
import { wordsFor } from './boundary.ts'
import { controlPlaneIn } from './parts.ts'
import { conditionOf } from './verdicts.ts'
import type { World } from './world.ts'

export const CONTROL_PLANE = [ControlPlane, 'one'] as const

/** A control plane on machines of these numbers, reached by an address that whoever is up answers to. */
export function onMachines(world: World, machines: readonly number[]) {
  const { spec, ...rest } = controlPlaneIn(world, 'one', machines)
  const ip = world.address(200)
  const interfaces = [{ interface: 'eth0', dhcp: true, vip: { ip } }]
  const machineSpec = { configPatches: [{ machine: { network: { interfaces } } }] }
  return {
    ...rest,
    spec: {
      ...spec,
      endpoint: spec.endpoint.replace(world.address(machines[0] ?? 0), ip),
      metalSpec: { ...spec.metalSpec, machineSpec },
    },
  }
}

/** Until the control plane is Ready, with these machines and no others. */
export const untilReady = (world: World, machines: readonly number[]): Promise<void> =>
  world.until(`${machines.join(', ')} to be Ready, and no others to be there`, async () => {
    const ready = await conditionOf(world, CONTROL_PLANE, 'Ready')
    const found = (await world.objects.list(Machine)).map(({ spec }) => spec?.endpoint).sort()
    const wanted = machines.map((at) => world.address(at)).sort()
    return ready?.status === 'True' && found.join() === wanted.join()
  })

/** How many members of etcd have a vote. */
export const votersOf = ({ fleet }: World): number =>
  fleet.clusters
    .flatMap(({ halves }) => halves)
    .flatMap(({ etcd }) => etcd.members)
    .filter(({ isLearner }) => !isLearner).length

/** What was done to machines since then, in words. */
export const deedsSince = ({ history }: World, since: number): string[] =>
  history
    .slice(since)
    .filter((call) => call.to === 'machine' && !call.isDryRun)
    .map((call) => wordsFor(call).replace(/^\d+\. /, ''))
