import { Readable } from 'node:stream'
import type { ApiKind } from '#api/meta.ts'
import type { CarriedRequest, Carry, Response } from '#kube/access.ts'
import { placeIn } from './request-place.ts'

interface Kept {
  text: string
  headers: Response['headers']
  readMs: number
}

/** Which lists are old, and how old at most. Left out: all, and as old as there are. */
export interface Oldness {
  of?: ApiKind
  oldestMs?: number
}

/** Remembers what lists said, and says it again when it is not so any more. */
export class OldLists {
  readonly #nowMs: () => number
  readonly #kept = new Map<string, Kept[]>()
  readonly #serving = new Set<Oldness>()

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs
  }

  /** From now on lists are old, where they were asked for before. The answer ends it. */
  serve(oldness: Oldness): () => void {
    const own = { ...oldness }
    this.#serving.add(own)
    return () => {
      this.#serving.delete(own)
    }
  }

  async through(request: CarriedRequest, onward: Carry): Promise<Response> {
    const list = request.url.href
    const kept = this.#kept.get(list) ?? []
    const old = this.#oldest(kept, placeIn(request.url).kind)
    if (old) return responseOf(old)
    const response = await onward(request)
    if (response.status !== 200) return response
    let text = ''
    for await (const part of response.body.setEncoding('utf8')) text += part
    const answer = { text, headers: response.headers, readMs: this.#nowMs() }
    this.#kept.set(list, [...kept, answer])
    return responseOf(answer)
  }

  #oldest(kept: readonly Kept[], kind: string): Kept | undefined {
    const meant = [...this.#serving].filter(({ of }) => of === undefined || of.plural === kind)
    if (meant.length === 0) return undefined
    const oldestMs = Math.max(...meant.map((one) => one.oldestMs ?? Number.POSITIVE_INFINITY))
    return kept.find(({ readMs }) => this.#nowMs() - readMs <= oldestMs)
  }
}

const responseOf = ({ text, headers }: Kept): Response => ({
  ...{ status: 200, headers },
  body: Readable.from([Buffer.from(text)]),
})
