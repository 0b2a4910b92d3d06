import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ControlPlane } from '#api/control-plane.ts'
import { Secret } from '#api/foreign.ts'
import { MACHINE_UUID } from '#api/labels.ts'
import { Machine } from '#api/machine.ts'
import type { KubeObject } from '#api/meta.ts'
import { sleep } from '#base/clock.ts'
import { isAsAdopted } from '#engine/adoption.ts'
import { secretsDraft } from '#engine/cluster-secrets.ts'
import type { Carry } from '#kube/access.ts'
import { typeMeta } from '#kube/paths.ts'
import { generateBundle } from '#machineconfig/secrets/generate-bundle.ts'
import type { Ports } from '#operator/ports.ts'
import type { Controller } from '#runtime/controller.ts'
import { parseFault } from '#simulator/faults/parse-fault.ts'
import type { Fleet } from '#simulator/fleet/fleet.ts'
import { type Simulation, startSimulation } from '#simulator/start-simulation.ts'
import { quietLog } from '#test/quiet-log.ts'
import { type AProvider, aProvider } from './a-provider.ts'
import { Boundary, type Call, type Interruption } from './boundary.ts'
import { ApiFaults } from './faults-of-api.ts'
import { heldBy } from './held-by.ts'
import { inProcessWays } from './in-process-ways.ts'
import { kubernetesAround } from './kubernetes-around.ts'
import { type Known, MachineGate } from './machine-gate.ts'
import { NEWEST, talosCluster, type Versions } from './manifests.ts'
import { APPLIED, Objects } from './objects.ts'
import { anOnlooker, type Onlooker } from './onlooker.ts'
import { type DoorsOptions, type OperatorDoors, openDoors } from './operator-doors.ts'
import { partAround, Readiness } from './part-around.ts'
import { providedAround } from './provided-around.ts'
import { RacingClock } from './racing-clock.ts'
import { type AnOperator, startOperator } from './running-operator.ts'
import { tlsWays } from './tls-ways.ts'
import { turnsAround } from './turns-around.ts'
import { undrainedOn } from './undrained.ts'
import type { Ways } from './ways.ts'

interface WorldOptions {
  /** `127.80.1`: only this test file has it. */
  subnet: string
  /** How many machines there are, at `.1`, `.2` …, all of one version. */
  machines: number
  versions?: Versions
  /** How much faster than real ones machines are. Left out: 10. The faster, the less often they are looked at. */
  speed?: number
  /** `real`: TLS between all. Left out: all within this process, which is many times faster. */
  wire?: 'real'
  /** Names of the system extensions in images of a schematic, by its id. Left out: there are none. */
  extensions?: ReadonlyMap<string, readonly string[]>
  /** Whether something can be wrong with the API: that costs a little even while nothing is. */
  hasApiFaults?: boolean
  /** The controllers of its operators, if not those of the one that is shipped. */
  controllers?: (ports: Ports) => readonly Controller[]
  /** The variables that its operators are given. */
  env?: Readonly<Record<string, string>>
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
  /** Nothing goes through it unless the world was asked for it. */
  readonly apiFaults: ApiFaults
  /** Of the operators, the dead ones too. */
  readonly log: string[] = []
  /** Where they write the manifests of Machines to. Not there before. */
  readonly resultsFolder = join(tmpdir(), `talos-operator-results-${randomUUID()}`)
  readonly #parts: Parts
  readonly #readiness: Readiness
  #operator: Promise<AnOperator>
  #ending: Promise<unknown> = Promise.resolve()
  readonly #providers: AProvider[] = []

