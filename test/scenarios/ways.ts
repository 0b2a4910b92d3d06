import type { ApiAccess, Carry } from '#kube/access.ts'
import type { SimulationOptions } from '#simulator/start-simulation.ts'
import type { Dial } from '#talos/line.ts'
import type { Send } from '#test/conformance/kubernetes/https-json.ts'

/** A way to the API for one operator, which ends with it. */
export interface Gate extends AsyncDisposable {
  access: ApiAccess
}

/** How the parts of a world reach each other: over TLS, or within the process. */
export interface Ways extends AsyncDisposable {
  /** Calls the API as an administrator. */
  readonly send: Send
  /** Opens a way to the API whose requests are all led through something. */
  openGate(through: (onward: Carry) => Carry): Promise<Gate>
  readonly simulation: Pick<SimulationOptions, 'port' | 'kubernetesPort' | 'reach'>
  /** Where the APIs of clusters are. */
  readonly kubernetesPort: number
  /** How machines are called. */
  readonly talos: { readonly port?: number; readonly dial?: Dial }
  /** How the APIs of clusters are called. */
  readonly nodes: { readonly carry?: Carry }
}
