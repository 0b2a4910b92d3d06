import { INSTALL_DISK, MACHINE_UUID } from '#api/labels.ts'
import type { Machine } from '#api/machine.ts'
import { metaNetwork } from '#engine/meta-network.ts'
import type { MachineDraft } from '#engine/pool.ts'
import { wantedConfig, wantedRecord } from '#engine/wanted-config.ts'
import { ConfigError } from '#machineconfig/config-error.ts'
import type { MachineConfig } from '#machineconfig/machine-config.ts'
import type { PoolSeen } from './diff-pool.ts'
import type { Said } from './diff-report.ts'

/** What a pool wants one of its machines to be. */
export interface Wish {
  readonly spec: MachineDraft['spec']
  readonly config: { fingerprint: string; make: () => MachineConfig } | { problem: Said }
  /** What META is to have about its network, if that is written at all. */
  readonly meta: string | undefined
}

// Which disk one gets that is not installed yet is not known, and is the same before and after.
const SOME_DISK = '/dev/sda'

/** Whether there is a machine that was given, or is about to be given, its configuration. */
export const isClaimed = ({ metadata }: Machine): boolean =>
  metadata.annotations?.[MACHINE_UUID] !== undefined

/** What a pool wants of a machine that is there; undefined if it wants no such machine. */
export function wishFor(pool: PoolSeen, machine: Machine): Wish | undefined {
  const { known, changed } = pool.plan
  if (!known.includes(machine)) return undefined
  const draft = changed.find((one) => one.machine === machine)?.draft
  const spec = draft?.spec ?? machine.spec
  const picked = machine.metadata.annotations?.[INSTALL_DISK]
  const installDisk = picked ?? (isClaimed(machine) ? undefined : SOME_DISK)
  if (!spec) return undefined
  const config = configFor(pool, { ...machine, spec }, installDisk)
  return { spec, config, meta: pool.isMetaWritten ? metaTextOf(spec) : undefined }
}

function metaTextOf({ machineSpec, endpoint }: Wish['spec']): string | undefined {
  const network = machineSpec?.meta && metaNetwork(machineSpec.meta, endpoint)
  return network && 'value' in network ? network.value : undefined
}

/** The configuration of a machine of a pool, or what is wrong with it. */
function configFor(
  { controlPlane, worker, bundle, configText }: PoolSeen,
  machine: Machine,
  installDisk: string | undefined,
): Wish['config'] {
  if (!controlPlane || !bundle) return problem('SecretsMissing', 'its cluster has no keys')
  const origin = {
    ...{ controlPlane, machine, bundle, ...(worker && { worker }) },
    ...(configText !== undefined && { configText }),
    ...(installDisk !== undefined && { installDisk }),
  }
  try {
    return { fingerprint: wantedRecord(origin).config, make: () => wantedConfig(origin) }
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return problem('ConfigInvalid', error.message.replaceAll(/\s*\n\s*/g, ' '))
  }
}

const problem = (reason: string, message: string) => ({ problem: { reason, message } })

/** Where Talos goes on a machine that is to be installed, as a clause. */
export function diskFor(pool: PoolSeen, draft: MachineDraft): string {
  const named = draft.spec.machineSpec?.installDisk
  if (named !== undefined) return named
  return 'problem' in configFor(pool, draft, undefined)
    ? 'a disk that is picked when it answers'
    : 'the disk that its configuration names'
}
