import type { ServerResponse } from 'node:http'
import type { Pace } from '#apiserver/pace.ts'
import type { Sink } from '#apiserver/read/watch-stream.ts'
import { drained } from './list-answer.ts'

/** Where the bytes of a watch go: to encrypt those of a commit for many watchers takes more than one turn. */
export class PacedSink implements Sink {
  readonly #response: ServerResponse
  readonly #pace: Pace
  readonly #waiting: Buffer[] = []
  #waitingBytes = 0
  #flushing: Promise<void> | undefined
  #isEnding = false

  constructor(response: ServerResponse, pace: Pace) {
    this.#response = response
    this.#pace = pace
  }

  write(bytes: Buffer): boolean {
    if (!this.#flushing && !this.#pace.isSpent) return this.#send(bytes)
    this.#waiting.push(bytes)
    this.#waitingBytes += bytes.length
    this.#flushing ??= this.#flush()
    return false
  }

  async drained(): Promise<void> {
    await this.#flushing
    if (this.#response.writableNeedDrain && !this.isClosed()) await drained(this.#response)
  }

  pendingBytes(): number {
    return this.#waitingBytes + this.#response.writableLength
  }

  isClosed(): boolean {
    return this.#isEnding || this.#response.destroyed || this.#response.writableEnded
  }

  end(): void {
    this.#isEnding = true
    if (!this.#flushing) this.#response.end()
  }

  destroy(): void {
    this.#waiting.length = 0
    this.#response.destroy()
  }

  async #flush(): Promise<void> {
    for (let bytes = this.#waiting[0]; bytes; bytes = this.#waiting[0]) {
      if (this.#pace.isSpent) await this.#pace.later()
      this.#waiting.shift()
      this.#waitingBytes -= bytes.length
      if (!this.#response.destroyed) this.#send(bytes)
    }
    this.#flushing = undefined
    if (this.#isEnding) this.#response.end()
  }

  /** At once, and not at the end of the turn as Node would: only so it is known what it takes. */
  #send(bytes: Buffer): boolean {
    const { socket } = this.#response
    socket?.cork()
    const isTaken = this.#response.write(bytes)
    socket?.uncork()
    return isTaken
  }
}
