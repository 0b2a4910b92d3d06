import type { Cancel, Clock } from '#base/clock.ts'
import { forwardAbort } from '#base/deadline.ts'
import { onAbort } from '#base/on-abort.ts'
import { shareRuns } from '#base/share-runs.ts'
import { type HandshakeLimits, Handshakes } from './handshakes.ts'
import type { Dial, Line } from './line.ts'
import { type MachineTarget, placeOf } from './machine-target.ts'
import { idOf } from './secure-contexts.ts'
import { type Release, Slots } from './slots.ts'

export interface ConnectionLimits extends HandshakeLimits {
  /** Dials under way at once. Most of them wait for machines that are off, which costs memory and no CPU. */
  dialsAtOnce: number
  /** How many of these may be to machines of one cluster: those that are off take the whole time. */
  dialsPerCluster: number
  /** Connections open at once, of 100 KB each. The one that was idle longest goes for a new one. */
  mostOpen: number
  /** How long a connection is kept that nobody uses. */
  idleMs: number
}

/** A connection in use. */
export interface Lease {
  line: Line
  /** Called when all connections are ended while this one is in use. */
  onEnd: () => void
  /** Says that it may be dead: nobody else gets it, and it is closed when those who use it are done. */
  distrust: () => void
  /** Says that it is not used any more. */
  release: Release
  /** The same, and that it will hardly be needed again soon: it is closed, unless somebody else uses it. */
  releaseForGood: Release
  /** Says that it is used for minutes: somebody else gets the place that it takes. */
  leavePlace: Release
  /** One more use of the very same connection; undefined when nobody gets that any more. */
  again: () => Lease | undefined
}

/** Whoever lends connections. */
export interface Leases {
  /** The connection to this machine that there is, to be released; undefined if there is none. */
  ready(target: MachineTarget): Lease | undefined
  /** A connection to this machine, to be released. */
  lease(target: MachineTarget, signal: AbortSignal): Promise<Lease>
}

interface Open {
  line: Line
  users: Set<object>
  /** When the last one left. */
  idleSinceMs: number
  /** Looks whether it is idle; undefined: nobody looks. */
  cancelLook: Cancel | undefined
  /** Gives its place to another. */
  free: Release
  isEnded: boolean
}

/** A connection that came about, and how it gives up its place. */
type Placed = Pick<Open, 'line' | 'free'>

/** The connections to machines: dialled when one is needed, shared while it is, closed when idle. */
export class Connections implements Leases {
  readonly #clock: Clock
  readonly #limits: ConnectionLimits
  readonly #dialOne: Dial
  readonly #dials: Slots
  readonly #handshakes: Handshakes
  readonly #room: Slots
  readonly #open = new Map<string, Open>()
  readonly #dialling = new Map<string, (signal: AbortSignal) => Promise<Open>>()
  readonly #leases = new Set<Lease>()
  readonly #stop = new AbortController()

  constructor(clock: Clock, limits: ConnectionLimits, dial: Dial) {
    this.#clock = clock
    this.#dialOne = dial
    this.#limits = limits
    this.#dials = new Slots({ atOnce: limits.dialsAtOnce, perGroup: limits.dialsPerCluster })
    this.#room = new Slots({ atOnce: limits.mostOpen, perGroup: limits.mostOpen })
    const isCrowded = () => this.#room.waiting > 0
    this.#handshakes = new Handshakes({ clock, isCrowded }, limits)
  }

  /** How many there are. */
  get open(): number {
    return this.#open.size
  }

  ready(target: MachineTarget): Lease | undefined {
    const key = keyOf(target)
    const open = this.#stop.signal.aborted ? undefined : this.#connected(key)
    return open && this.#leaseOf(key, open)
  }

  /** A connection to this machine: the one that there is, or a new one. */
  async lease(target: MachineTarget, signal: AbortSignal): Promise<Lease> {
    this.#stop.signal.throwIfAborted()
    signal.throwIfAborted()
    const key = keyOf(target)
    const open = this.#connected(key) ?? (await this.#dialled(key, target, signal))
    return this.#leaseOf(key, open)
  }

