import { expect } from 'vitest'
import { FakeClock } from '#test/fake-clock.ts'
import { PretendLeases } from './pretend-leases.ts'
import { GOOD, type PretendOptions, PretendProcess } from './pretend-process.ts'

/** One Lease, those who stand for election, and the time that passes for all of them. */
export class Stage {
  readonly time = new FakeClock()
  readonly leases = new PretendLeases()
  readonly #processes: PretendProcess[] = []

  start(identity: string, options: PretendOptions = {}): PretendProcess {
    const process = new PretendProcess(identity, this, options)
    this.#processes.push(process)
    return process
  }

  /** One that leads, because the Lease was given back before. */
  async startLeader(options: PretendOptions = {}): Promise<PretendProcess> {
    this.leases.edit({ holderIdentity: '', leaseDurationSeconds: 1 })
    const process = this.start('a', options)
    await this.time.advance(10)
    expect(process.told).toEqual(['leading'])
    return process
  }

  /** Everybody ends, and nothing of them is left. */
  async close(): Promise<void> {
    for (const process of this.#processes) {
      process.network = GOOD
      process.continue()
      process.end()
    }
    await this.time.advance(60_000)
    await Promise.allSettled(this.#processes.map(({ running }) => running))
    expect(this.time.waiting).toBe(0)
  }
}
