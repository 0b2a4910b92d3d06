import { Lease } from '#api/foreign.ts'
import type { ObjectOf } from '#api/meta.ts'
import { systemClock } from '#base/clock.ts'
import type { KubeClient } from '#kube/client.ts'
import { Leadership, type LeadershipOptions, type LeadershipState } from '#runtime/leader.ts'
import { until } from '#test/until.ts'

/** As short as a busy machine can keep. */
export const SHORT = { leaseMs: 3_000, renewWithinMs: 2_500, retryMs: 300 }

/** One that stands for election in this process. Disposing of it ends it. */
export class Standing implements AsyncDisposable {
  readonly states: LeadershipState[] = []
  readonly #leadership: Leadership
  readonly #end = new AbortController()
  readonly #running: Promise<void>
  #seen = 0

  constructor(
    client: LeadershipOptions['client'],
    options: { namespace: string; name: string; identity: string },
  ) {
    this.#leadership = new Leadership({
      ...{ client, clock: systemClock, timing: SHORT, ...options },
      onState: (state) => this.states.push(state),
    })
    this.#running = this.#leadership.run(
      this.#end.signal,
      (signal) => new Promise((resolve) => signal.addEventListener('abort', () => resolve())),
    )
  }

  get holds(): boolean {
    return this.#leadership.holds
  }

  /** Waits for the state, after the one that was waited for last. */
  async reaches(state: LeadershipState['state']): Promise<LeadershipState | undefined> {
    const look = async () => ({ new: this.states.slice(this.#seen), all: this.states.length })
    const seen = await until(`it to be ${state}`, look, (one) =>
      one.new.some((told) => told.state === state),
    )
    const at = seen.new.findIndex((told) => told.state === state)
    this.#seen += at + 1
    return seen.new[at]
  }

  /** Waits until the Lease is no longer this version of it, and still its own. */
  async renews(client: Pick<KubeClient, 'get'>, before: ObjectOf<typeof Lease>): Promise<void> {
    const { namespace = '', name, resourceVersion } = before.metadata
    const look = () => client.get(Lease, { namespace, name })
    await until(
      'a renewal',
      look,
      ({ metadata, spec }) =>
        metadata.resourceVersion !== resourceVersion &&
        spec?.holderIdentity === before.spec?.holderIdentity,
    )
  }

  end(): Promise<void> {
    this.#end.abort()
    return this.#running
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.end()
  }
}
