import { fingerprint } from '#base/fingerprint.ts'
import { Secret } from '#base/secret.ts'
import type { TalosMachines } from '#engine/talos-machines.ts'
import { ConfigError } from '#machineconfig/config-error.ts'
import { readConfig } from '#machineconfig/read/read-config.ts'
import { versionsIn } from '#machineconfig/versions/kubernetes-images.ts'
import { collected } from '#talos/call-case.cases.ts'
import { TalosClient } from '#talos/client.ts'
import type { Dial } from '#talos/line.ts'
import { outcomeOf } from '#talos/outcome.ts'
import type { Boundary, Call, Interruption, MachineCall } from './boundary.ts'
import type { RacingClock } from './racing-clock.ts'

/** What is known of a machine from within, and of who says that it is theirs. */
export type Known = Pick<
  MachineCall,
  | 'uuid'
  | 'stage'
  | 'version'
  | 'bootId'
  | 'claims'
  | 'held'
  | 'turns'
  | 'etcd'
  | 'undrained'
  | 'kubernetes'
  | 'part'
  | 'node'
>

type Asked = Pick<
  MachineCall,
  'address' | 'method' | 'isDryRun' | 'digest' | 'member' | 'mode' | 'brings' | 'image'
>

interface Options {
  clock: RacingClock
  boundary: Boundary
  /** How the machines of the simulation are called. */
  talos: { readonly port?: number; readonly dial?: Dial }
  lookAt: (address: string) => Promise<Known>
  /** Whether it refuses every configuration at this moment. */
  isRefusing: (address: string) => boolean
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
  ['upgrade.lifecycle', 'LifecycleService/Upgrade'],
  ['images.pull', 'ImageService/Pull'],
  ['images.pullLegacy', 'MachineService/ImagePull'],
])

/** Those that are made when somebody begins to listen, and are over when all is said. */
const STREAMS = new Set(['upgrade.lifecycle'])

/** The machines for one operator, which is the end of them too. */
export class MachineGate implements TalosMachines, Disposable {
  readonly #client: TalosClient
  readonly #options: Options
  #isClosed = false

  constructor(options: Options) {
    this.#options = options
    const { clock, talos } = options
    this.#client = new TalosClient({ clock, ...(talos.dial && { dial: talos.dial }) })
  }

  machine(target: Parameters<TalosMachines['machine']>[0]): ReturnType<TalosMachines['machine']> {
    const { port } = this.#options.talos
    const machine = this.#client.machine({ ...target, ...(port !== undefined && { port }) })
    return watched(machine, '', (method, given, make) =>
      this.#around({ address: target.address, method, ...askedIn(given) }, make),
    )
  }

  /** Nothing gets through any more. */
  [Symbol.dispose](): void {
    this.#isClosed = true
    this.#client.close()
  }

  #around(call: Asked, make: () => unknown): unknown {
    if (STREAMS.has(call.method)) return this.#told(call, make)
    if (this.#isClosed) return Promise.reject(dead())
    const made = CHANGES.has(call.method) ? this.#change(call, make) : make()
    return made instanceof Promise ? this.#options.clock.during(() => made) : made
  }

  /** What a change says, which nobody hears before it is over: whoever dies of it has not heard how it ended. */
  async *#told(call: Asked, make: () => unknown): AsyncGenerator<unknown, void, undefined> {
    if (this.#isClosed) throw dead()
    const all = async () => {
      const said = make()
      return isStream(said) ? await collected(said) : []
    }
    yield* await this.#options.clock.during(() => this.#change(call, all))
  }

  async #change<Answer>(asked: Asked, make: () => Answer): Promise<Awaited<Answer>> {
    const { boundary, lookAt, isRefusing, loseReply, kill } = this.#options
    const known = await lookAt(asked.address)
    const { call, interruption } = boundary.enter({ to: 'machine', ...asked, ...known })
    // Faults begin with a call: one that came with this one counts.
    call.isRefusing = isRefusing(asked.address)
    if (interruption === 'killed before') {
      call.outcome = 'never made'
      kill()
    }
    if (this.#isClosed) throw dead()
    if (interruption === 'reply lost') loseReply(asked.address, CHANGES.get(asked.method) ?? '')
    try {
      const answer = await make()
      call.outcome = 'done'
      if (call.method === 'images.pull') call.fetchedAs = String(answer)
      return answer
    } catch (error) {
      // Of what is under way when the operator dies nobody hears.
      call.outcome = this.#isClosed ? 'reply lost' : outcomeFor(error)
      if (outcomeOf(error) === 'refused') call.refusal = String(error)
      throw error
    } finally {
      this.#after(interruption)
    }
  }

  #after(interruption: Interruption['how'] | undefined): void {
    if (interruption === 'killed after') this.#options.kill()
  }
}

const dead = (): Error => new Error('this operator is dead')

const isStream = (made: unknown): made is AsyncIterable<unknown> =>
  Symbol.asyncIterator in Object(made)

const outcomeFor = (error: unknown): Call['outcome'] =>
  outcomeOf(error) === 'lost' ? 'reply lost' : 'refused'

function askedIn([request]: readonly unknown[]): Omit<Asked, 'address' | 'method'> {
  const { dryRun, configuration, mode, image = request } = Object(request)
  return {
    isDryRun: dryRun === true,
    ...(typeof request === 'bigint' && { member: request }),
    ...(typeof mode === 'string' && { mode }),
    ...(typeof image === 'string' && { image }),
    ...(configuration instanceof Secret && sentBy(configuration.open())),
  }
}

function sentBy(text: string): Pick<Asked, 'digest' | 'brings'> {
  const digest = fingerprint(text)
  try {
    return { digest, brings: versionsIn(readConfig(text)) }
  } catch (error) {
    // Whoever is given it says what is wrong with it.
    if (error instanceof ConfigError) return { digest }
    throw error
  }
}

type Around = (method: string, given: readonly unknown[], make: () => unknown) => unknown

/** The same object, whose functions are all called through another one. */
export function watched<Watched extends object>(
  watchee: Watched,
  path: string,
  around: Around,
): Watched {
  return new Proxy(watchee, {
    get: (of, key) => {
      const value: unknown = Reflect.get(of, key)
      const name = `${path}${String(key)}`
      // Whatever is lent to the work is watched as well; the work itself is no call.
      if (name === 'bound' && typeof value === 'function') {
        return (work: (same: object) => unknown, ...how: unknown[]) =>
          Reflect.apply(value, of, [(same: object) => work(watched(same, path, around)), ...how])
      }
      if (typeof value === 'function') {
        return (...given: unknown[]) => around(name, given, () => Reflect.apply(value, of, given))
      }
      return typeof value === 'object' && value ? watched(value, `${name}.`, around) : value
    },
  })
}
