import { MACHINE_UUID } from '#api/labels.ts'
import type { Machine } from '#api/machine.ts'
import type { Decision, Rule } from '#controllers/machine/decision.ts'
import { wasConfiguredBefore } from '#controllers/machine/published-config.ts'
import { isMeant, type Seen } from '#controllers/machine/world.ts'
import { lastTried } from '#engine/config-record.ts'
import { installsBeside } from '#engine/installer.ts'
import { isClaimed } from '#engine/pool-machines.ts'
import { ownTurn } from '#engine/turns.ts'
import { isOfTurn, upgradeRecord } from '#engine/upgrade-record.ts'
import { no, unknown, type Verdict } from '#runtime/plan.ts'
import { openTry } from './tries.ts'

/** Whether it answers at all. Nothing else is known of a machine that does not. */
export const silent: Rule = (machine, { seen, wanted }, now) => {
  if (seen.is === 'unasked') {
    const why = wanted.is === 'waiting' ? wanted.message : 'the keys of its cluster are not known'
    return {
      reachable: unknown('NotAsked', `the machine was not asked: ${why}`),
      ready: no('NotAsked', `the machine was not asked: ${why}`),
      pace: 'soon',
    }
  }
  if (seen.is !== 'silent') return undefined
  // While it installs or boots it is not there for a while, and nobody has to be alarmed.
  const { state = '' } = machine.status ?? {}
  const isOnItsWay = ['Installing', 'Booting', 'Upgrading'].includes(state)
  const what = overdue(machine, now)
  if (what !== undefined) return notBack(machine, { what, why: seen.message })
  // It takes that back by itself in time, and why is known only to whoever looked meanwhile.
  const tried = openTry(machine, now)
  return {
    steps: tried && !tried.isCutOff ? [{ do: 'noteCutOff', config: tried.config }] : [],
    ...unreached('Unreachable', seen.message),
    pace: isOnItsWay || tried ? 'soon' : 'silent',
  }
}

// Firmware of large machines takes minutes, and a disk that is checked longer.
const BACK_AFTER_MS = 15 * 60_000

/** What it was told in its turn, and should have been back from by now; undefined if it may still be away, or was told nothing. */
function overdue(machine: Machine, now: Date): string | undefined {
  const tried = lastTried(machine)
  const rebooted = tried?.mode === 'reboot' ? { what: 'reboot', at: tried.at } : undefined
  const told = toldInTurn(machine) ?? rebooted
  const isLong = told && now.getTime() - told.at.getTime() >= BACK_AFTER_MS
  return ownTurn(machine) !== undefined && isLong ? told.what : undefined
}

/** What a machine that is upgraded was told last. One that has only installed was told nothing that it is away for. */
function toldInTurn(machine: Machine): { what: string; at: Date } | undefined {
  const record = upgradeRecord(machine)
  if (!record || !isOfTurn(record, ownTurn(machine))) return undefined
  const { phase, image, from, at } = record
  switch (phase) {
    case 'installing':
      return { what: installsBeside(from) ? `install ${image}` : `upgrade itself to ${image}`, at }
    case 'installed':
      return undefined
    case 'restarting':
      return { what: 'reboot', at }
  }
}

const notBack = ({ spec }: Machine, { what, why }: { what: string; why: string }): Decision => ({
  ...unreached(
    'MachineNotBack',
    `the machine at ${spec?.endpoint} was told to ${what}, and does not answer since: ${why}. No other machine is changed before it does. Look at its console, and switch it off and on; to go on without it, take it out of the spec`,
  ),
  pace: 'silent',
})

/** Whether it is one that we may speak to. */
export const stranger: Rule = (machine, { seen, holder }) => {
  if (seen.is !== 'stranger') return undefined
  const way = wayOn(machine, holder)
  return { ...refusalOf(seen, machine.spec?.endpoint ?? '', way), pace: 'later' }
}

/** What to do about a machine that has a configuration which is not of this cluster. */
function wayOn(machine: Machine, holder: string | undefined): string {
  // Whoever is there for somebody is not to be wiped for somebody else.
  if (holder !== undefined) {
    return `: TalosMachine ${holder} has a machine at this address. Take the machine out of one of the two, or correct the address`
  }
  // Its keys may be where that operator kept them, and are taken over by its control plane.
  if (wasConfiguredBefore(machine) && !isClaimed(machine)) {
    return ' as far as its keys are known. An older operator has configured it: do not wipe it. Let its control plane take the keys over first, as docs/guides/upgrading-the-operator.md says, or correct the address'
  }
  return '. Wipe it with `talosctl reset` if nobody needs what is on it, import its cluster as docs/guides/importing.md says, or correct the address'
}

/** Addresses move, machines stay who they are. */
export const anotherMachine: Rule = ({ metadata, spec }, { seen }) => {
  const claimed = metadata.annotations?.[MACHINE_UUID]
  if (!claimed || !('uuid' in seen) || seen.uuid === claimed) return undefined
  return {
    ...unreached(
      'AnotherMachine',
      `the machine at ${spec?.endpoint} is ${seen.uuid}, and not ${claimed}, which this object stands for: nothing is done to it. Correct the address, or delete this object to let the machine go`,
    ),
    pace: 'later',
  }
}

/** Keys go to nobody whom the user does not mean, and one that has them is changed no more. */
export const notTheOneMeant: Rule = (machine, { seen }) => {
  if (!('uuid' in seen) || isMeant(machine, seen.uuid)) return undefined
  const { metadata, spec } = machine
  const why = `the machine at ${spec?.endpoint} is ${seen.uuid}, and the spec says uuid ${spec?.uuid}: nothing is done to it. Correct the address or the uuid`
  const isOurs = metadata.annotations?.[MACHINE_UUID] === seen.uuid
  // One that was ours before answers all the same: its etcd is none that is lost.
  return {
    ...(isOurs ? { ready: no('AnotherMachine', why) } : unreached('AnotherMachine', why)),
    pace: 'later',
  }
}

function refusalOf(
  { mismatch, message }: Extract<Seen, { is: 'stranger' }>,
  address: string,
  way: string,
) {
  switch (mismatch) {
    case 'not-in-maintenance':
    case 'another-cluster':
      return unreached(
        'NotInMaintenance',
        `the machine at ${address} already has a configuration that is not of this cluster, and is left alone${way}`,
      )
    case 'another-address':
      return unreached(
        'AnotherAddress',
        `the machine at ${address} is of this cluster, and its certificate is for other addresses: it is left alone. Correct the address`,
      )
    default:
      return unreached('IdentityUnknown', message)
  }
}

const unreached = (reason: string, message: string): Pick<Decision, 'ready' | 'reachable'> => {
  const verdict: Verdict = no(reason, message)
  return { ready: verdict, reachable: verdict }
}
