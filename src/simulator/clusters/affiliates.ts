import { isDeepStrictEqual } from 'node:util'
import type { Cancel, Clock } from '#base/clock.ts'
import { patience } from '#simulator/timing.ts'
import type { ClusterMachine } from './cluster-machine.ts'

/** What machines of a cluster hear of one of them. */
export interface Affiliate {
  readonly nodeId: string
  readonly address: string
  readonly hostname: string
  readonly talosVersion: string
  readonly type: 'controlplane' | 'worker'
}

/** Whom the discovery of one cluster knows. It forgets those that are gone only after a while. */
export class Affiliates {
  readonly #clock: Clock
  readonly #known = new Map<string, Affiliate>()
  readonly #forgetting = new Map<string, Cancel>()
  readonly #changed: () => void

  constructor(clock: Clock, changed: () => void) {
    this.#clock = clock
    this.#changed = changed
  }

  /** In the order of their ids. */
  get list(): readonly Affiliate[] {
    return [...this.#known.values()].sort((a, b) => (a.nodeId < b.nodeId ? -1 : 1))
  }

  /** It is there, with these facts. */
  announce(machine: ClusterMachine): void {
    const { nodeId, address, hostname, talosVersion, facts } = machine
    this.#keep(nodeId)
    if (!facts?.hasDiscovery) return
    const affiliate = { nodeId, address, hostname, talosVersion, type: facts.type }
    if (isDeepStrictEqual(this.#known.get(nodeId), affiliate)) return
    this.#known.set(nodeId, affiliate)
    this.#changed()
  }

  /** It went silent. */
  silent(nodeId: string): void {
    if (!this.#known.has(nodeId) || this.#forgetting.has(nodeId)) return
    this.#forgetting.set(
      nodeId,
      this.#clock.after(patience.affiliate * 1000, () => this.forget(nodeId)),
    )
  }

  /** It said that it will not come back. */
  forget(nodeId: string): void {
    this.#keep(nodeId)
    if (this.#known.delete(nodeId)) this.#changed()
  }

  #keep(nodeId: string): void {
    this.#forgetting.get(nodeId)?.()
    this.#forgetting.delete(nodeId)
  }

  [Symbol.dispose](): void {
    for (const nodeId of [...this.#forgetting.keys()]) this.#keep(nodeId)
  }
}
