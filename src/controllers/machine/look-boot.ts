import type { Secret } from '#base/secret.ts'
import { orNothing } from '#engine/machine-identity.ts'
import { ConfigError } from '#machineconfig/config-error.ts'
import { readConfig } from '#machineconfig/read/read-config.ts'
import { ConfigPlace } from '#machineconfig/secrets/config-place.ts'
import type { BoundMachine } from '#talos/machine.ts'
import type { Boot } from './world.ts'

/** What a machine has booted, as it says itself. */
export async function bootOf(
  machine: BoundMachine,
  config: Secret<string> | undefined,
  signal: AbortSignal,
): Promise<Boot> {
  const options = { signal }
  const [id, schematic, extensions] = await Promise.all([
    machine.bootId(options),
    orNothing(machine.state.schematic(options)),
    orNothing(machine.state.extensions(options)),
  ])
  return {
    ...{ id, schematic },
    extensions: (extensions ?? []).map(({ name }) => name).sort(),
    installer: config && installerIn(config),
  }
}

function installerIn(config: Secret<string>): string | undefined {
  try {
    const { legacy } = readConfig(config.open())
    return new ConfigPlace(legacy?.fields).text('machine', 'install', 'image') || undefined
  } catch (error) {
    if (error instanceof ConfigError) return undefined
    throw error
  }
}
