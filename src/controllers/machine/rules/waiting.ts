import { BOOTSTRAP_MACHINE, CONFIG, INSTALL_DISK, MACHINE_UUID } from '#api/labels.ts'
import type { Decision, Rule } from '#controllers/machine/decision.ts'
import { recordText } from '#engine/config-record.ts'
import { no } from '#runtime/plan.ts'

/** It ran etcd for this cluster. Given its configuration again, it would wait for a bootstrap, or worse, get one. */
export const wiped: Rule = (_machine, { seen, parent }) => {
  if (seen.is !== 'waiting' || parent.is !== 'there') return undefined
  if (parent.controlPlane.metadata.annotations?.[BOOTSTRAP_MACHINE] !== seen.uuid) return undefined
  return {
    state: 'Pending',
    ready: no(
      'MachineWasReset',
      'this machine began the cluster’s etcd, and now waits for a configuration: somebody reset it. It is left alone, because what it knew is lost. Replace it, or restore the cluster from a backup',
    ),
    pace: 'later',
  }
}

/**
 * A machine in maintenance mode becomes ours in two passes: first it is written down whose it is, then it
 * is given its configuration. Whatever is lost in between, it is the same machine that is asked again.
 */
export const claim: Rule = (machine, { seen, disk, wanted }) => {
  if (seen.is !== 'waiting' || wanted.is !== 'known') return undefined
  const { annotations = {} } = machine.metadata
  const config = { origin: wanted.origin, config: wanted.fingerprint }
  const isDiskKept = disk.is !== 'picked' || annotations[INSTALL_DISK] === disk.path
  const isNoted = annotations[CONFIG] === recordText(config)
  if (annotations[MACHINE_UUID] === seen.uuid && isDiskKept && isNoted) return undefined
  return {
    steps: [
      { do: 'claim', uuid: seen.uuid, ...(disk.is === 'picked' && { disk: disk.path }), config },
    ],
    ...PENDING,
  }
}

const OLD_VIEW = no(
  'WaitingForView',
  'this object was changed, and the operator does not see that yet: no machine is configured before it does',
)

export const configure: Rule = (_machine, { seen, wanted, hasTakenConfig, isOld }) => {
  if (seen.is !== 'waiting' || wanted.is !== 'known') return undefined
  if (isOld) return { state: 'Pending', ready: OLD_VIEW, pace: 'soon' }
  return {
    steps: hasTakenConfig ? [] : [{ do: 'configure', uuid: seen.uuid, config: wanted.fingerprint }],
    state: 'Installing',
    ready: no('Installing', 'the machine is given its configuration, and installs itself'),
    pace: 'soon',
  }
}

const PENDING: Decision = {
  state: 'Pending',
  ready: no('InMaintenance', 'the machine waits for its configuration'),
  pace: 'soon',
}
