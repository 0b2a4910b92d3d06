import { INSTALL_DISK } from '#api/labels.ts'
import type { Machine } from '#api/machine.ts'
import type { Reader } from '#runtime/reader.ts'
import { configTextOf } from './config-ref.ts'
import type { MachineOrigin } from './wanted-config.ts'

/** What a machine belongs to, and has its secrets from. */
export type Belonging = Pick<MachineOrigin, 'controlPlane' | 'worker' | 'bundle'>

/** All that the configuration of a machine that is there follows from. */
export async function originOf(
  machine: Machine,
  belonging: Belonging,
  read: Pick<Reader, 'fetch'>,
): Promise<MachineOrigin> {
  const configText = await configTextOf(machine.spec, read)
  const installDisk = machine.metadata.annotations?.[INSTALL_DISK]
  return {
    ...{ ...belonging, machine },
    ...(configText !== undefined && { configText }),
    ...(installDisk !== undefined && { installDisk }),
  }
}
