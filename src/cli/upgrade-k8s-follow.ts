import { type Clock, sleep } from '#base/clock.ts'
import { type Duration, formatDuration } from '#base/duration.ts'
import { messageOf } from '#base/operator-error.ts'
import { problem } from '#base/problem.ts'
import { isPassing } from './passing-failure.ts'
import { type Standing, standingOf, type UpgradeSeen } from './upgrade-k8s-standing.ts'

export interface FollowOptions {
  /** `TalosControlPlane default/demo`. */
  readonly what: string
  readonly to: string
  readonly look: () => Promise<UpgradeSeen>
  /** Who does it. */
  readonly by: 'operator' | 'command'
  /** Whether they still do. */
  readonly isCarriedOn: () => Promise<boolean>
  readonly clock: Clock
  readonly timeout: Duration
  /** When that is over, by the clock that does not jump. */
  readonly endMs: number
  readonly signal: AbortSignal
  readonly out: (text: string) => void
}

const LOOK_EVERY_MS = 2_000
// Longer than the operator takes for a look that nothing wakes it for.
const PATIENCE_MS = 60_000
// What was said before this command began to work may not hold any more: the first passes say so.
const FIRST_PASSES_MS = 15_000

/**
 * Tells each thing that is said of an upgrade, until it is over or nobody carries it on. Rejects with a problem for people if it is
 * not well.
 */
export async function followUpgrade(options: FollowOptions): Promise<'there' | 'abandoned'> {
  const { clock, endMs, signal } = options
  const lines = new Lines(options)
  for (;;) {
    const standing = await lookOnce(options)
    const unchangedMs = lines.tell(standing.says)
    if (standing.is === 'there') return 'there'
    const failure = whyOver(standing, unchangedMs, options)
    if (failure) throw failure
    if (clock.monotonicMs() >= endMs) throw timeIsUp(options)
    if (!(await options.isCarriedOn())) return 'abandoned'
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
    if (signal.aborted) throw notFollowed(options)
    if (!isPassing(error)) throw error
    return { is: 'under way', says: [messageOf(error)] }
  }
}

function whyOver(
  { is, says }: Standing,
  forMs: number,
  { what, to, by }: FollowOptions,
): Error | undefined {
  const why = says.join('\n       ')
  const { mended, takenUp } = WORDS[by]
  if (is === 'refused' && (by === 'operator' || forMs >= FIRST_PASSES_MS)) {
    return problem({
      ...{ what: `${what} is not upgraded to ${to}`, why },
      remedy: `mend that, and ${mended}; or set kubeVersion back`,
    })
  }
  if (forMs < PATIENCE_MS || is === 'under way') return undefined
  if (is === 'standing') {
    return problem({
      ...{ what: `the upgrade of ${what} to ${to} does not go on`, why },
      remedy: `mend that, and ${mended}; or ${WORDS[by].takenBack}`,
    })
  }
  if (is === 'unseen') {
    return problem({
      ...{ what: `nobody has taken up the upgrade of ${what} to ${to}`, why },
      remedy: `see that ${takenUp}, and that nobody else sets kubeVersion`,
    })
  }
  return undefined
}

// Where this command does it itself, nobody does when it has ended.
const WORDS = {
  operator: {
    mended: 'the operator goes on by itself',
    takenBack: 'set kubeVersion back, which stops it',
    takenUp: 'an operator runs that watches this namespace',
    after: 'the operator goes on. To stop the upgrade, set kubeVersion back',
    again: 'run the same again to follow it',
  },
  command: {
    mended: 'run the same again',
    takenBack: 'run it again with --to the version that it had, which takes it back',
    takenUp: 'nothing of what is logged above keeps this command from it',
    after: 'all stays as it is until an operator runs, or this is run again',
    again: 'run the same again: it goes on from where it is',
  },
}

export const timeIsUp = ({
  what,
  to,
  timeout,
  by,
}: Pick<FollowOptions, 'what' | 'to' | 'timeout' | 'by'>): Error =>
  problem({
    what: `${what} is not at ${to} after ${formatDuration(timeout)}`,
    why: `it is not followed any longer than --timeout says; ${WORDS[by].after}`,
    remedy: WORDS[by].again,
  })

export const notFollowed = ({ what, to, by }: Pick<FollowOptions, 'what' | 'to' | 'by'>): Error =>
  problem({
    what: `the upgrade of ${what} to ${to} is not followed any more`,
    why: `this command was told to stop; ${WORDS[by].after}`,
    remedy: WORDS[by].again,
  })
