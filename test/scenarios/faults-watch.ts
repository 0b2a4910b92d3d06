import { PassThrough, type Readable } from 'node:stream'
import { hangUp } from './in-process-rest.ts'

const EXPIRED = {
  type: 'ERROR',
  object: {
    ...{ apiVersion: 'v1', kind: 'Status', status: 'Failure', code: 410, reason: 'Expired' },
    message: 'too old resource version',
  },
}

/** A watch between a server and its client that can come late, be incomplete, or end. */
export class FaultyWatch {
  readonly body = new PassThrough()
  readonly #source: Readable
  #rest = ''
  #held: string[] | undefined
  #isToDrop = false
  #hasDropped = false

  constructor(source: Readable, onEnd: () => void) {
    this.#source = source
    // Whoever reads it is told; nobody may read it any more.
    this.body.on('error', () => {})
    this.body.once('close', () => {
      source.destroy()
      onEnd()
    })
    source.setEncoding('utf8')
    source.on('data', (text: string) => this.#take(text))
    source.once('end', () => this.body.end())
    source.once('error', (error) => this.body.destroy(error))
    source.once('close', () => this.body.end())
  }

  hold(): void {
    this.#held ??= []
  }

  letGo(): void {
    const lines = this.#held ?? []
    this.#held = undefined
    for (const line of lines) this.#pass(line)
  }

  dropNext(): void {
    this.#isToDrop = true
  }

  /** Whether its client lacks an event, and has not been told. */
  get hasMissed(): boolean {
    return this.#hasDropped
  }

  /** Without this a client would believe that it has seen everything. */
  expireIfDropped(): void {
    this.#isToDrop = false
    if (this.#hasDropped) this.expire()
  }

  expire(): void {
    if (this.body.writableEnded || this.body.destroyed) return
    this.#hasDropped = false
    this.body.end(`${JSON.stringify(EXPIRED)}\n`)
    this.#source.destroy()
  }

  cut(): void {
    this.body.destroy(hangUp())
  }

  #take(text: string): void {
    const lines = `${this.#rest}${text}`.split('\n')
    this.#rest = lines.pop() ?? ''
    for (const line of lines) this.#arrived(line)
  }

  #arrived(line: string): void {
    if (this.#isToDrop && !line.startsWith('{"type":"BOOKMARK"')) {
      this.#isToDrop = false
      this.#hasDropped = true
      return
    }
    if (this.#held) this.#held.push(line)
    else this.#pass(line)
  }

  #pass(line: string): void {
    if (!this.body.writableEnded && !this.body.destroyed) this.body.write(`${line}\n`)
  }
}
