import { type ApiSide, embeddedSide, realSide } from './api-side.ts'
import { type Contest, createNamespaces, hold, type Score, type Turn } from './contests.ts'

interface Scores {
  embedded: Score
  real: Score
}

/**
 * The embedded API and the real one side by side on this machine, each under the same load by turns. A
 * contest is held once, however many rows ask for it, and after those whose objects it needs.
 */
export class ApiDuel implements AsyncDisposable {
  readonly embedded: ApiSide
  readonly real: ApiSide
  readonly #held = new Map<Contest, Promise<Scores>>()

  private constructor(embedded: ApiSide, real: ApiSide) {
    this.embedded = embedded
    this.real = real
  }

  static async start(): Promise<ApiDuel> {
    const real = await realSide()
    const embedded = await embeddedSide().catch(async (error: unknown) => {
      await real[Symbol.asyncDispose]()
      throw error
    })
    const duel = new ApiDuel(embedded, real)
    await Promise.all([createNamespaces(real), createNamespaces(embedded)])
    return duel
  }

  async scores(contest: Contest): Promise<Scores> {
    // All that were created are there to be read and changed.
    if (contest === 'get' || contest === 'watch') await this.scores('create')
    const scores = this.#held.get(contest) ?? this.#hold(contest)
    this.#held.set(contest, scores)
    return scores
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.embedded[Symbol.asyncDispose]()
    await this.real[Symbol.asyncDispose]()
  }

  async #hold(contest: Contest): Promise<Scores> {
    const round = async (turn: Turn): Promise<Scores> => ({
      real: await hold(this.real, contest, turn),
      embedded: await hold(this.embedded, contest, turn),
    })
    await round('warm-up')
    return round('measured')
  }
}
