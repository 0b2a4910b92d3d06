import { below, oneOf, type Random } from './fuzz-random.ts'
import { KEYS, LENGTHS, ODD_LETTERS, REPEATED, TOKENS, VALUES } from './fuzz-words.ts'

/** A text made worse. */
export type Mutation = (text: string, random: Random) => string

const long = (random: Random): string => oneOf(REPEATED, random).repeat(oneOf(LENGTHS, random))

const atPlace =
  (insert: (random: Random) => string): Mutation =>
  (text, random) => {
    const at = below(random, text.length + 1)
    return text.slice(0, at) + insert(random) + text.slice(at)
  }

const onLine =
  (change: (line: string, random: Random) => string): Mutation =>
  (text, random) => {
    const lines = text.split('\n')
    const at = below(random, lines.length)
    lines[at] = change(lines[at] ?? '', random)
    return lines.join('\n')
  }

const withValue = (value: (random: Random) => string): Mutation =>
  onLine((line, random) =>
    line.replace(/((?:: |- )|^)[^:]*$/, `$1${value(random).replaceAll('$', '$$$$')}`),
  )

const deep = (random: Random): string => {
  const depth = oneOf([50, 99, 101, 5_000], random)
  return oneOf(['[', '{a: ', '- ', '? ', '[{a: ', '- - ? '], random).repeat(depth)
}

/** Each level is ten of the one before. */
const bomb = (random: Random): string => {
  const levels = 2 + below(random, 8)
  const isMap = random() < 0.5
  const lines = Array.from({ length: levels }, (_, level) => {
    const before = level === 0 ? 'x' : `*l${level - 1}`
    const ten = Array.from({ length: 10 }, (_, at) => (isMap ? `k${at}: ${before}` : before)).join(
      ', ',
    )
    return `l${level}: &l${level} ${isMap ? `{${ten}}` : `[${ten}]`}`
  })
  return `${lines.join('\n')}\n${random() < 0.5 ? `<<: *l${levels - 1}\n` : ''}`
}

/** One of them makes little of most texts; a few of them together can make anything. */
export const mutations: readonly Mutation[] = [
  atPlace((random) => oneOf(ODD_LETTERS, random)),
  atPlace((random) => String.fromCharCode(below(random, 0x250))),
  atPlace((random) => oneOf(TOKENS, random)),
  atPlace(long),
  atPlace(deep),
  (text, random) => {
    const at = below(random, text.length + 1)
    return text.slice(0, at) + text.slice(at + 1 + below(random, 40))
  },
  (text, random) => {
    const at = below(random, text.length)
    const flipped = String.fromCharCode(text.charCodeAt(at) ^ (1 << below(random, 8)))
    return text.slice(0, at) + flipped + text.slice(at + 1)
  },
  (text, random) => text.slice(0, below(random, text.length + 1)),
  onLine((line) => `${line}\n${line}`),
  onLine((line) => ` ${line}`),
  onLine((line) => line.replace(/^ {1,4}/, '')),
  onLine((line) => `\t${line}`),
  onLine((line, random) => oneOf(TOKENS, random) + line),
  onLine((line, random) => line.replace(/[\w-]+:/, `${oneOf(KEYS, random)}:`)),
  onLine((line, random) => `${line}\n${bomb(random)}`),
  onLine((line) => line.replace(/: /, ': &a ')),
  withValue((random) => oneOf(VALUES, random)),
  withValue((random) => `"${long(random).replaceAll(/["\\\n]/g, '')}"`),
  withValue(deep),
  withValue(() => '*a'),
  (text, random) => `${bomb(random)}${text}`,
  (text, random) => `${text}---\n${text.slice(below(random, text.length))}`,
  (text, random) => text.repeat(1 + below(random, 4)),
]
