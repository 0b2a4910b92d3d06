/** A call of the operator that changes something, or asks for that. */
export type Call = KubernetesCall | MachineCall

interface Numbered {
  /** The how-manieth that counts; undefined: nobody goes by what it changes (Events, Leases, dry runs). */
  readonly number: number | undefined
  /** By the clock of the world. */
  readonly at: Date
  /** What came of it, once it is known. */
  outcome: 'under way' | 'done' | 'refused' | 'never made' | 'reply lost'
}

interface KubernetesCall extends Numbered {
  readonly to: 'kubernetes'
  /** `POST`, `PATCH` … */
  readonly method: string
  /** `talosmachines`, or `talosmachines/status`. */
  readonly kind: string
  readonly name: string
}

/** With what is true of the machine just before. */
export interface MachineCall extends Numbered {
  readonly to: 'machine'
  /** `configuration.apply`, `bootstrap` … */
  readonly method: string
  readonly address: string
  readonly isDryRun: boolean
  readonly uuid: string
  readonly stage: string
  /** TalosMachines that have the machine's UUID, and whether each is being deleted. */
  readonly claims: readonly { name: string; isLeaving: boolean }[]
}

export type NewCall = Omit<KubernetesCall, keyof Numbered> | Omit<MachineCall, keyof Numbered>

/** Something that befalls the operator at one of its calls. */
export interface Interruption {
  readonly how: 'killed before' | 'killed after' | 'reply lost'
  /** The how-manieth call that counts, or the first one that is called so: `bootstrap 127.80.1.1`. */
  readonly at: number | string
}

// Nobody reads what these say to decide anything, and they come at any moment.
const UNCOUNTED = new Set(['leases', 'events'])

/** Everything that the operator changes goes through here: it is written down, and can be interrupted. */
export class Boundary {
  /** In the order in which they were made. */
  readonly history: Call[] = []
  readonly #now: () => Date
  readonly #interruptions: Interruption[] = []
  #count = 0

  constructor(now: () => Date) {
    this.#now = now
  }

  /** How many calls there were that count. */
  get count(): number {
    return this.#count
  }

  /** How many interruptions have not come about. */
  get pending(): number {
    return this.#interruptions.length
  }

  /** Each happens once. */
  interrupt(interruption: Interruption): void {
    this.#interruptions.push(interruption)
  }

  /** Writes a call down that is about to be made, with what is to befall it. */
  enter(call: NewCall): { call: Call; interruption: Interruption['how'] | undefined } {
    const number = isCounted(call) ? ++this.#count : undefined
    const entered = { ...call, number, at: this.#now(), outcome: 'under way' } satisfies Call
    this.history.push(entered)
    const isMeant = ({ at }: Interruption) => at === number || at === nameOf(call)
    const found = number === undefined ? -1 : this.#interruptions.findIndex(isMeant)
    const [interruption] = found < 0 ? [] : this.#interruptions.splice(found, 1)
    return { call: entered, interruption: interruption?.how }
  }
}

const isCounted = (call: NewCall): boolean =>
  call.to === 'machine' ? !call.isDryRun : !UNCOUNTED.has(call.kind)

const nameOf = (call: NewCall): string =>
  `${call.method} ${call.to === 'kubernetes' ? `${call.kind}/${call.name}` : call.address}`

/** For people: `3. PATCH talosmachines/one-1 done`. */
export const wordsFor = (call: Call): string =>
  `${call.number === undefined ? '–' : `${call.number}.`} ${nameOf(call)} ${call.outcome}`
