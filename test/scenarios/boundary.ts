import type { ComponentVersions } from '#machineconfig/versions/kubernetes-components.ts'
import type { Held } from './held-by.ts'
import type { KubernetesAround } from './kubernetes-around.ts'
import type { PartAround } from './part-around.ts'
import type { ProvidedAround } from './provided-around.ts'
import type { TurnsAround } from './turns-around.ts'

/** A call of the operator that changes something, or asks for that. */
export type Call = KubernetesCall | MachineCall | DiskCall

interface Numbered {
  /** The how-manieth that counts; undefined: nobody goes by what it changes (Events, Leases, dry runs). */
  readonly number: number | undefined
  /** The how-manieth of its name in its chapter: another run may have more or fewer of others. */
  readonly occurrence: number
  /** By the clock of the world. */
  readonly at: Date
  /** How often users had asked for something else by then, or for another try. */
  readonly asked?: number
  /** What came of it, once it is known. */
  outcome: 'under way' | 'done' | 'refused' | 'never made' | 'reply lost'
}

/** To the API of the operator, or, for Nodes, to that of a cluster of its making. */
export interface KubernetesCall extends Numbered {
  readonly to: 'kubernetes'
  /** `POST`, `PATCH` … */
  readonly method: string
  /** `talosmachines`, or `talosmachines/status`. */
  readonly kind: string
  readonly name: string
  /** Whether it keeps pods away from a node. */
  readonly isCordon?: boolean
  /** Whether the server is only to go through the motions. */
  readonly isDryRun?: boolean
  /** Of what a Secret that is made has in it; the same for the same. */
  readonly digest?: string
  /** Of what clusters by their shape have, if it is about that. */
  readonly provided?: ProvidedAround
  /** What the server answered, also if nobody heard it. */
  status?: number
}

/** To the folder that the manifests of Machines are in. */
export interface DiskCall extends Numbered {
  readonly to: 'disk'
  readonly method: 'write' | 'remove'
  readonly folder: string
}

/** A member of etcd, as it is. */
interface EtcdMemberKnown {
  readonly id: bigint
  readonly isVoter: boolean
  readonly isRunning: boolean
  /** Whether it is of the machine that is called. */
  readonly isOwn: boolean
}

/** A TalosMachine that stands for a machine. */
interface Claim {
  readonly name: string
  readonly uid?: string | undefined
  readonly isLeaving: boolean
  /** Whether it took the machine over as it ran, and has given it nothing since. */
  readonly isAsAdopted?: boolean
}

/** With what is true of the machine just before. */
export interface MachineCall extends Numbered {
  readonly to: 'machine'
  /** `configuration.apply`, `bootstrap` … */
  readonly method: string
  readonly address: string
  readonly isDryRun: boolean
  /** Of the configuration that is sent; the same for the same one. */
  readonly digest?: string
  /** How that is to be taken: `no-reboot`, `reboot` … */
  readonly mode?: string
  /** The versions of Kubernetes in it. */
  readonly brings?: Partial<ComponentVersions>
  /** What is to be fetched, or installed. */
  readonly image?: string
  /** What that is called by the machine once it has it. */
  fetchedAs?: string
  readonly uuid: string
  readonly stage: string
  /** Of the Talos that it runs; empty while it is off. */
  readonly version: string
  /** Empty while it is off. */
  readonly bootId: string
  /** TalosMachines that have the machine's UUID, and whether each is being deleted. */
  readonly claims: readonly Claim[]
  /** The members of its cluster's etcd. Left out where there is none, or where its control plane goes as a whole. */
  readonly etcd?: readonly EtcdMemberKnown[] | undefined
  /** The pods on its node that would have to leave it before it goes. */
  readonly undrained?: readonly string[]
  /** The member of etcd that is asked to be removed. */
  readonly member?: bigint
  /** What says that nothing is to be done for those objects. */
  readonly held?: Held | undefined
  /** Whose turn it was to be changed. */
  readonly turns?: TurnsAround | undefined
  /** The machines that are changed in turn with it. */
  readonly part?: PartAround | undefined
  /** What its node is called. */
  readonly node?: string
  /** The Kubernetes of its cluster. */
  readonly kubernetes?: KubernetesAround | undefined
  /** Whether the machine refuses every configuration, whatever it is. */
  isRefusing?: boolean
  /** Why the machine itself said no, in the words of its client. Undefined where it was not asked, or did not answer. */
  refusal?: string
}

type New<Made extends Call> = Omit<Made, keyof Numbered>

export type NewCall = New<KubernetesCall> | New<MachineCall> | New<DiskCall>

