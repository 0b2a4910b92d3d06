import type { Machine } from '#api/machine.ts'
import type { Decision, Rule } from '#controllers/machine/decision.ts'
import type { World } from '#controllers/machine/world.ts'
import { lastTried, triedWith } from '#engine/config-record.ts'
import { upgradeRecord } from '#engine/upgrade-record.ts'
import { applyConfig, isToBeChanged, rejected, standingOf, waitsForTurn } from './configuration.ts'
import {
  componentNotReady,
  kubeletHeldBack,
  kubernetesOlder,
  pullKubernetes,
  UP_WITHIN_MS,
} from './kubernetes.ts'
import { isUp, whereItIs } from './member.ts'
import { bootConfig, goesDown, noteConfig, triedInVain } from './tries.ts'
import { isInstalling, whatFor } from './upgrade-aim.ts'

// A machine that is not up may be so because of its configuration, and come up by the next one. All else that is done to
// machines waits until it is up.

/** It is not up, and what it says keeps its turn: what is wrong with it is to be wrong with no other one. */
const keepingTurn =
  (rule: Rule): Rule =>
  (machine, world, now) => {
    const decision = rule(machine, world, now)
    return decision && { ...decision, steps: [] }
  }

/** The same as of those that are up, in the same order. */
const MENDING: readonly Rule[] = [
  bootConfig,
  noteConfig,
  goesDown,
  keepingTurn(rejected),
  keepingTurn(kubernetesOlder),
  waitsForTurn,
  triedInVain,
  pullKubernetes,
  applyConfig,
  kubeletHeldBack,
]

/** One that is not up is given what the spec asks for, because that may be what mends it. */
export const mended: Rule = (machine, world, now) => {
  if (!isMendable(machine, world, now)) return undefined
  for (const rule of MENDING) {
    const decision = rule(machine, world, now)
    if (decision) return { ...decision, state: 'Installing' }
  }
  return undefined
}

// One that is on its way somewhere else would not take it, or lose it.
const STAGES: readonly string[] = ['booting', 'running']

function isMendable(machine: Machine, world: World, now: Date): boolean {
  const { seen } = world
  if (seen.is !== 'member' || isUp(seen) || !STAGES.includes(seen.stage)) return false
  if (isComingBack(machine, world, now)) return false
  // With another Talos comes another configuration, too. Whether it may have that is asked when it is up, and before it.
  if (whatFor(machine, world) !== undefined) return false
  return standingOf(machine, world) === 'same' || isToBeChanged(machine, world)
}

// Firmware of large machines takes minutes. One that is rebooted while it boots another Talos falls back to the one before.
const BACK_WITHIN_MS = 15 * 60_000

/** Whether it was told to boot, or to install, a while ago, and may still come up by itself. */
function isComingBack(machine: Machine, { seen, long }: World, now: Date): boolean {
  const [record, tried] = [upgradeRecord(machine), lastTried(machine)]
  const isWithin = (at: Date, ms: number) => now.getTime() - at.getTime() < ms
  if (isInstalling(long) || (record && isWithin(record.at, BACK_WITHIN_MS))) return true
  const boot = seen.is === 'member' ? seen.boot?.id : undefined
  return tried?.mode === 'reboot' && tried.boot !== boot && isWithin(tried.at, UP_WITHIN_MS)
}

/** One that was given its configuration in its turn, and does not come up with it. */
export const notUpInTime: Rule = (machine, world, now): Decision | undefined => {
  const { turn, seen, wanted } = world
  if (turn === undefined || seen.is !== 'member' || isUp(seen)) return undefined
  if (wanted.is !== 'known' || seen.fingerprint !== wanted.fingerprint) return undefined
  const tried = triedWith(machine, wanted.fingerprint)
  // Another Talos is judged by itself.
  if (!tried || tried.times === 0 || upgradeRecord(machine)) return undefined
  const withinMs = tried.mode === 'reboot' ? BACK_WITHIN_MS : UP_WITHIN_MS
  if (now.getTime() - tried.at.getTime() < withinMs) return undefined
  const kubelet = seen.isKubeletWell ? '' : 'its kubelet is not well, and '
  return {
    ...componentNotReady(machine, `${kubelet}it is still ${whereItIs(seen)}`),
    state: 'Installing',
  }
}
