import { orNothing } from '#engine/machine-identity.ts'
import type { BoundMachine } from '#talos/machine.ts'
import type { Boot } from './world.ts'

/** What a machine has booted, as it says itself, and what its configuration names to install it by. */
export async function bootOf(
  machine: BoundMachine,
  installer: string | undefined,
  signal: AbortSignal,
): Promise<Boot> {
  const options = { signal }
  const [id, schematic, extensions] = await Promise.all([
    machine.bootId(options),
    orNothing(machine.state.schematic(options)),
    orNothing(machine.state.extensions(options)),
  ])
  return {
    ...{ id, schematic, installer },
    extensions: (extensions ?? []).map(({ name }) => name).sort(),
  }
}
