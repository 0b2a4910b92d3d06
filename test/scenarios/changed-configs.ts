import { CONFIG, TURNS } from '#api/labels.ts'
import { Machine } from '#api/machine.ts'
import type { ApiKind } from '#api/meta.ts'
import { conditionOf } from './verdicts.ts'
import type { World } from './world.ts'

/** The same object, with one patch more for the configurations of its machines. */
export function withPatch<Manifest extends { spec: object }>(manifest: Manifest, patch: object) {
  const { metalSpec } = Object(manifest.spec)
  const { configPatches = [], ...machineSpec } = metalSpec?.machineSpec ?? {}
  return {
    ...manifest,
    spec: {
      ...manifest.spec,
      metalSpec: {
        ...metalSpec,
        machineSpec: { ...machineSpec, configPatches: [...configPatches, patch] },
      },
    },
  }
}

/** Until all of these are Ready, of the spec that they have now, and nobody has a turn. */
export const untilAsWanted = (
  world: World,
  ...all: readonly (readonly [ApiKind, string])[]
): Promise<void> =>
  world.until(`${all.map(([, name]) => name).join(', ')} to be as wanted`, async () => {
    // Whoever has not seen the edit yet is Ready, too: all machines have to be what was last said of them.
    const machines = await world.objects.list(Machine)
    const areNoted = machines.every(({ metadata }) => metadata.annotations?.[CONFIG] !== undefined)
    const parents = await Promise.all(
      all.map(async ([kind, name]) => {
        const { metadata, status } = Object(await world.objects.find(kind, name))
        const isFree = !metadata?.annotations?.[TURNS]?.includes('/')
        const ready = await conditionOf(world, [kind, name], 'Ready')
        return (
          isFree && ready?.status === 'True' && status.observedGeneration === metadata.generation
        )
      }),
    )
    const areReady = await Promise.all(
      machines.map(async ({ metadata, status }) => {
        const ready = await conditionOf(world, [Machine, metadata.name], 'Ready')
        return ready?.status === 'True' && status?.observedGeneration === metadata.generation
      }),
    )
    return areNoted && parents.every(Boolean) && areReady.every(Boolean)
  })
