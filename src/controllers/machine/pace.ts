import type { Machine } from '#api/machine.ts'
import { lastTried } from '#engine/config-record.ts'
import { upgradeRecord } from '#engine/upgrade-record.ts'
import type { Pace } from './decision.ts'
import { isControlPlane } from './world.ts'

const SECOND = 1_000

interface Around {
  now: Date
  /** How many machines are as this one: those that answer, or those that do not. */
  alike: number
}

/**
 * When to look at a machine again though nothing wakes us: often while it is on its way, rarely when it
 * has been so for long, and never at the same moment as all the others.
 */
export function wakeAt(machine: Machine, pace: Pace, { now, alike }: Around): Date {
  switch (pace) {
    case 'soon':
      return soon(machine, now)
    case 'later':
      return later(machine, now, { slowestMs: 120 * SECOND })
    case 'silent':
      return silent(machine, now, alike)
    case 'settled':
      return settled(machine, now, alike)
  }
}

/** Something is under way. */
export const soon = (machine: Machine, now: Date): Date =>
  later(machine, now, { slowestMs: 30 * SECOND })

// What has been so for ten minutes will not be otherwise within the next second.
function later(machine: Machine, now: Date, { slowestMs }: { slowestMs: number }): Date {
  const ms = Math.min(slowestMs, Math.max(SECOND, ageOf(machine, now) / 10))
  return new Date(now.getTime() + ms * (0.8 + 0.4 * placeOf(machine)))
}

// One that is tried is waited for, for seconds. So of those that are off one is tried a second, all together.
const EACH_SILENT_MS = SECOND
const FIRST_TRIES_MS = 15 * SECOND

function silent(machine: Machine, now: Date, alike: number): Date {
  const age = ageOf(machine, now)
  if (age < FIRST_TRIES_MS) return new Date(now.getTime() + Math.max(5 * SECOND, age))
  const everyMs = Math.max(Math.min(age, 90 * SECOND), alike * EACH_SILENT_MS)
  return beat(machine, now, everyMs)
}

// A look at a machine takes 16 ms of our CPU and some of its own. What can be seen of its node wakes us anyhow; what
// only the machine knows may take longer to be noticed where there are many, and less so where it is of etcd.
const EACH_SETTLED_MS = { controlPlane: 0.7 * SECOND, worker: 1.5 * SECOND }

function settled(machine: Machine, now: Date, alike: number): Date {
  const eachMs = isControlPlane(machine) ? EACH_SETTLED_MS.controlPlane : EACH_SETTLED_MS.worker
  return beat(machine, now, Math.max(300 * SECOND, alike * eachMs))
}

// Nobody is looked at who has just been.
const REST_MS = 30 * SECOND

// A look that is alone finds neither code nor data at hand, and takes longer than one among others. So those whose time
// is nearly the same have the same: of a thousand machines about a dozen.
const TOGETHER_PART = 1 / 30
const TOGETHER_MS = 15 * SECOND

/** The next time that is the machine's own: all of them are spread over it evenly, whenever they were last looked at. */
function beat(machine: Machine, now: Date, everyMs: number): Date {
  const soonest = now.getTime() + Math.min(REST_MS, everyMs / 4)
  const own = placeOf(machine) * everyMs
  const at = Math.ceil((soonest - own) / everyMs) * everyMs + own
  const together = Math.min(everyMs * TOGETHER_PART, TOGETHER_MS)
  return new Date(Math.ceil(at / together) * together)
}

/** For how long its conditions have been what they are, and it was told to do nothing. */
function ageOf(machine: Machine, now: Date): number {
  const changes = (machine.status?.conditions ?? []).map(({ lastTransitionTime }) =>
    Date.parse(lastTransitionTime),
  )
  // One that waited for its turn for long has not been ready for long, and is on its way only since then.
  const deeds = [upgradeRecord(machine)?.at, lastTried(machine)?.at].map((at) => at?.getTime() ?? 0)
  const last = Math.max(...changes.filter((at) => !Number.isNaN(at)), ...deeds)
  return last === 0 ? 0 : Math.max(0, now.getTime() - last)
}

/** From 0 to 1, always the same for one machine. */
function placeOf({ metadata }: Machine): number {
  let hash = 0x811c_9dc5
  for (const sign of metadata.uid ?? metadata.name) {
    hash = Math.imul(hash ^ (sign.codePointAt(0) ?? 0), 0x0100_0193)
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85eb_ca6b)
  return (hash >>> 0) / 0x1_0000_0000
}
