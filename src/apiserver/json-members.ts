import { endOfString, passMember } from './json-strings.ts'
import { type Fields, put } from './objects.ts'
import { parseInSteps } from './parse-json.ts'
import type { Steps } from './steps.ts'

const [QUOTE, COLON] = [0x22, 0x3a]

/** The members of the JSON object that a valid text begins with, but for one, which is not parsed. */
export function* membersOf(text: string, { but }: { but: string }): Steps<Fields> {
  const fields: Fields = {}
  let at = 1
  while (text.charCodeAt(at) === QUOTE) {
    const end = endOfString(text, at)
    const key: string = JSON.parse(text.slice(at, end + 1)) // a text, by its quotes
    const from = text.charCodeAt(end + 1) === COLON ? end + 2 : end + 1
    const to = yield* endInSteps(text, from)
    if (key !== but) put(fields, key, yield* parseInSteps(text.slice(from, to)))
    at = to + 1
  }
  return fields
}

// No more is walked at once.
const STRIDE = 16 * 1024

/** Where the member ends that begins there. */
function* endInSteps(text: string, from: number): Steps<number> {
  const walk = { at: from, depth: 0 }
  while (!passMember(text, walk, STRIDE)) yield
  return walk.at
}
