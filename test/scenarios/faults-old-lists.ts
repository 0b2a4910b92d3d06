import { Readable } from 'node:stream'
import type { CarriedRequest, Carry, Response } from '#kube/access.ts'

interface Kept {
  text: string
  headers: Response['headers']
  readMs: number
}

// We ask for what is so now, and a server that keeps its word says nothing older. Its answer may be late by as much
// as we wait for it.
const OLDEST_MS = 30_000

/** Remembers what lists said, and says it again when it is not so any more. */
export class OldLists {
  readonly #nowMs: () => number
  readonly #kept = new Map<string, Kept[]>()
  #serving = 0

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs
  }

  /** From now on lists are old, where they were asked for before. The answer ends it. */
  serve(): () => void {
    this.#serving++
    return () => {
      this.#serving--
    }
  }

  async through(request: CarriedRequest, onward: Carry): Promise<Response> {
    const list = request.url.href
    const kept = (this.#kept.get(list) ?? []).filter(
      ({ readMs }) => this.#nowMs() - readMs <= OLDEST_MS,
    )
    const [oldest] = kept
    if (this.#serving > 0 && oldest) return responseOf(oldest)
    const response = await onward(request)
    if (response.status !== 200) return response
    let text = ''
    for await (const part of response.body.setEncoding('utf8')) text += part
    const answer = { text, headers: response.headers, readMs: this.#nowMs() }
    this.#kept.set(list, [...kept, answer])
    return responseOf(answer)
  }
}

const responseOf = ({ text, headers }: Kept): Response => ({
  ...{ status: 200, headers },
  body: Readable.from([Buffer.from(text)]),
})
