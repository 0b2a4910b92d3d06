import { finalizerOf } from '#api/meta.ts'
import { ProvidedMachine } from '#api/provided-machine.ts'
import type { Clock } from '#base/clock.ts'
import type { Log } from '#base/log.ts'
import { messageOf } from '#base/operator-error.ts'
import { isNotFound } from '#kube/api-error.ts'
import type { Cached } from '#kube/cache.ts'
import type { KubeClient } from '#kube/client.ts'
import type { FaultTarget } from '#simulator/faults/fault.ts'
import type { ProviderFaultName } from '#simulator/faults/fault-kinds.ts'
import type { SimulatedMachine } from '#simulator/machine/simulated-machine.ts'
import type { Simulation } from '#simulator/start-simulation.ts'
import { durationMs } from '#simulator/timing.ts'
import { AddressRange } from './address-range.ts'
import { changesOf, providedStatus, type SeenMachine, type Standing } from './provided-status.ts'
import { tagOf } from './tag.ts'
import type { Waits } from './waits.ts'
import { type Refusal, type WantedMachine, wantedMachine } from './wanted-machine.ts'

export interface RealiserOptions {
  readonly simulation: Simulation
  readonly client: Pick<KubeClient, 'patch'>
  readonly clock: Clock
  readonly log: Log
  /** By which Machines ask for this provider. */
  readonly name: string
  readonly addresses: readonly string[]
  /** What machines boot whose Machine does not say. */
  readonly talosVersion: string
  readonly waits: Waits
  readonly signal: AbortSignal
  /** All Machines, as they were last seen. */
  machines(): readonly Given[]
}

type Given = Cached<ProvidedMachine>

const DEADLINE_MS = 10_000
const TRY_AGAIN_MS = 30_000

/** Makes of one Machine what it asks for. Each look is safe to repeat, and writes nothing where nothing is to be changed. */
export class Realiser {
  readonly #options: RealiserOptions
  readonly #range: AddressRange

