import { once } from 'node:events'
import { createServer } from 'node:net'
import type { ControlPlane } from '#api/control-plane.ts'
import { Secret } from '#api/foreign.ts'
import { kinds } from '#api/kinds.ts'
import { MACHINE_UUID } from '#api/labels.ts'
import { Machine } from '#api/machine.ts'
import { sleep } from '#base/clock.ts'
import { secretsDraft } from '#engine/cluster-secrets.ts'
import { generateBundle } from '#machineconfig/secrets/generate-bundle.ts'
import { parseFault } from '#simulator/faults/parse-fault.ts'
import type { Fleet } from '#simulator/fleet/fleet.ts'
import { type Simulation, startSimulation } from '#simulator/start-simulation.ts'
import { type AnApi, anApi } from '#test/an-api.ts'
import { quietLog } from '#test/quiet-log.ts'
import { Boundary, type Call, type Interruption } from './boundary.ts'
import type { Known } from './machine-gate.ts'
import { NEWEST, talosCluster, type Versions } from './manifests.ts'
import { Objects, OURS } from './objects.ts'
import { RacingClock } from './racing-clock.ts'
import { type AnOperator, startOperator } from './running-operator.ts'

interface WorldOptions {
  /** `127.80.1`: only this test file has it. */
  subnet: string
  /** How many machines there are, at `.1`, `.2` …, all of one version. */
  machines: number
  versions?: Versions
}

// While a machine is on its way it is looked at each second, and each look takes milliseconds.
const SPEED = 10
const LOOK_EVERY_MS = 1_000
const LONGEST_WAIT_MS = 3 * 3_600_000

/** The operator, an API and simulated machines in this process, on one clock that races. */
export class World implements AsyncDisposable {
  readonly clock: RacingClock
  readonly objects: Objects
  readonly boundary: Boundary
  readonly fleet: Fleet
  /** Of the operators, the dead ones too. */
  readonly log: string[] = []
  readonly #parts: Parts
  #operator: Promise<AnOperator>
  #ending: Promise<unknown> = Promise.resolve()

  constructor(parts: Parts) {
    this.#parts = parts
    this.clock = parts.clock
    this.objects = new Objects(parts.api)
    this.boundary = new Boundary(() => parts.clock.now())
    this.fleet = parts.simulation.fleet
    this.#operator = this.#start()
  }

  /** All calls of the operators that change something, in their order. */
  get history(): readonly Call[] {
    return this.boundary.history
  }

  /** The address of a machine, by its number from 1 on. */
  address(number: number): string {
    return `${this.#parts.subnet}.${number}`
  }

  /** A cluster on machines of these numbers; its endpoint is the first control plane. */
  cluster(name: string, controlPlanes: readonly number[], workers: readonly number[]) {
    const [first = 0] = controlPlanes
    return talosCluster({
      name,
      endpoint: `https://${this.address(first)}:${this.#parts.kubernetesPort}`,
      controlPlanes: controlPlanes.map((number) => this.address(number)),
      workers: workers.map((number) => this.address(number)),
      versions: this.#parts.versions,
    })
  }

  /** Secrets for a cluster that is to be, as a user may bring them: to make new ones takes seconds. */
  async bringSecrets(cluster: string): Promise<void> {
    const now = this.clock.now()
    const bundle = await generateBundle({ talosVersion: 'v1.6.0', now })
    const controlPlane = { metadata: { name: cluster } } as ControlPlane // as far as it is looked at
    await this.objects.create(Secret, secretsDraft(controlPlane, bundle, {}).open())
  }

  /** Waits until it is so. Fails after hours of this world, with all that its objects say. */
  async until(what: string, isSo: () => boolean | Promise<boolean>): Promise<void> {
    const end = this.clock.monotonicMs() + LONGEST_WAIT_MS
    while (!(await isSo())) {
      if (this.clock.monotonicMs() > end) {
        throw new Error(`waited in vain for ${what}\n${await this.describe()}`)
      }
      await sleep(this.clock, LOOK_EVERY_MS)
    }
  }

  async pass(minutes: number): Promise<void> {
    await sleep(this.clock, minutes * 60_000)
  }

