import type { Boundary, Call } from './boundary.ts'
import type { Lived } from './operator-dies.cases.ts'
import type { World } from './world.ts'

// What costs a machine something, and must not be done to it once more because somebody died or heard no answer.
const INSTALLED = 'was installed'
const DEEDS: readonly { name: string; pattern: RegExp }[] = [
  { name: INSTALLED, pattern: /^installs / },
  { name: 'has booted', pattern: /^boots / },
  // Whoever leaves sees itself removed too, so that is one time, by which way ever it goes.
  { name: 'went out of etcd', pattern: /^was removed from etcd$/ },
]

/** How often each machine has been through each of them, by its own account. */
export function deedsIn({ fleet }: World): Record<string, number> {
  const counted = fleet.machines.flatMap(({ address }) =>
    DEEDS.map(({ name, pattern }) => {
      const own = fleet.history.of(address).filter(({ what }) => pattern.test(what))
      return [`${address} ${name}`, own.length] as const
    }),
  )
  return Object.fromEntries(counted)
}

/** What was done to machines more or less often than in a life in which nothing happened. */
export function deedsOtherwise(clean: Lived, life: Lived): string[] {
  return clean.deeds.flatMap((counts, chapter) =>
    Object.entries(counts).flatMap(([name, right]) => {
      const times = life.deeds[chapter]?.[name] ?? 0
      const isExcused = life.excused[chapter]?.includes(name) ?? false
      const isRight = times === right || (times === right + 1 && isExcused)
      return isRight ? [] : [`${name} ${times} times instead of ${right}`]
    }),
  )
}

/**
 * What may have been done once more. Since v1.13 a machine installs again if nobody wrote down that it has: the answer was
 * lost, or the operator died between telling it and that. No call says what is there (ADR 38).
 */
export function excusedIn({ history, deaths }: Pick<Boundary, 'history' | 'deaths'>): string[] {
  return history.flatMap((call, at) => {
    if (call.to !== 'machine' || call.method !== 'upgrade.lifecycle') return []
    const isNoted = (before: number) => history.slice(at, before).some(isNoteOf(call.address))
    const isUnheard =
      call.outcome === 'reply lost' || deaths.some((death) => death > at && !isNoted(death))
    return isUnheard && call.outcome !== 'never made' ? [`${call.address} ${INSTALLED}`] : []
  })
}

/** What is written down of a machine while it installs, its status aside, is where that is. */
const isNoteOf = (address: string) => (call: Call) =>
  call.to === 'kubernetes' &&
  call.kind === 'talosmachines' &&
  call.name.endsWith(`-${address}`) &&
  call.status === 200
