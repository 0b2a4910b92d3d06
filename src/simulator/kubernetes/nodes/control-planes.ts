import { isDeepStrictEqual } from 'node:util'
import type {
  ControlPlaneComponent,
  ControlPlaneFacts,
} from '#simulator/kubernetes/cluster-kubernetes.ts'
import { COMPONENTS } from './static-pod.ts'

interface Known {
  facts: ControlPlaneFacts
  since: ReadonlyMap<ControlPlaneComponent, Date>
}

/** The control planes that run their static pods, or are about to. */
export class ControlPlanes {
  readonly #byAddress = new Map<string, Known>()

  up(facts: ControlPlaneFacts, now: Date): void {
    const before = this.#byAddress.get(facts.address)
    const since = COMPONENTS.map((name) => {
      const isSame = isDeepStrictEqual(before?.facts.components[name], facts.components[name])
      return [name, (isSame && before?.since.get(name)) || now] as const
    })
    this.#byAddress.set(facts.address, { facts, since: new Map(since) })
  }

  down(address: string): void {
    this.#byAddress.delete(address)
  }

  all(): ControlPlaneFacts[] {
    return [...this.#byAddress.values()].map(({ facts }) => facts)
  }

  /** Those whose API servers run. */
  serving(): ControlPlaneFacts[] {
    return this.all().filter(({ components }) => components['kube-apiserver'].state === 'running')
  }

  /** When the present facts of a component were told. */
  since(address: string, component: ControlPlaneComponent): Date {
    return this.#byAddress.get(address)?.since.get(component) ?? new Date(0)
  }

  on(nodeName: string): ControlPlaneFacts | undefined {
    return this.all().find((one) => one.nodeName === nodeName)
  }
}
