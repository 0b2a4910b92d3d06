import type { ServerResponse } from 'node:http'
import { jsonPiecesInSteps } from '#apiserver/json-text.ts'
import type { Fields } from '#apiserver/objects.ts'
import type { Pace } from '#apiserver/pace.ts'
import { inTurns, type Steps } from '#apiserver/steps.ts'
import { cutBefore } from '#apiserver/utf8-text.ts'
import {
  endWith,
  LARGEST_PRETTY,
  prettyJson,
  type Streamed,
  type Style,
  yamlText,
} from './answer.ts'

/** A list that is long. */
export interface LongList {
  /** All that it says before its items. */
  head: Fields
  /** What its items are called: `items`, `rows`. */
  field: string
  /** Made as they are sent; there must be one at least. */
  items: Iterable<Fields | Steps<Fields>>
}

/** A list that is written bit by bit, with turns for others in between. */
export const listAnswer = (list: LongList, style: Style, pace: Pace): Streamed => ({
  stream: async (response) => {
    const words = wordsOf(list, style)
    const contentType = style.syntax === 'yaml' ? 'application/yaml' : 'application/json'
    response.writeHead(200, {
      'cache-control': 'no-cache, private',
      'content-type': contentType,
    })
    await writeItems(response, list.items, { words, pace })
  },
})

const PIECE = 256 * 1024

async function writeItems(
  response: ServerResponse,
  items: LongList['items'],
  { words, pace }: { words: Words; pace: Pace },
): Promise<void> {
  let text = words.open
  let before = ''
  for (const item of items) {
    text += before
    before = words.between
    for (const piece of await inTurns(pace, writtenItem(item, words))) {
      text += piece
      if (text.length < PIECE) continue
      await take(response, text)
      text = ''
    }
    if (pace.isSpent) await pace.later()
    if (response.destroyed) return
  }
  endWith(response, Buffer.from(text + words.close))
}

/** Whoever is gone takes nothing more, and is not waited for. */
async function take(response: ServerResponse, text: string): Promise<void> {
  for (let from = 0; from < text.length && !response.destroyed; ) {
    const to = cutBefore(text, from + PIECE)
    if (!response.write(text.slice(from, to))) await drained(response)
    from = to
  }
}

/** As one text, unless it is long: that would have to be copied, encoded and encrypted at once. */
function* writtenItem(item: Fields | Steps<Fields>, words: Words): Steps<string[]> {
  const object = isSteps(item) ? yield* item : item
  const pieces = yield* jsonPiecesInSteps(object)
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0)
  const [first, last] = words.aroundLong
  return length > LARGEST_PRETTY ? [first, ...pieces, last] : [words.item(pieces.join(''))]
}

const isSteps = (item: Fields | Steps<Fields>): item is Steps<Fields> => Symbol.iterator in item

/** Resolves when the other end has taken what waited for it, or is gone. */
export function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      response.off('drain', done).off('close', done)
      resolve()
    }
    response.on('drain', done).on('close', done)
  })
}

/** A text in parts: they make the same as if the list were written down as a whole. */
interface Words {
  open: string
  /** Of an item as JSON. */
  item(json: string): string
  /** What is before and after a long item, which is JSON in any syntax. */
  aroundLong: readonly [string, string]
  between: string
  close: string
}

function wordsOf({ head, field }: LongList, { syntax, isPretty }: Style): Words {
  if (syntax === 'yaml') {
    const item = (json: string) => `  - ${indented(yamlText(json).trimEnd(), '    ')}\n`
    const open = `${yamlText(JSON.stringify(head))}${field}:\n`
    return { open, item, aroundLong: ['  - ', '\n'], between: '', close: '' }
  }
  if (isPretty) {
    const open = `${prettyJson(head).slice(0, -'\n}'.length)},\n  "${field}": [\n    `
    const item = (json: string) => indented(prettyJson(JSON.parse(json)), '    ')
    return { open, item, aroundLong: ['', ''], between: ',\n    ', close: '\n  ]\n}' }
  }
  const open = `${JSON.stringify(head).slice(0, -1)},"${field}":[`
  return { open, item: (json) => json, aroundLong: ['', ''], between: ',', close: ']}\n' }
}

/** A text whose lines, but for the first one, begin further to the right. */
const indented = (text: string, by: string): string => text.replaceAll('\n', `\n${by}`)
