import { once } from 'node:events'
import { createServer } from 'node:net'
import { problem } from '#base/problem.ts'
import { addressesFrom } from './simulate-addresses.ts'

/** Where the machines of a demo are, and where their Kubernetes API is. */
export interface DemoAddresses {
  /** Of the control plane first, then of the workers. */
  readonly addresses: readonly string[]
  readonly kubernetesPort: number
}

export interface DemoSize {
  readonly controlPlanes: number
  readonly workers: number
}

const TALOS_PORT = 50_000
// The usual one; the others are for computers on which something listens there on all addresses.
const KUBERNETES_PORTS = [6443, 7443, 8443, 9443]
const BLOCKS = Array.from({ length: 64 }, (_, block) => `127.80.${block}.1`)

/** Places that are free at this moment, one after the other; those at the address alone, if one is given. */
export async function* freePlaces(
  { controlPlanes, workers }: DemoSize,
  base?: string,
): AsyncGenerator<DemoAddresses> {
  for (const kubernetesPort of KUBERNETES_PORTS) {
    for (const first of base === undefined ? BLOCKS : [base]) {
      const addresses = addressesFrom(first, controlPlanes + workers)
      const places = [
        ...addresses.map((host) => ({ host, port: TALOS_PORT })),
        ...addresses.slice(0, controlPlanes).map((host) => ({ host, port: kubernetesPort })),
      ]
      if (await areFree(places)) yield { addresses, kubernetesPort }
    }
  }
}

/** What is said when there are none. */
export const noPlace = (base?: string): Error =>
  problem({
    what: `there is no room for the machines of a demo ${base ? `from ${base} on` : 'at 127.80.0.1 to 127.80.63.254'}`,
    why: `something listens there, on port ${TALOS_PORT} or on ports ${KUBERNETES_PORTS.join(', ')}`,
    remedy: 'stop it, or choose other addresses (--address-base)',
  })

interface Place {
  readonly host: string
  readonly port: number
}

async function areFree(places: readonly Place[]): Promise<boolean> {
  for (const place of places) if (!(await isFree(place))) return false
  return true
}

/** Whether nobody listens there. An address that this computer does not have is as free as any. */
async function isFree(place: Place): Promise<boolean> {
  const server = createServer()
  try {
    await once(server.listen({ ...place, exclusive: true }), 'listening')
    return true
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')
  } finally {
    await new Promise((resolve) => server.close(resolve))
  }
}
