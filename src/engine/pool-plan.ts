import { isDeepStrictEqual } from 'node:util'
import { RESET_ACCEPTED } from '#api/labels.ts'
import type { Machine } from '#api/machine.ts'
import {
  isControlPlane,
  type MachineDraft,
  type MachineEntry,
  machineDraft,
  machineName,
  type Parent,
} from './pool.ts'
import { canonicalAddress } from './pool-address.ts'
import { answererFor, areTwo, claimOf } from './who-answers.ts'

/** An entry of the spec with the address that it has or leads to; without one while that is not known. */
export interface ResolvedEntry {
  entry: MachineEntry
  address?: string
}

/** A machine that is there and should be otherwise. The draft has its name. */
interface ChangedMachine {
  machine: Machine
  draft: MachineDraft
  /** Fields of the spec, `labels` or `owner`, in a fixed order. */
  differs: readonly Difference[]
}

type Difference = keyof NonNullable<Machine['spec']> | 'labels' | 'owner'

/** How the machines that are there differ from those that are wanted. */
export interface MachinePlan {
  /** In the order of the spec. */
  missing: readonly MachineDraft[]
  changed: readonly ChangedMachine[]
  /** As they are wanted. */
  same: readonly Machine[]
  /** Those that are there and that an entry stands for, in the order of the spec. */
  known: readonly Machine[]
  /** No entry stands for them. Empty while an entry leads nowhere, because it might be theirs. */
  surplus: readonly Machine[]
  /** Those among them that are to be kept as they run, and do not say so yet. */
  spared?: readonly Machine[]
  /** Entries whose name is that of a machine which stands for another entry, or belongs to another parent. */
  taken: readonly { draft: MachineDraft; machine: Machine }[]
  /** Entries that lead to no address yet. */
  waiting: readonly MachineEntry[]
}

/**
 * Compares the entries of a parent with the machines of its namespace. A machine keeps its name when its
 * address moves, and when its entry changes from an address to a reference: it is recognised by its UUID, by the
 * reference, by the address that it is known at, by its name, and last by an address that was seen on it.
 */
export function machinePlan(
  parent: Parent,
  entries: readonly ResolvedEntry[],
  existing: readonly Machine[],
): MachinePlan {
  const own = existing.filter((machine) => belongsTo(machine, parent))
  const matches = matched(parent.metadata.name, entries, own)
  const claimed = new Set(matches.values())
  const plan: Draft = { missing: [], changed: [], same: [], taken: [], waiting: [] }
  const byName = new Map(existing.map((machine) => [machine.metadata.name, machine]))
  for (const resolved of entries) {
    place(plan, { parent, resolved, machine: matches.get(resolved), byName })
  }
  const isUnclear = entries.some((one) => one.address === undefined && !matches.has(one))
  const surplus = isUnclear ? [] : own.filter((machine) => !claimed.has(machine))
  return {
    ...plan,
    known: entries.flatMap((resolved) => matches.get(resolved) ?? []),
    ...{ surplus, spared: surplus.filter((machine) => isSpared(parent, machine)) },
  }
}

/** The parent says that it is to be kept, and it does not say so itself. One that is being wiped cannot be kept. */
export const isSpared = (parent: Parent, { metadata, spec }: Machine): boolean =>
  parent.spec?.deletionPolicy === 'preserve' &&
  spec?.deletionPolicy !== 'preserve' &&
  metadata.annotations?.[RESET_ACCEPTED] === undefined

/** The machines of a parent: those that its spec wants, in its order, then the others. */
export function inSpecOrder(own: readonly Machine[], { known }: MachinePlan): Machine[] {
  const [wanted, owned] = [new Set(known), new Set(own)]
  return [
    ...known.filter((machine) => owned.has(machine)),
    ...own.filter((machine) => !wanted.has(machine)),
  ]
}

interface Draft {
  missing: MachineDraft[]
  changed: ChangedMachine[]
  same: Machine[]
  taken: { draft: MachineDraft; machine: Machine }[]
  waiting: MachineEntry[]
}

interface Placing {
  parent: Parent
  resolved: ResolvedEntry
  machine: Machine | undefined
  byName: ReadonlyMap<string, Machine>
}

function place(plan: Draft, { parent, resolved, machine, byName }: Placing): void {
  const { entry } = resolved
  if (resolved.address === undefined) plan.waiting.push(entry)
  // While nobody knows better, the machine is where it was.
  const address = resolved.address ?? machine?.spec?.endpoint
  const draft = address === undefined ? undefined : machineDraft(parent, entry, address)
  if (!draft) return
  if (!machine) {
    const holder = byName.get(draft.metadata.name)
    if (holder) plan.taken.push({ draft, machine: holder })
    else plan.missing.push(draft)
    return
  }
  const named = { ...draft, metadata: { ...draft.metadata, name: machine.metadata.name } }
  const differs = differences(machine, named)
  if (differs.length > 0) plan.changed.push({ machine, draft: named, differs })
  else plan.same.push(machine)
}

