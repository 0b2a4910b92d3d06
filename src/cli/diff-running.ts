import { MACHINE_UUID } from '#api/labels.ts'
import type { Machine } from '#api/machine.ts'
import { OperatorError } from '#base/operator-error.ts'
import { bootOf } from '#controllers/machine/look-boot.ts'
import type { Boot } from '#controllers/machine/world.ts'
import { wantedSchematic } from '#engine/installer.ts'
import { assertIs } from '#engine/machine-identity.ts'
import { keyOf } from '#kube/cache.ts'
import { ConfigError } from '#machineconfig/config-error.ts'
import type { MachineConfig } from '#machineconfig/machine-config.ts'
import { installerIn } from '#machineconfig/read/installer-in.ts'
import { readConfig } from '#machineconfig/read/read-config.ts'
import type { BoundMachine } from '#talos/machine.ts'
import { MachineError } from '#talos/outcome.ts'
import type { PoolSeen } from './diff-pool.ts'
import type { DiffPorts } from './diff-ports.ts'

/** What a machine has now. */
export type Running =
  /** `boot`: what it has booted, if it may be to get another Talos. */
  | { is: 'seen'; version: string; config: MachineConfig; boot?: Boot }
  /** Why that is not known, as a clause. */
  | { is: 'unseen'; why: string }

/** Asks a machine of a pool what it has. Whoever else answers at its address is not asked. */
export async function lookAtRunning(
  machine: Machine,
  { controlPlane, bundle }: Pick<PoolSeen, 'controlPlane' | 'bundle'>,
  { machines, credentials, signal }: DiffPorts,
): Promise<Running> {
  const uuid = machine.metadata.annotations?.[MACHINE_UUID]
  if (!controlPlane || !bundle || uuid === undefined) {
    return { is: 'unseen', why: 'the keys of its cluster are not known' }
  }
  const access = await credentials.of(bundle, keyOf(controlPlane))
  try {
    const target = { address: machine.spec?.endpoint ?? '', access }
    return await machines.machine(target).bound(async (same) => {
      await assertIs(same, uuid, signal)
      return runningOn(same, machine, signal)
    })
  } catch (error) {
    const isUnseen =
      error instanceof MachineError || error instanceof ConfigError || isNoAddress(error)
    if (isUnseen) return { is: 'unseen', why: error.message }
    throw error
  }
}

async function runningOn(
  same: BoundMachine,
  machine: Machine,
  signal: AbortSignal,
): Promise<Running> {
  const [{ version }, found] = await Promise.all([
    same.version({ signal }),
    same.state.configuration('v1alpha1', { signal }),
  ])
  if (!found) return { is: 'unseen', why: `${same.where} has no configuration` }
  const config = readConfig(found.text.open())
  if (!isToBeInstalled(machine, version)) return { is: 'seen', version, config }
  return { is: 'seen', version, config, boot: await bootOf(same, installerIn(config), signal) }
}

/** Whether another Talos than it runs may be ahead. */
function isToBeInstalled(machine: Machine, version: string): boolean {
  const wanted = wantedSchematic(machine)
  const isOther = wanted !== undefined && wanted !== machine.status?.observedSchematic
  return version !== machine.spec?.version || isOther
}

const isNoAddress = (error: unknown): error is OperatorError =>
  error instanceof OperatorError && error.code === 'ValidationError'
