import type { Client } from '@grpc/grpc-js'
import type { Cancel, Clock } from '#base/clock.ts'
import { forwardAbort } from '#base/deadline.ts'
import { onAbort } from '#base/on-abort.ts'
import { shareRuns } from '#base/share-runs.ts'
import { isConnected } from './channel.ts'
import { dial } from './dial.ts'
import { channelTarget, type MachineTarget } from './machine-target.ts'
import { idOf, SecureContexts } from './secure-contexts.ts'
import { type Release, Slots } from './slots.ts'

export interface ConnectionLimits {
  /** How long a machine may take until it can be asked something. */
  dialMs: number
  /** Dials under way at once: each takes 5 ms of CPU, and the memory of a TLS handshake. */
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
  client: Client
  /** Called when all connections are ended while this one is in use. */
  onEnd: () => void
  /** Says that it may be dead: nobody else gets it, and it is closed when those who use it are done. */
  distrust: () => void
  /** Says that it is not used any more. */
  release: Release
}

interface Open {
  client: Client
  users: Set<object>
  /** When the last one left. */
  idleSinceMs: number
  /** Looks whether it is idle; undefined: nobody looks. */
  cancelLook: Cancel | undefined
  /** Gives its place to another. */
  free: Release
  isEnded: boolean
}

/** The connections to machines: dialled when one is needed, shared while it is, closed when idle. */
export class Connections {
  readonly #clock: Clock
  readonly #limits: ConnectionLimits
  readonly #contexts = new SecureContexts()
  readonly #dials: Slots
  readonly #room: Slots
  readonly #open = new Map<string, Open>()
  readonly #dialling = new Map<string, (signal: AbortSignal) => Promise<Open>>()
  readonly #leases = new Set<Lease>()
  readonly #stop = new AbortController()

  constructor(clock: Clock, limits: ConnectionLimits) {
    this.#clock = clock
    this.#limits = limits
    this.#dials = new Slots({ atOnce: limits.dialsAtOnce, perGroup: limits.dialsPerCluster })
    this.#room = new Slots({ atOnce: limits.mostOpen, perGroup: limits.mostOpen })
  }

  /** How many there are. */
  get open(): number {
    return this.#open.size
  }

  /** A connection to this machine: the one that there is, or a new one. */
  async lease(target: MachineTarget, signal: AbortSignal): Promise<Lease> {
    this.#stop.signal.throwIfAborted()
    signal.throwIfAborted()
    const key = keyOf(target)
    const open = this.#connected(key) ?? (await this.#dialled(key, target, signal))
    const lease: Lease = {
      client: open.client,
      onEnd: () => {},
      distrust: () => this.#retire(key, open),
      release: () => {
        this.#leases.delete(lease)
        this.#leave(key, open, lease)
      },
    }
    open.users.add(lease)
    this.#leases.add(lease)
    return lease
  }

  /** Ends all connections, and what goes over them. */
  close(): void {
    this.#stop.abort(new Error('the connections to the machines are closed'))
    for (const lease of this.#leases) lease.onEnd()
    for (const [key, open] of this.#open) this.#end(key, open)
  }

  /** The one that there is. One that broke is forgotten: who comes next dials, and looks who answers. */
  #connected(key: string): Open | undefined {
    const open = this.#open.get(key)
    if (!open || isConnected(open.client)) return open
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
      const free = await this.#makeRoom(until.signal)
      try {
        const client = await this.#inTurn(target, until.signal)
        if (until.signal.aborted) client.close()
        until.signal.throwIfAborted()
        return this.#keep(key, {
          client,
          users: new Set(),
          idleSinceMs: 0,
          cancelLook: undefined,
          free,
          isEnded: false,
        })
      } catch (error) {
        free()
        throw error
      }
    } finally {
      for (const cancel of unlink) cancel()
    }
  }

  /** It counts as used until those who wait for it have taken it up, if they have not left. */
  #keep(key: string, open: Open): Open {
    const dialler = {}
    open.users.add(dialler)
    setImmediate(() => this.#leave(key, open, dialler))
    const before = this.#open.get(key)
    if (before) this.#retire(key, before)
    this.#open.set(key, open)
    return open
  }

  async #inTurn(target: MachineTarget, signal: AbortSignal): Promise<Client> {
    const done = await this.#dials.take(groupOf(target), signal)
    try {
      const { dialMs } = this.#limits
      return await dial(target, { clock: this.#clock, contexts: this.#contexts, dialMs }, signal)
    } finally {
      done()
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
    open.client.close()
    open.free()
  }
}

/** Who dials with the same credentials the same address can share a connection. */
const keyOf = (target: MachineTarget): string => `${channelTarget(target)} ${groupOf(target)}`

const groupOf = ({ access }: MachineTarget): string =>
  access.kind === 'cluster' ? idOf(access) : `maintenance ${access.pin ?? ''}`
