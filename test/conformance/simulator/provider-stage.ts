import { ProvidedMachine } from '#api/provided-machine.ts'
import { systemClock } from '#base/clock.ts'
import type { KubeClient } from '#kube/client.ts'
import { createLog } from '#runtime/log.ts'
import { parseFault } from '#simulator/faults/parse-fault.ts'
import { MachineProvider } from '#simulator/provider/machine-provider.ts'
import { type Simulation, startSimulation } from '#simulator/start-simulation.ts'
import { quietLog } from '#test/quiet-log.ts'
import { until } from '#test/until.ts'

interface StageOptions {
  readonly client: KubeClient
  readonly namespace: string
  /** `127.63.1`: only this test has it. */
  readonly subnet: string
  /** How many addresses the provider has. */
  readonly addresses?: number
  readonly name?: string
}

const SPEED = 200

/** For one test: machines, a provider for one namespace, and what users do with Machines there. */
export class ProviderStage implements AsyncDisposable {
  simulation: Simulation
  provider: MachineProvider
  /** Of the providers. */
  readonly log: string[] = []
  readonly #options: StageOptions

  constructor(options: StageOptions, simulation: Simulation) {
    this.#options = options
    this.simulation = simulation
    this.provider = this.#start()
  }

  get client(): KubeClient {
    return this.#options.client
  }

  address(number: number): string {
    return `${this.#options.subnet}.${number}`
  }

  async create(name: string, spec: NonNullable<ProvidedMachine['spec']> = {}): Promise<void> {
    const { client, namespace } = this.#options
    await client.create(ProvidedMachine, { metadata: { name, namespace }, spec })
  }

  find(name: string): Promise<ProvidedMachine | undefined> {
    const { client, namespace } = this.#options
    return client.find(ProvidedMachine, { name, namespace })
  }

  async remove(name: string): Promise<void> {
    const { client, namespace } = this.#options
    await client.remove(ProvidedMachine, { name, namespace })
  }

  /** As a user who is tired of waiting does. */
  async forceRemove(name: string): Promise<void> {
    const { client, namespace } = this.#options
    await client.patch(
      ProvidedMachine,
      { name, namespace },
      { type: 'merge', body: { metadata: { finalizers: null } } },
    )
    await this.remove(name)
  }

  async gone(name: string): Promise<void> {
    await until(
      `${name} to be gone`,
      () => this.find(name),
      (found) => found === undefined,
    )
  }

  /** Until the Machine says so in its Ready condition. */
  says(name: string, reason: string): Promise<ProvidedMachine | undefined> {
    return until(
      `${name} to say ${reason}`,
      () => this.find(name),
      (found) => readyOf(found)?.reason === reason,
    )
  }

  /** Until the machine runs at the address. */
  runs(name: string, address: string): Promise<ProvidedMachine | undefined> {
    return until(
      `${name} to run at ${address}`,
      () => this.find(name),
      (found) => readyOf(found)?.status === 'True' && found?.status?.ipAddresses?.[0] === address,
    )
  }

  fault(text: string): () => void {
    return this.simulation.fleet.faults.add(parseFault(text))
  }

  /** Ends the provider, and starts another one: on the same machines, or, as after a crash, on none. */
  async restart({ forgetful = false } = {}): Promise<void> {
    await this.stop()
    if (forgetful) {
      await this.simulation[Symbol.asyncDispose]()
      this.simulation = await simulate()
    }
    this.start()
  }

  async stop(): Promise<void> {
    await this.provider[Symbol.asyncDispose]()
  }

  start(): void {
    this.provider = this.#start()
  }

  #start(): MachineProvider {
    const { client, namespace, addresses = 4, name = 'simulated' } = this.#options
    return new MachineProvider({
      ...{ client, name, simulation: this.simulation, clock: systemClock },
      log: createLog({ level: 'debug', write: (line) => this.log.push(line) }),
      ...{ namespaces: [namespace], talosVersion: 'v1.13.0' },
      addresses: Array.from({ length: addresses }, (_, at) => this.address(at + 1)),
    })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop()
    await this.simulation[Symbol.asyncDispose]()
  }
}

export const aProviderStage = async (options: StageOptions): Promise<ProviderStage> =>
  new ProviderStage(options, await simulate())

const simulate = (): Promise<Simulation> =>
  startSimulation({ machines: [], log: quietLog(), speed: SPEED })

export const readyOf = (machine: ProvidedMachine | undefined) =>
  machine?.status?.conditions?.find(({ type }) => type === 'Ready')
