import type { TalosMachines } from '#engine/talos-machines.ts'
import { TalosClient } from '#talos/client.ts'
import { outcomeOf } from '#talos/outcome.ts'
import type { Boundary, Call, Interruption, MachineCall } from './boundary.ts'
import type { RacingClock } from './racing-clock.ts'

/** What is known of a machine from within, and of who says that it is theirs. */
export type Known = Pick<MachineCall, 'uuid' | 'stage' | 'claims'>

interface Options {
  clock: RacingClock
  boundary: Boundary
  /** Where the machines of the simulation listen. */
  port: number
  lookAt: (address: string) => Promise<Known>
  /** The answer to the machine's next call of this name never comes. */
  loseReply: (address: string, call: string) => void
  /** Ends the operator, at once. */
  kill: () => void
}

/** What changes a machine, and what Talos calls it. */
const CHANGES = new Map([
  ['bootstrap', 'Bootstrap'],
  ['reset', 'Reset'],
  ['reboot', 'Reboot'],
  ['shutdown', 'Shutdown'],
  ['rollback', 'Rollback'],
  ['configuration.apply', 'ApplyConfiguration'],
  ['meta.write', 'MetaWrite'],
  ['meta.delete', 'MetaDelete'],
  ['etcd.leave', 'EtcdLeaveCluster'],
  ['etcd.removeMember', 'EtcdRemoveMemberByID'],
  ['etcd.forfeitLeadership', 'EtcdForfeitLeadership'],
  ['upgrade.legacy', 'MachineService/Upgrade'],
])

/** The machines for one operator, which is the end of them too. */
export class MachineGate implements TalosMachines, Disposable {
  readonly #client: TalosClient
  readonly #options: Options
  #isClosed = false

  constructor(options: Options) {
    this.#options = options
    this.#client = new TalosClient({ clock: options.clock })
  }

  machine(target: Parameters<TalosMachines['machine']>[0]): ReturnType<TalosMachines['machine']> {
    const machine = this.#client.machine({ ...target, port: this.#options.port })
    return watched(machine, '', (method, given, make) =>
      this.#around({ address: target.address, method, isDryRun: isDryRun(given) }, make),
    )
  }

  /** Nothing gets through any more. */
  [Symbol.dispose](): void {
    this.#isClosed = true
    this.#client.close()
  }

  #around(
    call: Pick<MachineCall, 'address' | 'method' | 'isDryRun'>,
    make: () => unknown,
  ): unknown {
    if (this.#isClosed) return Promise.reject(new Error('this operator is dead'))
    const made = CHANGES.has(call.method) ? this.#change(call, make) : make()
    return made instanceof Promise ? this.#options.clock.during(() => made) : made
  }

  async #change(
    asked: Pick<MachineCall, 'address' | 'method' | 'isDryRun'>,
    make: () => unknown,
  ): Promise<unknown> {
    const { boundary, lookAt, loseReply, kill } = this.#options
    const known = await lookAt(asked.address)
    const { call, interruption } = boundary.enter({ to: 'machine', ...asked, ...known })
    if (interruption === 'killed before') {
      call.outcome = 'never made'
      kill()
    }
    if (this.#isClosed) throw new Error('this operator is dead')
    if (interruption === 'reply lost') loseReply(asked.address, CHANGES.get(asked.method) ?? '')
    try {
      const answer = await make()
      call.outcome = 'done'
      return answer
    } catch (error) {
      call.outcome = outcomeFor(error)
      throw error
    } finally {
      this.#after(interruption)
    }
  }

  #after(interruption: Interruption['how'] | undefined): void {
    if (interruption === 'killed after') this.#options.kill()
  }
}

const outcomeFor = (error: unknown): Call['outcome'] =>
  outcomeOf(error) === 'lost' ? 'reply lost' : 'refused'

const isDryRun = ([request]: readonly unknown[]): boolean => Object(request).dryRun === true

type Around = (method: string, given: readonly unknown[], make: () => unknown) => unknown

/** The same object, whose functions are all called through another one. */
function watched<Watched extends object>(watchee: Watched, path: string, around: Around): Watched {
  return new Proxy(watchee, {
    get: (of, key) => {
      const value: unknown = Reflect.get(of, key)
      const name = `${path}${String(key)}`
      if (typeof value === 'function') {
        return (...given: unknown[]) => around(name, given, () => Reflect.apply(value, of, given))
      }
      return typeof value === 'object' && value ? watched(value, `${name}.`, around) : value
    },
  })
}
