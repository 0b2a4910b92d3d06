import { type Clock, sleep } from '#base/clock.ts'
import { type Duration, formatDuration } from '#base/duration.ts'
import { problem } from '#base/problem.ts'
import { ApiError } from '#kube/api-error.ts'
import { type Standing, standingOf, type UpgradeSeen } from './upgrade-k8s-standing.ts'

interface FollowOptions {
  /** `TalosControlPlane default/demo`. */
  readonly what: string
  readonly to: string
  readonly look: () => Promise<UpgradeSeen>
  readonly clock: Clock
  readonly timeout: Duration
  readonly signal: AbortSignal
  readonly out: (text: string) => void
}

const LOOK_EVERY_MS = 2_000
// Longer than the operator takes for a look that nothing wakes it for.
const PATIENCE_MS = 60_000

/** Tells each thing that the operator says of an upgrade, until it is over. Rejects with a problem for people if it is not well. */
export async function followUpgrade(options: FollowOptions): Promise<void> {
  const { clock, timeout, signal } = options
  const end = clock.monotonicMs() + timeout.ms
  const lines = new Lines(options)
  for (;;) {
    const standing = await lookOnce(options)
    const unchangedMs = lines.tell(standing.says)
    if (standing.is === 'there') return
    const failure = whyOver(standing, unchangedMs, options)
    if (failure) throw failure
    if (clock.monotonicMs() >= end) throw timeIsUp(options)
    await sleep(clock, LOOK_EVERY_MS, signal).catch(() => {
      throw notFollowed(options)
    })
  }
}

/** What was told last, and since when that has been so. */
class Lines {
  readonly #options: Pick<FollowOptions, 'clock' | 'out'>
  #told: readonly string[] = []
  #sinceMs: number

  constructor(options: Pick<FollowOptions, 'clock' | 'out'>) {
    this.#options = options
    this.#sinceMs = options.clock.monotonicMs()
  }

  /** Tells those that are new. Returns for how long nothing has changed. */
  tell(lines: readonly string[]): number {
    const { clock, out } = this.#options
    const now = clock.monotonicMs()
    if (lines.join('\n') !== this.#told.join('\n')) this.#sinceMs = now
    // In another stage the same is done to the same machines again.
    const known = lines[0] === this.#told[0] ? this.#told : []
    for (const line of lines) if (!known.includes(line)) out(`${line}\n`)
    this.#told = lines
    return now - this.#sinceMs
  }
}

/** An API that does not answer for a while, as one that is upgraded itself, is not the end of it. */
async function lookOnce(options: FollowOptions): Promise<Standing> {
  const { look, to, signal } = options
  try {
    return standingOf(await look(), to)
  } catch (error) {
    const isPassing =
      error instanceof ApiError &&
      (error.status === 0 || error.status === 429 || error.status > 499)
    if (signal.aborted) throw notFollowed(options)
    if (!isPassing) throw error
    return { is: 'under way', says: [error.message] }
  }
}

function whyOver(
  { is, says }: Standing,
  forMs: number,
  { what, to }: FollowOptions,
): Error | undefined {
  const why = says.join('\n       ')
  if (is === 'refused') {
    return problem({
      ...{ what: `${what} is not upgraded to ${to}`, why },
      remedy: 'mend that, and the operator goes on by itself; or set kubeVersion back',
    })
  }
  if (forMs < PATIENCE_MS) return undefined
  if (is === 'standing') {
    return problem({
      ...{ what: `the upgrade of ${what} to ${to} does not go on`, why },
      remedy:
        'mend that, and the operator goes on by itself; or set kubeVersion back, which stops it',
    })
  }
  if (is === 'unseen') {
    return problem({
      ...{ what: `nobody has taken up the upgrade of ${what} to ${to}`, why },
      remedy:
        'see that an operator runs that watches this namespace, and that nobody else sets kubeVersion',
    })
  }
  return undefined
}

const GOES_ON = 'the operator goes on. To stop the upgrade, set kubeVersion back'

const timeIsUp = ({ what, to, timeout }: FollowOptions): Error =>
  problem({
    what: `${what} is not at ${to} after ${formatDuration(timeout)}`,
    why: `it is not followed any longer than --timeout says; ${GOES_ON}`,
    remedy: 'run the same again to follow it',
  })

const notFollowed = ({ what, to }: FollowOptions): Error =>
  problem({
    what: `the upgrade of ${what} to ${to} is not followed any more`,
    why: `this command was told to stop; ${GOES_ON}`,
    remedy: 'run the same again to follow it',
  })
