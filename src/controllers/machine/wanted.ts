import { INSTALL_DISK } from '#api/labels.ts'
import type { Machine } from '#api/machine.ts'
import { type DiskProblem, diskProblem, pickDisk } from '#engine/install-disk.ts'
import { metaNetwork } from '#engine/meta-network.ts'
import { type MachineOrigin, wantedConfig, wantedRecord } from '#engine/wanted-config.ts'
import { ConfigError } from '#machineconfig/config-error.ts'
import type { MachineConfig } from '#machineconfig/machine-config.ts'
import type { SecretsBundle } from '#machineconfig/secrets/bundle.ts'
import type { InstallDisk, Parent, Seen, Wanted } from './world.ts'

interface From {
  machine: Machine
  parent: Extract<Parent, { is: 'there' }>
  bundle: SecretsBundle | undefined
  seen: Seen
  configText: ConfigText
  writesMeta: boolean
}

/** What `configRef` leads to. */
export type ConfigText =
  | { is: 'unasked' }
  | { is: 'there'; text: string }
  | { is: 'missing'; message: string }

interface WantedAndDisk {
  wanted: Wanted
  disk: InstallDisk
  /** Makes it: most passes only compare. */
  config?: () => MachineConfig
}

/** What a machine's configuration is to be, and where Talos is to be installed. */
export function wantedOf(from: From): WantedAndDisk {
  const { bundle, configText, parent } = from
  const settled: InstallDisk = { is: 'settled' }
  if (!bundle) {
    const { name } = parent.controlPlane.metadata
    const message = `the control plane ${name} has no secrets yet`
    return { wanted: { is: 'waiting', reason: 'WaitingForSecrets', message }, disk: settled }
  }
  if (configText.is === 'missing') {
    const { message } = configText
    return { wanted: { is: 'wrong', reason: 'ConfigRefMissing', message }, disk: settled }
  }
  const origin = originOf(from, bundle)
  const disk = diskOf(from, origin)
  if ('problem' in disk) return { wanted: { is: 'wrong', ...disk.problem }, disk: settled }
  const made = configFor(
    from,
    disk.is === 'picked' ? { ...origin, installDisk: disk.path } : origin,
  )
  const isDiskLost = made.wanted.is === 'wrong' && needsDisk(from, origin)
  return { ...(isDiskLost ? { wanted: diskLost(from) } : made), disk }
}

/** Whether the configuration would be right if only it were known where Talos is. */
const needsDisk = (from: From, origin: MachineOrigin): boolean =>
  origin.installDisk === undefined &&
  'config' in configFor(from, { ...origin, installDisk: '/dev/any' })

/** It was picked by us, so only the annotation says which it was. */
const diskLost = ({ parent }: From): Wanted => ({
  ...{ is: 'wrong', reason: 'InstallDiskUnknown' },
  message: `it is not known any more which disk Talos is installed on: the annotation ${INSTALL_DISK} is gone from this object. Put it back, or set installDisk of this machine in the spec of ${wordsFor(parent)} (spec.machineSpec.installDisk of this object)`,
})

const wordsFor = ({ controlPlane, worker }: From['parent']): string =>
  worker ? `TalosWorker ${worker.metadata.name}` : `TalosControlPlane ${controlPlane.metadata.name}`

function originOf({ machine, parent, configText }: From, bundle: SecretsBundle): MachineOrigin {
  const kept = machine.metadata.annotations?.[INSTALL_DISK]
  return {
    ...{ controlPlane: parent.controlPlane, machine, bundle },
    ...(parent.worker && { worker: parent.worker }),
    ...(configText.is === 'there' && { configText: configText.text }),
    ...(kept !== undefined && { installDisk: kept }),
  }
}

/** Looked for only while the machine waits; what was picked before stays, or else it would be another machine's. */
function diskOf(
  { machine, parent, seen, configText }: From,
  origin: MachineOrigin,
): InstallDisk | { problem: DiskProblem } {
  if (seen.is !== 'waiting' || configText.is === 'there') return { is: 'settled' }
  const asked = machine.spec?.machineSpec?.installDisk ?? origin.installDisk
  if (asked !== undefined) {
    const problem = diskProblem(asked, seen.disks)
    return problem ? { problem } : { is: 'settled' }
  }
  // With a disk selector among its patches it is complete as it is.
  if ('config' in configFor({ machine, parent, writesMeta: false }, origin))
    return { is: 'settled' }
  const picked = pickDisk(seen.disks)
  return 'path' in picked ? { is: 'picked', path: picked.path } : picked
}

function configFor(
  { machine, parent, writesMeta }: Pick<From, 'machine' | 'parent' | 'writesMeta'>,
  origin: MachineOrigin,
): Pick<WantedAndDisk, 'wanted' | 'config'> {
  const meta = writesMeta ? machine.spec?.machineSpec?.meta : undefined
  const network = meta && metaNetwork(meta, machine.spec?.endpoint ?? '')
  if (network && 'problem' in network) return { wanted: { is: 'wrong', ...network.problem } }
  try {
    const { config: fingerprint, origin: from } = wantedRecord(origin)
    return {
      wanted: { is: 'known', fingerprint, origin: from, metaText: network?.value },
      config: () => wantedConfig(origin),
    }
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    const what = error.message.replaceAll(/\s*\n\s*/g, ' ')
    const message = `${what}. Correct what the spec of ${wordsFor(parent)}, or a patch in it, says of this`
    return { wanted: { is: 'wrong', reason: 'ConfigInvalid', message } }
  }
}
