import type { Lived } from './operator-dies.cases.ts'
import type { World } from './world.ts'

// What costs a machine something, and must not be done to it once more because somebody died or heard no answer.
const INSTALLED = 'was installed'
const DEEDS: readonly { name: string; pattern: RegExp }[] = [
  { name: INSTALLED, pattern: /^installs / },
  { name: 'has booted', pattern: /^boots / },
  { name: 'went out of etcd', pattern: /^(leaves etcd|was removed from etcd)$/ },
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
  return clean.deeds.flatMap((counts, chapter) => {
    const excused = installedUnheard(life, chapter)
    return Object.entries(counts).flatMap(([name, right]) => {
      const times = life.deeds[chapter]?.[name] ?? 0
      const isRight = times === right || (times === right + 1 && excused.has(name))
      return isRight ? [] : [`${name} ${times} times instead of ${right}`]
    })
  })
}

/**
 * Since v1.13 a machine installs once more if nobody wrote down that it has: the answer was lost, or the operator died from
 * telling it until that. No call says what is there (ADR 38).
 */
function installedUnheard({ fate, points }: Lived, chapter: number): ReadonlySet<string> {
  const addresses = fate.slice(0, chapter + 1).flatMap((one, at) => {
    const calls = points[at] ?? []
    const last = one ? calls.indexOf(one.at) : -1
    if (!one || last < 0) return []
    if (one.how === 'reply lost') return calls.slice(last, last + 1).flatMap(toldToInstall)
    const made = calls.slice(0, one.how === 'killed before' ? last : last + 1)
    return made.flatMap((call, told) =>
      toldToInstall(call).filter((address) => !made.slice(told).some(isNoteOf(address))),
    )
  })
  return new Set(addresses.map((address) => `${address} ${INSTALLED}`))
}

const toldToInstall = (call: string): string[] =>
  [...call.matchAll(/^upgrade\.lifecycle (\S+) /g)].flatMap(([, address]) => address ?? [])

/** What is written down of a machine while it installs, its status aside, is where that is. */
const isNoteOf = (address: string) => (call: string) =>
  /^PATCH talosmachines\/[^/]+$/.test(call) && call.includes(`-${address} #`)