  /** Ends all connections, and what goes over them. */
  close(): void {
    this.#stop.abort(new Error('the connections to the machines are closed'))
    for (const lease of this.#leases) lease.onEnd()
    for (const [key, open] of this.#open) this.#end(key, open)
  }

  #leaseOf(key: string, open: Open): Lease {
    const lease: Lease = {
      line: open.line,
      onEnd: () => {},
      distrust: () => this.#retire(key, open),
      release: () => {
        this.#leases.delete(lease)
        this.#leave(key, open, lease)
      },
      releaseForGood: () => {
        const isLast = open.users.size === 1 && open.users.has(lease)
        lease.release()
        if (isLast) this.#end(key, open)
      },
      leavePlace: () => open.free(),
      again: () => (this.#connected(key) === open ? this.#leaseOf(key, open) : undefined),
    }
    open.users.add(lease)
    this.#leases.add(lease)
    return lease
  }

  /** The one that there is. One that broke is forgotten: who comes next dials, and looks who answers. */
  #connected(key: string): Open | undefined {
    const open = this.#open.get(key)
    if (!open || open.line.isUp()) return open
    this.#retire(key, open)
    return undefined
  }

  #dialled(key: string, target: MachineTarget, signal: AbortSignal): Promise<Open> {
    const known = this.#dialling.get(key)
    if (known) return known(signal)
    const run = shareRuns(async (untilNobodyWaits: AbortSignal) => {
      const forget = () => {
        if (this.#dialling.get(key) === run) this.#dialling.delete(key)
      }
      // At once: one that is given up may take a while to end, and must not take the next one with it.
      const leave = onAbort(untilNobodyWaits, forget)
      try {
        return await this.#dial(key, target, untilNobodyWaits)
      } finally {
        leave()
        forget()
      }
    })
    this.#dialling.set(key, run)
    return run(signal)
  }

  async #dial(key: string, target: MachineTarget, signal: AbortSignal): Promise<Open> {
    const until = new AbortController()
    const unlink = [signal, this.#stop.signal].map((from) => forwardAbort(from, until))
    try {
      const placed = await this.#inTurn(target, until.signal)
      if (until.signal.aborted) {
        placed.line.close()
        placed.free()
      }
      until.signal.throwIfAborted()
      return this.#keep(key, placed)
    } finally {
      for (const cancel of unlink) cancel()
    }
  }

  /** It counts as used until those who wait for it have taken it up, if they have not left. */
  #keep(key: string, { line, free }: Placed): Open {
    const users = new Set<object>()
    const open = { line, free, users, idleSinceMs: 0, cancelLook: undefined, isEnded: false }
    const dialler = {}
    open.users.add(dialler)
    setImmediate(() => this.#leave(key, open, dialler))
    const before = this.#open.get(key)
    if (before) this.#retire(key, before)
    this.#open.set(key, open)
    return open
  }

  /** A place is taken only for a connection that came about: those that are off need none. */
  async #inTurn(target: MachineTarget, signal: AbortSignal): Promise<Placed> {
    const done = await this.#dials.take(groupOf(target), signal)
    try {
      const { answered, over } = await this.#handshakes.take(signal)
      return await this.#placed(target, { answered, signal }).finally(over)
    } finally {
      done()
    }
  }

  async #placed(
    target: MachineTarget,
    { answered, signal }: { answered: () => void; signal: AbortSignal },
  ): Promise<Placed> {
    const line = await this.#dialOne(target, signal)
    answered()
    try {
      return { line, free: await this.#makeRoom(signal) }
    } catch (error) {
      line.close()
      throw error
    }
  }

  #makeRoom(signal: AbortSignal): Promise<Release> {
    if (this.#room.isFull) {
      const idle = [...this.#open].find(([, { users }]) => users.size === 0)
      if (idle) this.#end(...idle)
    }
    return this.#room.take('', signal)
  }

  /** Once nobody uses it, it goes when its time is up, or at once if somebody waits for its place. */
  #leave(key: string, open: Open, user: object): void {
    const wasUsed = open.users.delete(user)
    if (!wasUsed || open.users.size > 0) return
    if (this.#room.waiting > 0 || this.#open.get(key) !== open) {
      this.#end(key, open)
      return
    }
    // Whoever rested last stands last.
    this.#open.delete(key)
    this.#open.set(key, open)
    open.idleSinceMs = this.#clock.monotonicMs()
    if (!open.cancelLook) this.#lookLater(key, open)
  }

  /** One timer for many calls: when it rings, it may have been used since. */
  #lookLater(key: string, open: Open): void {
    const endsAtMs = open.idleSinceMs + this.#limits.idleMs
    open.cancelLook = this.#clock.after(endsAtMs - this.#clock.monotonicMs(), () => {
      open.cancelLook = undefined
      // Whoever uses it looks when done.
      if (open.users.size > 0) return
      const isOver = this.#clock.monotonicMs() >= open.idleSinceMs + this.#limits.idleMs
      if (isOver) this.#end(key, open)
      else this.#lookLater(key, open)
    })
  }

  /** Nobody gets it any more; those who use it go on. */
  #retire(key: string, open: Open): void {
    if (this.#open.get(key) === open) this.#open.delete(key)
    if (open.users.size === 0) this.#end(key, open)
  }

  #end(key: string, open: Open): void {
    if (this.#open.get(key) === open) this.#open.delete(key)
    if (open.isEnded) return
    open.isEnded = true
    open.cancelLook?.()
    open.line.close()
    open.free()
  }
}

/** Who dials with the same credentials the same address can share a connection. */
const keyOf = (target: MachineTarget): string => {
  const { access } = target
  const as = access.kind === 'cluster' ? idOf(access) : `maintenance ${access.pin ?? ''}`
  return `${placeOf(target)} ${as}`
}

/** Machines that have no cluster yet have nothing in common. */
const groupOf = (target: MachineTarget): string =>
  target.access.kind === 'cluster' ? idOf(target.access) : placeOf(target)