  constructor(options: RealiserOptions) {
    this.#options = options
    const { simulation, addresses } = options
    this.#range = new AddressRange(
      addresses,
      (address) => simulation.fleet.machine(address) !== undefined,
    )
  }

  /** Does what there is to do now. What has to be waited for touches the Machine again. */
  async look(object: Given): Promise<void> {
    if (!this.#isOurs(object) || this.#fault('provider-silent', object)) return
    if (isLeaving(object)) return this.#letGo(object)
    if (!holds(object)) return this.#hold(object)
    const made = await this.#make(object)
    await this.#say(object, made.standing, made.wanted)
  }

  /** Takes a machine away for which there is no Machine. */
  async remove(tag: string): Promise<void> {
    const { simulation, log } = this.#options
    const machine = this.#tagged(tag)
    if (!machine) return
    log.info('machine removed', { machine: tag, address: machine.address })
    await simulation.remove(machine.address)
  }

  /** Whoever has begun with a Machine keeps it; else the spec says who is meant, or anybody is. */
  #isOurs({ spec, status }: Given): boolean {
    const { name } = this.#options
    if (status?.provider) return status.provider === name
    return !spec?.provider || spec.provider === name
  }

  async #make(object: Given): Promise<{ standing: Standing; wanted: WantedMachine | Refusal }> {
    const wanted = wantedMachine(object, this.#options.talosVersion)
    const failure = this.#failure(object)
    if (failure) return { wanted, standing: { is: 'failed', why: failure } }
    if ('reason' in wanted) return { wanted, standing: { is: 'failed', why: wanted } }
    const machine = this.#tagged(tagOf(object))
    if (!machine) return { wanted, standing: await this.#boot(object, wanted) }
    await this.#moveIfToldTo(object, machine)
    const hasBooted = machine.bootId !== '' || this.#isKnown(object, machine) || !machine.isOn
    return { wanted, standing: { is: hasBooted ? 'made' : 'creating' } }
  }

  async #boot(object: Given, wanted: WantedMachine): Promise<Standing> {
    const { simulation, log } = this.#options
    const { clock } = simulation.fleet
    // It is written down whose it is before anything is made.
    if (object.status?.provider === undefined || !this.#isTimeUp(object)) return { is: 'creating' }
    if (!this.#waited(object, 'creation', { clock, ms: durationMs('createMachine', () => 0.5) })) {
      return { is: 'creating' }
    }
    const address = this.#chooseFor(object, wanted.address)
    if (typeof address !== 'string') return { is: 'waiting', why: address }
    const { talosVersion, schematic, hardware } = wanted
    const machine = { address, talosVersion, hardware, tag: tagOf(object) }
    try {
      await simulation.add({ ...machine, ...(schematic !== undefined && { schematic }) })
    } catch (error) {
      this.#range.exclude(address, error)
      throw error
    }
    log.info('machine made', { machine: tagOf(object), address })
    return { is: 'creating' }
  }

  #chooseFor(object: Given, wanted: string | undefined): string | Refusal {
    // One that leaves has its address for as long as its machine is there, and no longer.
    const others = this.#options
      .machines()
      .filter((one) => one !== object && this.#isOurs(one) && !isLeaving(one))
    const asked = {
      wanted,
      last: object.status?.ipAddresses?.[0],
      reserved: new Set(others.flatMap(promisedTo)),
    }
    const address = this.#range.choose(asked)
    if (typeof address === 'string' || !this.#mayTryAgain(object)) return address
    this.#range.include()
    return this.#range.choose(asked)
  }

  /** Whatever listens where a machine should be may have ended meanwhile. */
  #mayTryAgain(object: Given): boolean {
    const { clock, waits } = this.#options
    const [tag, reason] = [tagOf(object), 'addresses']
    if (!this.#range.hasExcluded) return false
    if (!waits.isOver(tag, reason, { clock, ms: TRY_AGAIN_MS })) return false
    waits.forget(tag, reason)
    return true
  }

  async #moveIfToldTo(object: Given, machine: SimulatedMachine): Promise<void> {
    const { simulation, log } = this.#options
    const isDue = machine.bootId !== '' && this.#fault('address-changes', object)
    if (!isDue) return
    const to = this.#chooseFor(object, undefined)
    if (typeof to !== 'string' || to === machine.address) {
      log.warn('machine cannot be moved', { machine: tagOf(object) })
      return
    }
    log.info('machine moves', { machine: tagOf(object), from: machine.address, to })
    try {
      await simulation.move(machine.address, to)
    } catch (error) {
      this.#range.exclude(to, error)
      throw error
    }
    simulation.fleet.faults.strike('address-changes', targetOf(object))
  }

  /** Takes the machine away, and only then lets the Machine go. */
  async #letGo(object: Given): Promise<void> {
    if (!holds(object)) return this.remove(tagOf(object))
    // What was written comes here again, and with it the version that the finalizer is taken from.
    if ((await this.#say(object, { is: 'leaving' })) || !this.#isTimeUp(object)) return
    await this.remove(tagOf(object))
    const finalizers = (object.metadata.finalizers ?? []).filter((one) => one !== FINALIZER)
    await this.#patch(object, { metadata: { finalizers } })
  }

  #hold(object: Given): Promise<void> {
    const finalizers = [...(object.metadata.finalizers ?? []), FINALIZER]
    return this.#patch(object, { metadata: { finalizers } })
  }

  /** Writes the status, if it is another, and says whether it was. */
  async #say(
    object: Given,
    standing: Standing,
    wanted?: WantedMachine | Refusal,
  ): Promise<boolean> {
    const { clock, name: provider } = this.#options
    const now = clock.now()
    const machine = this.#seen(object, wanted)
    const status = providedStatus({ object, provider, standing, machine, now })
    const changes = changesOf(object.status ?? {}, status, now)
    if (changes) await this.#patch(object, { status: changes }, 'status')
    return changes !== undefined
  }

  #seen(object: Given, wanted?: WantedMachine | Refusal): SeenMachine | undefined {
    const machine = this.#tagged(tagOf(object))
    if (!machine) return undefined
    const isKnown =
      this.#isKnown(object, machine) || (machine.bootId !== '' && this.#mayTellAddress(object))
    return {
      ...{ hardware: machine.hardware, isOn: machine.isOn },
      address: isKnown ? machine.address : undefined,
      diskNames: wanted && 'diskNames' in wanted ? wanted.diskNames : namesIn(object),
    }
  }

  /** Whether everybody was told already where the machine is: that it reboots does not change it. */
  #isKnown({ status }: Given, machine: SimulatedMachine): boolean {
    return status?.ipAddresses?.includes(machine.address) ?? false
  }

  #mayTellAddress(object: Given): boolean {
    const late = this.#fault('address-late', object)
    const { clock } = this.#options.simulation.fleet.faults
    return !late || this.#waited(object, 'address', { clock, ms: Number(late.options.get('by')) })
  }

  /** Whether a provider that takes its time has taken it. */
  #isTimeUp(object: Given): boolean {
    const slow = this.#fault('provider-slow', object)
    const { clock } = this.#options.simulation.fleet.faults
    const what = isLeaving(object) ? 'slow to leave' : 'slow'
    return !slow || this.#waited(object, what, { clock, ms: Number(slow.options.get('by')) })
  }

  #failure(object: Given): Refusal | undefined {
    const fault = this.#fault('provider-fails', object)
    if (!fault) return undefined
    const reason = fault.options.get('reason') ?? 'ProvisioningFailed'
    return { reason, message: `the provider cannot make this machine: ${reason}` }
  }

  #fault(name: ProviderFaultName, object: Given) {
    return this.#options.simulation.fleet.faults.find(name, targetOf(object))
  }

  #waited(object: Given, what: string, time: { clock: Clock; ms: number }): boolean {
    return this.#options.waits.isOver(tagOf(object), what, time)
  }

  #tagged(tag: string): SimulatedMachine | undefined {
    return this.#options.simulation.fleet.tagged(tag)
  }

  /** Written over the version that was looked at, or not at all. */
  async #patch(
    { metadata: { name, namespace, uid, resourceVersion } }: Given,
    { metadata, ...rest }: { metadata?: object; status?: object },
    subresource?: 'status',
  ): Promise<void> {
    const { client, signal } = this.#options
    const body = { ...rest, metadata: { ...metadata, uid, resourceVersion } }
    const ref = { name, ...(namespace && { namespace }), ...(subresource && { subresource }) }
    const options = { fieldManager: FIELD_MANAGER, deadlineMs: DEADLINE_MS, signal }
    try {
      await client.patch(ProvidedMachine, ref, { type: 'merge', body, ...options })
    } catch (error) {
      // Gone meanwhile, which will be seen.
      if (!isNotFound(error)) throw error
      this.#options.log.debug('machine is gone', { error: messageOf(error) })
    }
  }
}

const FIELD_MANAGER = 'simulated-provider'
const FINALIZER = finalizerOf(ProvidedMachine)

const isLeaving = ({ metadata }: Given): boolean => metadata.deletionTimestamp !== undefined

/** What a Machine has, and what it asks for. */
const promisedTo = ({ spec = {}, status }: Given): string[] => [
  ...(status?.ipAddresses ?? []),
  ...[spec.network?.privateIP, spec.network?.publicIP].filter((one) => one !== undefined),
]

const holds = ({ metadata }: Given): boolean => metadata.finalizers?.includes(FINALIZER) ?? false

/** A fault knows a Machine by its name, with or without the namespace, or by its uid. */
const targetOf = ({ metadata: { name, namespace = '', uid = '' } }: Given): FaultTarget => ({
  ...{ address: name, hostname: `${namespace}/${name}`, uuid: uid },
})

const namesIn = ({ status }: Given): ReadonlyMap<string, string> =>
  new Map(
    (status?.disks ?? []).flatMap(({ device, name }): [string, string][] =>
      device === undefined || name === undefined ? [] : [[device, name]],
    ),
  )