const belongsTo = ({ spec }: Machine, parent: Parent): boolean =>
  (isControlPlane(parent) ? spec?.controlPlaneRef : spec?.workerRef)?.name === parent.metadata.name

/** A text that an entry and its machine have in common. */
interface Sign {
  of: (resolved: ResolvedEntry) => string | undefined
  on: (machine: Machine) => readonly string[]
  /** Says nothing of a machine that is known to be another one than the entry means. */
  isWeak?: boolean
}

/** Which machine an entry stands for: the surest sign of all entries first, then the next one. */
function matched(
  parent: string,
  entries: readonly ResolvedEntry[],
  own: readonly Machine[],
): Map<ResolvedEntry, Machine> {
  const matches = new Map<ResolvedEntry, Machine>()
  const free = new Set(own)
  for (const { of, on, isWeak = false } of signsFor(parent)) {
    const found = uniquely([...free], on)
    for (const resolved of entries.filter((one) => !matches.has(one))) {
      const machine = found.get(of(resolved) ?? '')
      if (!machine || (isWeak && isAnother(machine, resolved))) continue
      if (free.delete(machine)) matches.set(resolved, machine)
    }
  }
  followMoved(matches, free)
  return matches
}

/** Whether an entry names a machine, and not the one that this object stands for. */
function isAnother(machine: Machine, { entry }: ResolvedEntry): boolean {
  const claim = claimOf(machine)
  return entry.uuid !== undefined && claim !== undefined && claim !== entry.uuid.toLowerCase()
}

/**
 * Where an entry does not say who it means, only who answers there tells. If that is a machine of which no entry knows, it has
 * moved: the object that stands for it takes the place of the one that was made for the address and stands for nobody.
 */
function followMoved(matches: Map<ResolvedEntry, Machine>, free: Set<Machine>): void {
  const moved = uniquely([...free], claimsOn)
  for (const [resolved, made] of matches) {
    const answerer = claimOf(made) === undefined ? answererFor(made) : undefined
    const machine = answerer?.is === 'known' ? moved.get(answerer.uuid) : undefined
    if (!machine || areTwo(machine, made) || !free.delete(machine)) continue
    matches.set(resolved, machine)
    free.add(made)
  }
}

function claimsOn(machine: Machine): string[] {
  const claim = claimOf(machine)
  return claim === undefined ? [] : [claim]
}

function signsFor(parent: string): Sign[] {
  const nameOn = ({ metadata }: Machine) => [metadata.name]
  const addressOf = ({ address }: ResolvedEntry) =>
    address === undefined ? undefined : canonical(address)
  return [
    { of: ({ entry }) => entry.uuid?.toLowerCase(), on: claimsOn },
    {
      of: ({ entry: { machineRef } }) =>
        machineRef?.name ? machineName(parent, { reference: machineRef.name }) : undefined,
      on: nameOn,
    },
    { of: addressOf, on: ({ spec }) => (spec ? [canonical(spec.endpoint)] : []) },
    {
      of: ({ address }) => (address === undefined ? undefined : machineName(parent, { address })),
      on: nameOn,
    },
    {
      ...{ of: addressOf, isWeak: true },
      on: ({ status }) => (status?.addresses ?? []).map(canonical),
    },
  ]
}

/** The machines by what only one of them has. */
function uniquely(machines: readonly Machine[], on: Sign['on']): Map<string, Machine> {
  const found = new Map<string, Machine>()
  const shared = new Set<string>()
  for (const machine of machines) {
    for (const text of new Set(on(machine))) {
      if (found.has(text)) shared.add(text)
      found.set(text, machine)
    }
  }
  for (const text of shared) found.delete(text)
  return found
}

const canonical = (address: string): string => canonicalAddress(address) ?? address

const FIELDS = [
  'endpoint',
  'uuid',
  'version',
  'machineSpec',
  'controlPlaneRef',
  'workerRef',
  'configRef',
  'deletionPolicy',
  'pxeClientSpec',
] as const

function differences(machine: Machine, draft: MachineDraft): Difference[] {
  const fields: Difference[] = FIELDS.filter(
    (field) => !isDeepStrictEqual(machine.spec?.[field], draft.spec[field]),
  )
  const { labels = {}, ownerReferences = [] } = draft.metadata
  const isLabelled = Object.entries(labels).every(
    ([key, value]) => machine.metadata.labels?.[key] === value,
  )
  const isOwned = ownerReferences.every(({ uid }) =>
    (machine.metadata.ownerReferences ?? []).some((one) => one.uid === uid && one.controller),
  )
  return [
    ...fields,
    ...(isLabelled ? [] : (['labels'] as const)),
    ...(isOwned ? [] : (['owner'] as const)),
  ]
}
