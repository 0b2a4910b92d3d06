import { heldTogether } from './held-together.ts'
import { LEAN_NODE, type Subject, startSubject } from './subject.ts'
import type { SimulatorSubject } from './subjects/simulator.ts'

const PORT = 50_000
export const KUBERNETES_PORT = 6443

interface Order {
  addresses: readonly string[]
  talosVersion: string
  /** How much faster than real machines. Left out: nothing takes time. */
  speed?: number
}

/** Pretend machines in a process of its own, which says what they are at and when they are called. */
export type SimulatedFleet = Pick<Subject<SimulatorSubject>, 'ask' | 'memory' | 'startedAtMs'> &
  AsyncDisposable

/** Starts machines with the code of `talos-operator simulate`; resolves when all can be configured. */
export const startFleet = (order: Order): Promise<SimulatedFleet> =>
  heldTogether(async (hold) => {
    const subject = hold(
      await startSubject<SimulatorSubject>('simulator', { node: LEAN_NODE, nodeArgs: [] }),
    )
    await subject.ask('start', { ...order, port: PORT, kubernetesPort: KUBERNETES_PORT })
    return subject
  })
