import { Fifo, type Place } from './queue-fifo.ts'

/** Why a key wants a pass, most urgent first: a user's edit, a change of the world, the first look since the start. */
export const priorities = ['edit', 'change', 'resync'] as const
export type Priority = (typeof priorities)[number]

/** The more urgent of two. */
export const moreUrgent = (a: Priority, b: Priority | undefined): Priority =>
  b !== undefined && priorities.indexOf(b) < priorities.indexOf(a) ? b : a

// One for each priority, and one in which everybody stands.
const lanes = [...priorities, 'any'] as const
type Lane = (typeof lanes)[number]

interface Group<T> {
  readonly name: string
  running: number
  takesPastOldest: number
  readonly lines: Record<Lane, Fifo<Waiter<T>>>
  /** Its place among the groups of a lane: there while it has waiters in it and may run one more. */
  readonly turns: Record<Lane, Place<Group<T>> | undefined>
}

interface Ask<T> {
  value: T
  priority: Priority
  /** When it began to wait, in milliseconds. Never less than for the one before. */
  sinceMs: number
}

/** One that waits, and the three lines it stands in. It is the order's that made it. */
export class Waiter<T> {
  readonly ask: Ask<T>
  readonly group: Group<T>
  priority: Priority
  inLane: Place<Waiter<T>>
  readonly inAny: Place<Waiter<T>>
  readonly inAge: Place<Waiter<T>>

  constructor(ask: Ask<T>, group: Group<T>, byAge: Fifo<Waiter<T>>) {
    this.ask = ask
    this.group = group
    this.priority = ask.priority
    this.inLane = group.lines[ask.priority].push(this)
    this.inAny = group.lines.any.push(this)
    this.inAge = byAge.push(this)
  }
}

/**
 * Says who is next: by priority; within one, groups take turns; within a group, first come first
 * served. One take in `oldestEvery` heeds no priority and goes to the oldest waiter of the group whose
 * turn it is, and so does one in as many of each group's own takes: nobody waits for ever.
 */
export class FairOrder<T> {
  #maxPerGroup: number
  #oldestEvery: number
  #groups = new Map<string, Group<T>>()
  #turns = inEachLane(() => new Fifo<Group<T>>())
  #byAge = new Fifo<Waiter<T>>()
  #takes = 0

  constructor({ maxPerGroup, oldestEvery }: { maxPerGroup: number; oldestEvery: number }) {
    this.#maxPerGroup = maxPerGroup
    this.#oldestEvery = oldestEvery
  }

  get size(): number {
    return this.#byAge.length
  }

  /** How many groups have somebody who waits or runs. No other is remembered. */
  get groups(): number {
    return this.#groups.size
  }

  /** Since when the longest has waited. */
  get oldestSinceMs(): number | undefined {
    return this.#byAge.first?.ask.sinceMs
  }

  add(groupName: string, ask: Ask<T>): Waiter<T> {
    const group = this.#group(groupName)
    const waiter = new Waiter(ask, group, this.#byAge)
    this.#arrange(group)
    return waiter
  }

  /** Gives a waiter a higher priority. It goes behind those of its group who have that one already. */
  raise(waiter: Waiter<T>, priority: Priority): void {
    if (moreUrgent(waiter.priority, priority) === waiter.priority) return
    const { group } = waiter
    group.lines[waiter.priority].remove(waiter.inLane)
    waiter.priority = priority
    waiter.inLane = group.lines[priority].push(waiter)
    this.#arrange(group)
  }

  remove(waiter: Waiter<T>): void {
    this.#leave(waiter)
    this.#arrange(waiter.group)
  }

  /** The next one, which then counts as running in its group until it is `done`. With `isBusy` it is no first look. */
  take(isBusy = false): Waiter<T> | undefined {
    const lane = this.#nextLane(isBusy)
    const group = lane && this.#turns[lane].first
    if (lane === undefined || group === undefined) return undefined
    const waiter = this.#pick(group, lane, isBusy)
    if (waiter === undefined) return undefined
    this.#takes++
    group.running++
    this.#leave(waiter)
    this.#endTurn(group, lane)
    this.#arrange(group)
    return waiter
  }

  /** One that was taken no longer runs. */
  done({ group }: Waiter<T>): void {
    group.running--
    this.#arrange(group)
  }

  #nextLane(isBusy: boolean): Lane | undefined {
    const urgent = priorities.find((priority) => this.#turns[priority].length > 0)
    // The oldest may be just the one that may not be taken.
    if (isBusy) return urgent === 'resync' ? undefined : urgent
    const byAge = (this.#takes + 1) % this.#oldestEvery === 0
    return byAge || urgent === undefined ? 'any' : urgent
  }

  // By age now and then here too: a group at its limit is seldom free when a turn by age comes round,
  // and a stream of edits in it would hold up all else in it.
  #pick(group: Group<T>, lane: Lane, isBusy: boolean): Waiter<T> | undefined {
    const oldest = group.lines.any.first
    const isHeld = isBusy && oldest?.priority === 'resync'
    const isOverdue = !isHeld && group.takesPastOldest + 1 >= this.#oldestEvery
    const waiter = isOverdue ? oldest : group.lines[lane].first
    group.takesPastOldest = waiter === oldest ? 0 : group.takesPastOldest + 1
    return waiter
  }

  #leave(waiter: Waiter<T>): void {
    waiter.group.lines[waiter.priority].remove(waiter.inLane)
    waiter.group.lines.any.remove(waiter.inAny)
    this.#byAge.remove(waiter.inAge)
  }

  /** Puts the group in the lanes where it can be taken from, out of the others; an idle one goes. */
  #arrange(group: Group<T>): void {
    const isFree = group.running < this.#maxPerGroup
    for (const lane of lanes) {
      if (!isFree || group.lines[lane].length === 0) this.#endTurn(group, lane)
      else group.turns[lane] ??= this.#turns[lane].push(group)
    }
    if (group.running === 0 && group.lines.any.length === 0) this.#groups.delete(group.name)
  }

  #endTurn(group: Group<T>, lane: Lane): void {
    const turn = group.turns[lane]
    if (turn) this.#turns[lane].remove(turn)
    group.turns[lane] = undefined
  }

  #group(name: string): Group<T> {
    const known = this.#groups.get(name)
    if (known) return known
    const group: Group<T> = {
      name,
      running: 0,
      takesPastOldest: 0,
      lines: inEachLane(() => new Fifo<Waiter<T>>()),
      turns: inEachLane(() => undefined),
    }
    this.#groups.set(name, group)
    return group
  }
}

const inEachLane = <V>(make: () => V): Record<Lane, V> => ({
  edit: make(),
  change: make(),
  resync: make(),
  any: make(),
})