  constructor(parts: Parts) {
    this.#parts = parts
    this.clock = parts.clock
    this.objects = new Objects(parts.ways)
    this.fleet = parts.simulation.fleet
    const now = () => parts.clock.now()
    this.boundary = new Boundary(now, () => this.objects.asked)
    this.#readiness = new Readiness(this.fleet, now)
    this.apiFaults = new ApiFaults(() => parts.clock.monotonicMs())
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

  /** How the APIs of clusters are reached by somebody else than the operator. */
  get carry(): Carry {
    const { carry } = this.#parts.ways.nodes
    if (!carry) throw new Error('they are reached over TLS')
    return (request) => this.clock.during(() => carry(request))
  }

  /** A cluster on machines of these numbers; its endpoint is the first control plane. */
  cluster(name: string, controlPlanes: readonly number[], workers: readonly number[]) {
    const [first = 0] = controlPlanes
    return talosCluster({
      name,
      endpoint: `https://${this.address(first)}:${this.#parts.ways.kubernetesPort}`,
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

  /** The machine of a number is at the address of another one from now on, where it boots if it is on. */
  move(from: number, to: number): Promise<void> {
    return this.#parts.simulation.move(this.address(from), this.address(to))
  }

  /** Ends the operator as it should be ended, and starts another. */
  async restartOperator(): Promise<void> {
    const old = this.#operator
    await (await old).stop()
    // One that died meanwhile has a successor.
    if (this.#operator === old) this.startOperator()
  }

  /** Ends the operator as `kill -9` would, at whatever it is; another one starts. */
  killNow(): void {
    this.#replace()
  }

  /** What the operator counts and measures. */
  async metrics(): Promise<string> {
    return (await this.#operator).metrics()
  }

  async stopOperator(): Promise<void> {
    await (await this.#operator).stop()
  }

  startOperator(): void {
    this.#operator = this.#start()
  }

  /** For a process that works as an operator does, and is none of this world's own. */
  openDoors(kill: () => void): Promise<OperatorDoors> {
    return openDoors({ ...this.#doors, kill })
  }

  /** Somebody besides the operator, whose calls are written down apart from its own. */
  onlooker(): Promise<Onlooker> {
    const { ways, clock } = this.#parts
    return anOnlooker({ ways, clock, lookAt: (address) => this.#lookAt(address) })
  }

  /** A provider that boots machines for Machine objects, at the addresses of these numbers. It ends with the world. */
  async provider(numbers: readonly number[]): Promise<AProvider> {
    const { ways, clock, simulation, versions } = this.#parts
    const addresses = numbers.map((number) => this.address(number))
    const talosVersion = versions.talos
    const provider = await aProvider({ ways, clock, simulation, addresses, talosVersion })
    this.#providers.push(provider)
    return provider
  }

  /** Machines as somebody else calls them, of whom the operator knows nothing. */
  machinesOfSomebodyElse(): MachineGate {
    const { ways, clock } = this.#parts
    const nothing = () => undefined
    return new MachineGate({
      ...{ clock, talos: ways.talos, boundary: new Boundary(() => clock.now()) },
      lookAt: (address) => this.#lookAt(address),
      ...{ isRefusing: () => false, loseReply: nothing, kill: nothing },
    })
  }

  /** Every object of ours with its conditions, for messages. */
  async describe(): Promise<string> {
    const all = await Promise.all(APPLIED.map((kind) => this.objects.list(kind)))
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
    return startOperator({
      ...this.#doors,
      resultsFolder: this.resultsFolder,
      ...{ controllers: this.#parts.controllers, env: this.#parts.env },
      write: (line) => this.log.push(line),
      onDeath: () => this.#replace(),
    })
  }

  get #doors(): Omit<DoorsOptions, 'kill'> {
    const { ways, clock } = this.#parts
    return {
      ...{ ways, clock, boundary: this.boundary },
      apiFaults: this.#parts.hasApiFaults ? this.apiFaults : undefined,
      lookAt: (address) => this.#lookAt(address),
      lookAtProvided: (sent) => providedAround(this.objects, sent),
      isRefusing: (address) => this.#isRefusing(address),
      loseReply: (address, call) =>
        this.fleet.faults.add(parseFault(`loses-reply:${address},call=${call}`)),
    }
  }

  #replace(): void {
    this.boundary.noteDeath()
    const dead = this.#operator
    this.#ending = Promise.all([this.#ending, dead.then((one) => one.kill())])
    this.#operator = this.#start()
  }

  async #lookAt(address: string): Promise<Known> {
    const machine = this.fleet.machine(address)
    const uuid = machine?.hardware.uuid ?? ''
    const all: KubeObject[] = (
      await Promise.all(APPLIED.map((kind) => this.objects.list(kind)))
    ).flat()
    const claimed = all.filter(({ metadata }) => metadata.annotations?.[MACHINE_UUID] === uuid)
    return {
      ...{ uuid, stage: machine?.stage ?? 'off' },
      ...{ version: machine?.talosVersion ?? '', bootId: machine?.bootId ?? '' },
      claims: claimed.map(({ metadata }) => ({
        ...{ name: metadata.name, uid: metadata.uid },
        isLeaving: metadata.deletionTimestamp !== undefined,
        isAsAdopted: isAsAdopted({ ...typeMeta(Machine), metadata }),
      })),
      turns: turnsAround(claimed, all),
      part: partAround(claimed, all, this.#readiness),
      node: machine?.hostname ?? '',
      kubernetes: kubernetesAround(this.fleet, address, { claimed, all }),
      held: claimed.map((one) => heldBy(one, all)).find((one) => one !== undefined),
      etcd: isClusterLeaving(claimed, all) ? undefined : this.#etcdAround(address),
      undrained: await undrainedOn(this.fleet, uuid, { claimed, all }),
    }
  }

  /** The members of the etcd that a machine is, or was, a member of. Of a cluster that was recovered, the last one counts. */
  #etcdAround(address: string): Known['etcd'] {
    const isOwn = ({ peerUrls }: { peerUrls: readonly string[] }) =>
      peerUrls.some((url) => url.includes(`//${address}:`))
    return this.fleet.clusters
      .flatMap(({ halves }) => halves.slice(-1))
      .find(({ etcd }) => etcd.members.some(isOwn))
      ?.etcd.members.map((member) => ({
        ...{ id: member.id, isRunning: member.isRunning },
        ...{ isVoter: !member.isLearner, isOwn: isOwn(member) },
      }))
  }

  #isRefusing(address: string): boolean {
    const uuid = this.fleet.machine(address)?.hardware.uuid ?? ''
    const machine = { address, uuid, hostname: '' }
    return this.fleet.faults.find('rejects-config', machine) !== undefined
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const provider of this.#providers) await provider[Symbol.asyncDispose]()
    await (await this.#operator).kill()
    await this.#ending
    await rm(this.resultsFolder, { recursive: true, force: true })
    await this.#parts.simulation[Symbol.asyncDispose]()
    await this.#parts.ways[Symbol.asyncDispose]()
    this.clock[Symbol.dispose]()
  }
}

/** Whether the control plane of a machine is deleted, or gone already: then there is no quorum to keep. */
function isClusterLeaving(claimed: readonly KubeObject[], all: readonly KubeObject[]): boolean {
  const names = claimed.map((one) => Object(one).spec?.controlPlaneRef?.name)
  const staying = all.filter(
    ({ kind, metadata }) => kind === ControlPlane.kind && metadata.deletionTimestamp === undefined,
  )
  return !staying.some(({ metadata }) => names.includes(metadata.name))
}

interface Parts {
  clock: RacingClock
  ways: Ways
  simulation: Simulation
  subnet: string
  versions: Versions
  hasApiFaults: boolean
  controllers: WorldOptions['controllers']
  env: Readonly<Record<string, string>>
}

/** Starts a world in which machines boot and an operator waits for something to do. */
export async function aWorld(options: WorldOptions): Promise<World> {
  const { subnet, machines, versions = NEWEST, speed = SPEED, wire } = options
  const { hasApiFaults = false, controllers, env = {} } = options
  const clock = new RacingClock({ isAlone: wire === undefined })
  const ways = await (wire === 'real' ? tlsWays({ clock, subnet }) : inProcessWays(clock))
  const simulation = await startSimulation({
    machines: Array.from({ length: machines }, (_, at) => ({
      address: `${subnet}.${at + 1}`,
      talosVersion: versions.talos,
    })),
    ...{ clock, speed, log: quietLog(), ...ways.simulation },
    ...(options.extensions && { extensions: options.extensions }),
  })
  // Not before: what waits by the time of the computer would wait for hours.
  clock.start()
  return new World({
    ...{ clock, ways, simulation, subnet, versions },
    hasApiFaults,
    controllers,
    env,
  })
}
