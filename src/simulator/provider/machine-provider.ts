import { ProvidedMachine } from '#api/provided-machine.ts'
import { Chores } from '#apiserver/controllers/chores.ts'
import type { Cancel } from '#base/clock.ts'
import { messageOf } from '#base/operator-error.ts'
import { isConflict } from '#kube/api-error.ts'
import { keyOf } from '#kube/cache.ts'
import type { KubeClient } from '#kube/client.ts'
import { Informer } from '#kube/informer.ts'
import type { ReflectorState } from '#kube/reflector.ts'
import { Realiser, type RealiserOptions } from './realise.ts'
import { keyIn, tagOf } from './tag.ts'
import { Waits } from './waits.ts'

export interface ProviderOptions
  extends Omit<RealiserOptions, 'client' | 'waits' | 'signal' | 'machines'> {
  readonly client: Pick<KubeClient, 'listAs' | 'openWatch' | 'patch'>
  /** Where Machines are looked for. Left out: in all namespaces. */
  readonly namespaces?: readonly string[]
}

/**
 * Follows the Machines of a Kubernetes API, and lets a machine of a simulation be what each asks for. Nothing is
 * remembered here but what takes time: which machine is whose stands on the machines themselves, so another provider
 * on the same simulation goes on where this one ended. The machines stay when it ends.
 */
export class MachineProvider implements AsyncDisposable {
  readonly #options: ProviderOptions
  readonly #informer: Informer<typeof ProvidedMachine>
  readonly #realiser: Realiser
  readonly #chores: Chores
  readonly #waits: Waits
  readonly #stop = new AbortController()
  readonly #leave: readonly Cancel[]
  readonly #following: Promise<unknown>
  /** What was last seen of each machine from outside, by its tag. */
  readonly #shown = new Map<string, string>()
  #look: Promise<unknown> = Promise.resolve()

  constructor(options: ProviderOptions) {
    const { client, clock, simulation, namespaces = [] } = options
    const { signal } = this.#stop
    this.#options = options
    this.#waits = new Waits((tag) => this.#touch(keyIn(tag)))
    this.#informer = new Informer({
      ...{ client, clock, namespaces, kind: ProvidedMachine },
      onState: (state) => this.#tell(state),
    })
    const { cache } = this.#informer
    const machines = () => cache.values()
    this.#realiser = new Realiser({ ...options, waits: this.#waits, signal, machines })
    this.#chores = new Chores({
      clock,
      run: (key) => this.#run(key),
      onError: (error, machine) => this.#complain(error, machine),
    })
    const { fleet } = simulation
    this.#leave = [
      cache.listen(({ type, object }) => {
        if (type === 'removed') this.#forget(tagOf(object))
        this.#touch(keyOf(object))
      }),
      fleet.onChange((address) => this.#follow(address)),
      fleet.faults.onChange(() => this.#touchAll()),
    ]
    this.#following = Promise.all([
      this.#informer.run(signal),
      this.#informer.whenSynced(signal).then(
        () => this.#touchAll(),
        () => undefined,
      ),
    ])
  }

  /** A machine that changes concerns its Machine; one that is gone those that have none: an address is free. */
  #follow(address: string): void {
    const { fleet } = this.#options.simulation
    const [tag, machine] = [fleet.tagAt(address), fleet.machine(address)]
    if (tag !== undefined && machine) {
      // Most of what happens inside of a machine cannot be seen from outside.
      const shown = `${address} ${machine.isOn} ${machine.bootId !== ''} ${machine.hardware.uuid}`
      if (this.#shown.get(tag) === shown) return
      this.#shown.set(tag, shown)
      this.#touch(keyIn(tag))
      return
    }
    for (const object of this.#informer.cache.values()) {
      if (!fleet.tagged(tagOf(object))) this.#touch(keyOf(object))
    }
  }

  #touchAll(): void {
    for (const object of this.#informer.cache.values()) this.#touch(keyOf(object))
    for (const tag of this.#options.simulation.fleet.tags) this.#touch(keyIn(tag))
  }

  #touch(key: string): void {
    // Before everything was listed, what is not there may be all the same.
    if (this.#informer.hasSynced) this.#chores.add(key)
  }

  async #run(key: string): Promise<void> {
    const look = this.#lookAt(key)
    this.#look = look.catch(() => undefined)
    await look
  }

  async #lookAt(key: string): Promise<void> {
    const object = this.#informer.cache.get(key)
    const own = object && tagOf(object)
    const { tags } = this.#options.simulation.fleet
    for (const tag of tags.filter((one) => keyIn(one) === key && one !== own)) {
      await this.#realiser.remove(tag)
      this.#forget(tag)
    }
    if (object) await this.#realiser.look(object)
  }

  #forget(tag: string): void {
    this.#waits.forget(tag)
    this.#shown.delete(tag)
  }

  #complain(error: unknown, machine: string): void {
    const { log } = this.#options
    const fields = { machine, error: messageOf(error) }
    // Somebody else was quicker, and what that did comes here.
    if (isConflict(error)) log.debug('machine not realised yet', fields)
    else log.warn('machine not realised yet', fields)
  }

  #tell(state: ReflectorState): void {
    if (state.state !== 'failed' && state.state !== 'troubled') return
    this.#options.log.warn('Machines cannot be followed', { error: messageOf(state.error) })
  }

  /** Resolves when nothing is under way any more. */
  async [Symbol.asyncDispose](): Promise<void> {
    for (const cancel of this.#leave) cancel()
    this.#stop.abort(new Error('the provider ends'))
    this.#chores.stop()
    this.#waits.stop()
    await this.#look
    await this.#following
  }
}
