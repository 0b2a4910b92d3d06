import { MACHINE_UUID } from '#api/labels.ts'
import type { Machine } from '#api/machine.ts'
import { OperatorError } from '#base/operator-error.ts'
import { assertIs } from '#engine/machine-identity.ts'
import { keyOf } from '#kube/cache.ts'
import { ConfigError } from '#machineconfig/config-error.ts'
import type { MachineConfig } from '#machineconfig/machine-config.ts'
import { readConfig } from '#machineconfig/read/read-config.ts'
import type { BoundMachine } from '#talos/machine.ts'
import { MachineError } from '#talos/outcome.ts'
import type { PoolSeen } from './diff-pool.ts'
import type { DiffPorts } from './diff-ports.ts'

/** What a machine has now. */
export type Running =
  | { is: 'seen'; version: string; config: MachineConfig }
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
      return runningOn(same, signal)
    })
  } catch (error) {
    const isUnseen =
      error instanceof MachineError || error instanceof ConfigError || isNoAddress(error)
    if (isUnseen) return { is: 'unseen', why: error.message }
    throw error
  }
}

async function runningOn(machine: BoundMachine, signal: AbortSignal): Promise<Running> {
  const [{ version }, found] = await Promise.all([
    machine.version({ signal }),
    machine.state.configuration('v1alpha1', { signal }),
  ])
  if (!found) return { is: 'unseen', why: `${machine.where} has no configuration` }
  return { is: 'seen', version, config: readConfig(found.text.open()) }
}

const isNoAddress = (error: unknown): error is OperatorError =>
  error instanceof OperatorError && error.code === 'ValidationError'
