import { changesText } from '#machineconfig/diff/diff-configs.ts'
import { isOfNetwork } from '#machineconfig/diff/network-places.ts'
import type { ChangedMachine, MachineDiff, RemovedMachine } from './diff-report.ts'

/** What is done to a machine, as it goes on after its name. */
export function deedOn(machine: MachineDiff): string {
  switch (machine.do) {
    case 'add':
      return `is added as a ${machine.role}${machine.address === undefined ? WHEN_PLACED : ''}: Talos ${machine.version} is installed on ${machine.disk}`
    case 'change':
      return changing(machine)
    case 'remove':
      return `is removed: ${fateOf(machine)}`
  }
}

const WHEN_PLACED = ', as soon as its provider has given it an address'

function changing({ effort, upgrade }: ChangedMachine): string {
  switch (effort) {
    case 'install':
      return 'is not installed yet, and will be with another configuration'
    case 'live':
      return 'is changed as it runs'
    case 'reboot':
      return 'is changed, and reboots'
    case 'upgrade':
      return upgrade?.schematic === undefined
        ? `gets Talos ${upgrade?.to} instead of ${upgrade?.from}, and reboots`
        : `gets Talos ${upgrade.to} of the schematic ${upgrade.schematic}, and reboots`
  }
}

function fateOf({ fate, isMember, isAnswering }: RemovedMachine): string {
  if (fate === 'never configured') return 'it was never configured, so only its object goes'
  if (fate === 'kept') {
    const member = isMember ? ', and stays a member of etcd' : ''
    return `deletionPolicy is preserve, so the machine runs on as it is${member}`
  }
  if (isAnswering) {
    const member = isMember ? 'it leaves etcd, ' : ''
    return `its node is drained, ${member}the machine is wiped, its node is deleted`
  }
  const member = isMember ? 'its member is taken out of etcd through another machine, ' : ''
  return `it does not answer, so ${member}its node is deleted, and the machine is wiped when it answers again`
}

/** The changes of a machine, after what is to be known of them. `shown`: of which machine the same were shown before. */
export function changesOn(machine: ChangedMachine, shown: Map<string, string>): string {
  const text = changesText(machine.changes)
  const first = text === '' ? undefined : shown.get(text)
  shown.set(text, first ?? machine.name)
  return [...remarksOn(machine), first ? `the same changes as of ${first}` : text].join('\n')
}

function remarksOn({ changes, effort, unseen, isMetaWritten }: ChangedMachine): string[] {
  const placesOf = (wanted: string) =>
    changes
      .filter((change) => change.effort === wanted)
      .map(({ path, document }) => path || document)
      .join(', ')
  const [reboots, installs] = [placesOf('reboot'), placesOf('install')]
  const isLater = installs !== '' && (effort === 'live' || effort === 'reboot')
  return [
    ...(unseen === undefined ? [] : [`${COMPARED}: ${unseen}`]),
    ...(effort === 'reboot' ? [`the reboot is for ${reboots}`] : []),
    ...(effort === 'live' && changes.some(isOfNetwork) ? [TRIED] : []),
    ...(isLater ? [`in force with the next installation or upgrade: ${installs}`] : []),
    ...(isMetaWritten ? ['its network settings are written to META'] : []),
  ]
}

const TRIED =
  'it is given for a try, because it is of the network: unless the machine is reached with it, it goes back to what it had'

const COMPARED =
  'it did not say what it has, so this is compared with what the objects that are there ask for'
