import type { Machine } from '#api/machine.ts'
import { ConfigError } from '#machineconfig/config-error.ts'
import type { Reader } from '#runtime/reader.ts'
import { configRecord } from './config-record.ts'
import { type Belonging, originOf } from './machine-origin.ts'
import { isReadyNow } from './pool-machines.ts'
import { kubernetesFor, type MachineOrigin, wantedRecord } from './wanted-config.ts'

/**
 * The machines of a pool that say that they are ready, and were not looked at since the pool is to have other kubelets. Their own
 * specs do not have that version, so nothing else tells. One whose kubelet a patch holds has been given what is wanted of it.
 */
export async function kubeletsUnasked(
  machines: readonly Machine[],
  belonging: Belonging,
  read: Pick<Reader, 'fetch'>,
): Promise<Machine[]> {
  const { base: wanted } = kubernetesFor(belonging)
  // To know what a machine is to have takes milliseconds: it is asked only of those that have another kubelet.
  const unlike = machines.filter(
    (machine) => isReadyNow(machine) && ![undefined, wanted].includes(kubeletOf(machine)),
  )
  const origins = await Promise.all(unlike.map((machine) => originOf(machine, belonging, read)))
  return origins.filter(isEdited).map(({ machine }) => machine)
}

const kubeletOf = ({ status }: Machine): string | undefined => status?.kubernetes?.kubelet

/** Whether it was given something else. Of one that nobody here configured that is not known. */
function isEdited(origin: MachineOrigin): boolean {
  const given = configRecord(origin.machine)
  try {
    return given !== undefined && given.origin !== wantedRecord(origin).origin
  } catch (error) {
    // Its machine says what is wrong with it.
    if (error instanceof ConfigError) return false
    throw error
  }
}
