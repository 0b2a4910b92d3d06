import { ProvidedMachine } from '#api/provided-machine.ts'
import { systemClock } from '#base/clock.ts'
import type { Log } from '#base/log.ts'
import { messageOf } from '#base/operator-error.ts'
import { problem } from '#base/problem.ts'
import type { KubeClient } from '#kube/client.ts'
import { MachineProvider } from '#simulator/provider/machine-provider.ts'
import type { Simulation } from '#simulator/start-simulation.ts'
import { openManagementApi } from './management-api.ts'

/** Whose Machines are made, as the command line says. */
export interface ProviderFlags {
  /** The name, or that there is one. */
  readonly provider?: string | true
  readonly kubeconfig?: string
  readonly context?: string
  readonly namespace?: readonly string[]
}

interface ProviderOptions {
  readonly simulation: Simulation
  readonly addresses: readonly string[]
  readonly talosVersion: string
  readonly log: Log
  readonly signal: AbortSignal
}

/** What Machines call it that ask for simulated machines. */
const PROVIDER = 'simulated'

const FIRST_CALL_MS = 10_000

/** What is said of a provider though there is to be none is a mistake. */
export function checkProviderFlags({ provider, ...flags }: ProviderFlags): void {
  const lone = (['kubeconfig', 'context', 'namespace'] as const).find((flag) => flags[flag])
  if (provider || !lone) return
  throw problem({
    what: `--${lone} is for --provider, which is not there`,
    why: 'without it the machines follow no API',
    remedy: `add --provider, or leave --${lone} out`,
  })
}

/** Makes the machines that the Machines of an API ask for, until it is disposed of. Rejects if there are no Machines to follow. */
export async function startProvider(
  { provider, namespace: namespaces = [], ...flags }: ProviderFlags,
  { signal, ...options }: ProviderOptions,
): Promise<AsyncDisposable> {
  const { client, [Symbol.dispose]: close } = await openManagementApi(flags, signal)
  try {
    await checkMachines(client, namespaces, signal)
    const name = typeof provider === 'string' ? provider : PROVIDER
    const started = new MachineProvider({
      ...{ ...options, client, name, namespaces, clock: systemClock },
    })
    return {
      [Symbol.asyncDispose]: async () => {
        await started[Symbol.asyncDispose]()
        close()
      },
    }
  } catch (error) {
    close()
    throw error
  }
}

/** Whether there is an API, and whether it knows Machines: later nobody would be told. */
async function checkMachines(
  client: KubeClient,
  [namespace]: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  try {
    const options = { signal, deadlineMs: FIRST_CALL_MS }
    await client.list(ProvidedMachine, namespace === undefined ? {} : { namespace }, options)
  } catch (error) {
    throw problem({
      what: 'the Machines (vitistack.io) of the API cannot be listed',
      why: messageOf(error),
      remedy: 'see that it runs and has the CRDs of the operator, or choose another (--kubeconfig)',
    })
  }
}
