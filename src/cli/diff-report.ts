import { ProvidedMachine } from '#api/provided-machine.ts'
import type { Effect } from '#machineconfig/diff/classify.ts'

/** Something to be known: a reason for programs, and a sentence. */
export interface Said {
  readonly reason: string
  readonly message: string
}

/** What applying some files would change. Holds no secret. */
export interface Report {
  /** Of each cluster together, in the order in which they are seen to. */
  readonly objects: readonly ObjectDiff[]
  readonly refused: readonly RefusedObject[]
  /** `Secret keys`: what is in the files and of no kind that machines follow from. */
  readonly notLookedAt: readonly string[]
}

/** An object that the API does not take. */
export interface RefusedObject {
  readonly kind: string
  readonly namespace: string
  readonly name: string
  readonly message: string
  /** How it has to be written, if it is known what was meant. */
  readonly rightForm?: string
}

/** What becomes of an object, and of its machines if it has any. */
export interface ObjectDiff {
  readonly kind: string
  readonly namespace: string
  readonly name: string
  /** The name of the control plane that it is, has or joins. */
  readonly cluster: string
  readonly change: 'created' | 'changed' | 'removed' | 'none'
  /** `spec.metalSpec.machines`: what differs in it. Never the values. */
  readonly fields: readonly string[]
  /** Why nothing is done for it before somebody mends that. */
  readonly problem?: Said
  /** What keeps some of it from being done before somebody mends that. */
  readonly hindrances?: readonly Said[]
  readonly notes: readonly Said[]
  /** How many of its machines may be down at once. */
  readonly atOnce?: number
  /** Those to which something is done, in this order. */
  readonly machines: readonly MachineDiff[]
}

interface OfMachine {
  readonly name: string
  /** Left out: its provider has not given it one yet. */
  readonly address?: string
  /** Why it stays as it is, although it should not. */
  readonly problem?: Said
}

export interface AddedMachine extends OfMachine {
  readonly do: 'add'
  readonly role: 'control plane' | 'worker'
  readonly version: string
  /** Where Talos goes. */
  readonly disk: string
}

export interface ChangedMachine extends OfMachine {
  readonly do: 'change'
  /** What it takes: nothing but to send it; a reboot; another Talos; or it is not installed yet, and is then with this. */
  readonly effort: 'live' | 'reboot' | 'upgrade' | 'install'
  /** The versions of Talos, where they differ; where they do not, the schematic that it gets at the same one. */
  readonly upgrade?: { readonly from: string; readonly to: string; readonly schematic?: string }
  readonly changes: Effect['changes']
  /** Whether its network settings are written to META. */
  readonly isMetaWritten: boolean
  /** What it is compared with: what the machine has, or what it should have by the objects that are there, and why. */
  readonly comparedWith: 'machine' | 'objects'
  readonly unseen?: string
}

export interface RemovedMachine extends OfMachine {
  readonly do: 'remove'
  /** `kept`: it runs on as it is. `never configured`: there is nothing of ours on it. */
  readonly fate: 'wiped' | 'kept' | 'never configured'
  readonly isMember: boolean
  readonly isAnswering: boolean
}

export type MachineDiff = AddedMachine | ChangedMachine | RemovedMachine

/** How much it is. */
export interface Summary {
  readonly changed: number
  readonly reboots: number
  readonly added: number
  readonly removed: number
  /** Machines that cannot be as they should. */
  readonly stuck: number
  /** Objects for which nothing is done, or not all. */
  readonly wrong: number
  /** What providers are asked for: the Machines of KubernetesClusters. */
  readonly ordered: Ordered
}

export interface Ordered {
  readonly created: number
  readonly changed: number
  readonly removed: number
}

export function summaryOf({ objects, refused }: Report): Summary {
  const machines = objects.flatMap((object) => object.machines)
  const done = machines.filter(({ problem }) => !problem)
  const changed = done.filter((machine) => machine.do === 'change')
  return {
    changed: changed.length,
    reboots: changed.filter(({ effort }) => effort === 'reboot' || effort === 'upgrade').length,
    added: done.filter((machine) => machine.do === 'add').length,
    removed: done.filter((machine) => machine.do === 'remove').length,
    stuck: machines.length - done.length,
    wrong:
      refused.length +
      objects.filter(({ problem, hindrances = [] }) => problem || hindrances.length > 0).length,
    ordered: orderedIn(objects),
  }
}

function orderedIn(objects: readonly ObjectDiff[]): Ordered {
  const all = objects.filter(isOrdered)
  const count = (change: ObjectDiff['change']) => all.filter((one) => one.change === change).length
  return { created: count('created'), changed: count('changed'), removed: count('removed') }
}

/** Whether it is a Machine that a provider makes. */
export const isOrdered = ({ kind }: Pick<ObjectDiff, 'kind'>): boolean =>
  kind === ProvidedMachine.kind

/** As `kubectl diff` exits: 0 if nothing would change, 1 if something would, 2 if something is wrong. */
export function exitCodeFor(report: Report): 0 | 1 | 2 {
  const { stuck, wrong } = summaryOf(report)
  if (stuck + wrong > 0) return 2
  const isSame = report.objects.every(
    ({ change, machines }) => change === 'none' && machines.length === 0,
  )
  return isSame ? 0 : 1
}