  /** Kills the operator instead of letting it make a call; another one starts. */
  killBefore(at: Interruption['at']): void {
    this.boundary.interrupt({ how: 'killed before', at })
  }

  /** Kills the operator before it hears of a call that was made; another one starts. */
  killAfter(at: Interruption['at']): void {
    this.boundary.interrupt({ how: 'killed after', at })
  }

  loseReplyOf(at: Interruption['at']): void {
    this.boundary.interrupt({ how: 'reply lost', at })
  }

  /** `unreachable`, `how=silent` for the machine of a number. The answer ends it. */
  fault(kind: string, number: number, ...options: string[]): () => void {
    return this.fleet.faults.add(
      parseFault([`${kind}:${this.address(number)}`, ...options].join(',')),
    )
  }

  /** Ends the operator as it should be ended, and starts another. */
  async restartOperator(): Promise<void> {
    await this.stopOperator()
    this.startOperator()
  }

  async stopOperator(): Promise<void> {
    await (await this.#operator).stop()
  }

  startOperator(): void {
    this.#operator = this.#start()
  }

  /** Every object of ours with its conditions, for messages. */
  async describe(): Promise<string> {
    const all = await Promise.all(OURS.map((kind) => this.objects.list(kind)))
    const objects = all.flat().map(({ kind, metadata, status }) => {
      const conditions = (status?.conditions ?? []).map(
        ({ type, status: is, reason, message }) => `    ${type}=${is} ${reason}: ${message}`,
      )
      return [`${kind} ${metadata.name}`, ...conditions].join('\n')
    })
    const machines = this.fleet.machines.map(({ address, stage }) => `${address}: ${stage}`)
    return [...objects, ...machines].join('\n')
  }

  #start(): Promise<AnOperator> {
    const { api, clock, port } = this.#parts
    return startOperator({
      ...{ api, clock, port, boundary: this.boundary },
      lookAt: (address) => this.#lookAt(address),
      loseReply: (address, call) =>
        this.fleet.faults.add(parseFault(`loses-reply:${address},call=${call}`)),
      write: (line) => this.log.push(line),
      onDeath: () => this.#replace(),
    })
  }

  #replace(): void {
    const dead = this.#operator
    this.#ending = Promise.all([this.#ending, dead.then((one) => one.kill())])
    this.#operator = this.#start()
  }

  async #lookAt(address: string): Promise<Known> {
    const machine = this.fleet.machine(address)
    const uuid = machine?.hardware.uuid ?? ''
    const claims = (await this.objects.list(Machine))
      .filter(({ metadata }) => metadata.annotations?.[MACHINE_UUID] === uuid)
      .map(({ metadata }) => ({
        name: metadata.name,
        isLeaving: metadata.deletionTimestamp !== undefined,
      }))
    return { uuid, stage: machine?.stage ?? 'off', claims }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await (await this.#operator).kill()
    await this.#ending
    await this.#parts.simulation[Symbol.asyncDispose]()
    await this.#parts.api[Symbol.asyncDispose]()
    this.clock[Symbol.dispose]()
  }
}

interface Parts {
  clock: RacingClock
  api: AnApi
  simulation: Simulation
  subnet: string
  port: number
  kubernetesPort: number
  versions: Versions
}

/** Starts a world in which machines boot and an operator waits for something to do. */
export async function aWorld(options: WorldOptions): Promise<World> {
  const { subnet, machines, versions = NEWEST } = options
  const [port, kubernetesPort] = [await freePort(`${subnet}.1`), await freePort(`${subnet}.1`)]
  const clock = new RacingClock()
  const api = await anApi({ clock, kinds })
  const simulation = await startSimulation({
    machines: Array.from({ length: machines }, (_, at) => ({
      address: `${subnet}.${at + 1}`,
      talosVersion: versions.talos,
    })),
    ...{ clock, port, kubernetesPort, speed: SPEED, log: quietLog() },
  })
  // Not before: what waits by the time of the computer would wait for hours.
  clock.start()
  return new World({ clock, api, simulation, subnet, port, kubernetesPort, versions })
}

/** One that nobody listens on, at an address that only these tests use. */
async function freePort(host: string): Promise<number> {
  const server = createServer().listen(0, host)
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' && address ? address.port : 0
}
