import type { Clock } from '#base/clock.ts'
import type { NodeFacts } from '#simulator/kubernetes/cluster-kubernetes.ts'

export interface Kubelet {
  facts: NodeFacts
  isUp: boolean
  /** It started, and has not told the API of its node since. */
  mustRegister: boolean
  /** By the clock that never jumps. */
  silentSinceMs: number
}

/** The kubelets of a cluster, as their machines run them. */
export class Kubelets {
  readonly #clock: Clock
  readonly #known = new Map<string, Kubelet>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  up(facts: NodeFacts): void {
    const before = this.#known.get(facts.name)
    const hasStarted =
      !before?.isUp ||
      before.facts.bootId !== facts.bootId ||
      before.facts.kubeletVersion !== facts.kubeletVersion ||
      before.facts.isRegistered !== facts.isRegistered
    const mustRegister = hasStarted || before.mustRegister
    this.#known.set(facts.name, { facts, isUp: true, mustRegister, silentSinceMs: 0 })
  }

  down(name: string): void {
    const known = this.#known.get(name)
    if (!known?.isUp) return
    this.#known.set(name, { ...known, isUp: false, silentSinceMs: this.#clock.monotonicMs() })
  }

  get(name: string): Kubelet | undefined {
    return this.#known.get(name)
  }

  isUp(name: string): boolean {
    return this.#known.get(name)?.isUp ?? false
  }

  names(): string[] {
    return [...this.#known.keys()]
  }

  hasRegistered(name: string): void {
    const known = this.#known.get(name)
    if (known) known.mustRegister = false
  }
}