interface Entered<Made extends Call> {
  call: Made
  interruption: Interruption['how'] | undefined
}

/** Something that befalls the operator at one of its calls. */
export interface Interruption {
  readonly how: 'killed before' | 'killed after' | 'reply lost'
  /**
   * The first one from now on that is called so: `bootstrap 127.80.1.1`. Or the how-manieth of that name in
   * this chapter: `PATCH talosmachines/one-1 #3`. Or `next`, whatever it is called.
   */
  readonly at: string
}

export const NEXT = 'next'

// Nobody reads what these say to decide anything, and they come at any moment.
const UNCOUNTED = new Set(['leases', 'events'])

/** Everything that the operator changes goes through here: it is written down, and can be interrupted. */
export class Boundary {
  /** In the order in which they were made. */
  readonly history: Call[] = []
  /** How many calls had been made when an operator died, each time. */
  readonly deaths: number[] = []
  readonly #now: () => Date
  readonly #asked: () => number
  readonly #listeners = new Set<() => void>()
  readonly #occurrences = new Map<string, number>()
  #interruptions: Interruption[] = []
  #count = 0

  /** `asked`: how often users have asked for something so far. */
  constructor(now: () => Date, asked: () => number = () => 0) {
    this.#now = now
    this.#asked = asked
  }

  /** How many calls there were that count. */
  get count(): number {
    return this.#count
  }

  /** The interruptions that have not come about. */
  get pending(): readonly Interruption[] {
    return this.#interruptions
  }

  /** Each happens once. */
  interrupt(interruption: Interruption): void {
    this.#interruptions.push(interruption)
  }

  /** What has not come about will not. */
  forgetPending(): void {
    this.#interruptions = []
  }

  /** Notes that the operator was killed just now. */
  noteDeath(): void {
    this.deaths.push(this.history.length)
  }

  /** From now on the calls of each name are counted anew. */
  beginChapter(): void {
    this.#occurrences.clear()
  }

  /** Told before each call that counts, which can still be interrupted. The answer ends that. */
  onCall(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Writes a call down that is about to be made, with what is to befall it. */
  enter(call: New<KubernetesCall>): Entered<KubernetesCall>
  enter(call: New<MachineCall>): Entered<MachineCall>
  enter(call: New<DiskCall>): Entered<DiskCall>
  enter(call: NewCall): Entered<Call>
  enter(call: NewCall): Entered<Call> {
    const number = isCounted(call) ? ++this.#count : undefined
    const occurrence = this.#occurrenceOf(`${steadyNameOf(call)} ${number === undefined}`)
    const numbers = { number, occurrence, at: this.#now(), asked: this.#asked() }
    const entered = { ...call, ...numbers, outcome: 'under way' } satisfies Call
    this.history.push(entered)
    if (number === undefined) return { call: entered, interruption: undefined }
    for (const listener of [...this.#listeners]) listener()
    const names = [NEXT, nameOf(call), pointOf(entered)]
    const found = this.#interruptions.find(({ at }) => names.includes(at))
    this.#interruptions = this.#interruptions.filter((one) => one !== found)
    return { call: entered, interruption: found?.how }
  }

  #occurrenceOf(name: string): number {
    const occurrence = (this.#occurrences.get(name) ?? 0) + 1
    this.#occurrences.set(name, occurrence)
    return occurrence
  }
}

const isCounted = (call: NewCall): boolean =>
  call.to === 'disk' || (!call.isDryRun && (call.to === 'machine' || !UNCOUNTED.has(call.kind)))

const nameOf = (call: NewCall): string => `${call.method} ${placeOf(call)}`

function placeOf(call: NewCall): string {
  if (call.to === 'kubernetes') return `${call.kind}/${call.name}`
  return call.to === 'machine' ? call.address : `files/${call.folder}`
}

/** The same in every run: pods have other names in each. */
const steadyNameOf = (call: NewCall): string =>
  call.to === 'kubernetes' && /^pods(\/|$)/.test(call.kind)
    ? `${call.method} ${call.kind}`
    : nameOf(call)

/** What a call is called in every run: `PATCH talosmachines/one-1 #3`. */
export const pointOf = (call: NewCall & Pick<Call, 'occurrence'>): string =>
  `${steadyNameOf(call)} #${call.occurrence}`

/** Whether it may have changed a machine. */
export const isMachineChange = (call: Call): call is MachineCall =>
  call.to === 'machine' && !call.isDryRun && call.outcome !== 'never made'

/** For people: `3. PATCH talosmachines/one-1 done`. */
export const wordsFor = (call: Call): string =>
  `${call.number === undefined ? '–' : `${call.number}.`} ${nameOf(call)} ${call.outcome}`
