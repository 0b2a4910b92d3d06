import type { Happening } from '#simulator/fleet/history.ts'

// What each machine goes through once when its cluster is made, in the words of the simulator, and what never.
const COUNTED = {
  installed: /^installs /,
  begun: /^bootstraps etcd$/,
  reset: /^is told to reset/,
}

type Deed = keyof typeof COUNTED
export type Counts = Record<Deed, number>

const NONE: Counts = { installed: 0, begun: 0, reset: 0 }

/** Counts what machines go through, out of a history that forgets. */
export class Deeds {
  readonly #counts = new Map<string, Counts>()
  #last: Happening | undefined

  /** What has happened by now; as long as it is told often enough, nothing is counted twice or missed. */
  note(happenings: readonly Happening[]): void {
    const seen = this.#last ? happenings.lastIndexOf(this.#last) : -1
    for (const happening of happenings.slice(seen + 1)) this.#count(happening)
    this.#last = happenings.at(-1)
  }

  /** By the address of the machine. */
  get counts(): Record<string, Counts> {
    return Object.fromEntries(this.#counts)
  }

  #count({ machine, what }: Happening): void {
    const counts = this.#counts.get(machine) ?? { ...NONE }
    for (const [deed, pattern] of Object.entries(COUNTED)) {
      if (isDeed(deed) && pattern.test(what)) counts[deed]++
    }
    this.#counts.set(machine, counts)
  }
}

const isDeed = (name: string): name is Deed => name in COUNTED

/** What was done otherwise than once in clusters that were made, and never unmade; a sentence each. */
export function deedsOtherwise(
  clusters: readonly { name: string; addresses: readonly string[] }[],
  counts: Record<string, Counts>,
): string[] {
  const of = (address: string) => counts[address] ?? NONE
  return clusters.flatMap(({ name, addresses }) => {
    const begun = addresses.reduce((sum, address) => sum + of(address).begun, 0)
    const machines = addresses.flatMap((address) => {
      const { installed, reset } = of(address)
      return [
        ...(installed === 1 ? [] : [`${address} was installed ${installed} times`]),
        ...(reset === 0 ? [] : [`${address} was reset ${reset} times`]),
      ]
    })
    return [...(begun === 1 ? [] : [`${name} was begun ${begun} times`]), ...machines]
  })
}
