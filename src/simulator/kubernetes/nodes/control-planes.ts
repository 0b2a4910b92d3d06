import type { ControlPlaneFacts } from '#simulator/kubernetes/cluster-kubernetes.ts'

/** The control planes whose API servers run. */
export class ControlPlanes {
  readonly #byAddress = new Map<string, { facts: ControlPlaneFacts; since: Date }>()

  up(facts: ControlPlaneFacts, now: Date): void {
    this.#byAddress.set(facts.address, { facts, since: now })
  }

  down(address: string): void {
    this.#byAddress.delete(address)
  }

  all(): ControlPlaneFacts[] {
    return [...this.#byAddress.values()].map(({ facts }) => facts)
  }

  /** When its present facts were told. */
  since(address: string): Date {
    return this.#byAddress.get(address)?.since ?? new Date(0)
  }

  on(nodeName: string): ControlPlaneFacts | undefined {
    return this.all().find((one) => one.nodeName === nodeName)
  }
}
