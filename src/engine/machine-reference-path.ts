/** Where in an object a value is: the part of JSONPath that leads to values. */
export type FieldPath = readonly Step[]

type Step =
  | { is: 'key'; key: string }
  | { is: 'index'; at: number }
  | { is: 'all' }
  | { is: 'where'; path: FieldPath; equals: unknown; holds: boolean }

const LONGEST = 512
const MOST_STEPS = 32

const NAME = String.raw`(?:\\.|[^.[\]{}()'"\s\\*?,$@])+`
const QUOTED = String.raw`'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"`
const ALL = /\.\*|\.?\[\*\]/y
const KEY = new RegExp(String.raw`\.(${NAME})`, 'y')
const QUOTED_KEY = new RegExp(String.raw`\.?\[(${QUOTED})\]`, 'y')
const INDEX = /\.?\[(-?\d{1,9})\]/y
const WHERE = new RegExp(
  String.raw`\.?\[\?\(\s*@((?:\.${NAME}|\[(?:${QUOTED})\])+)\s*([=!]=)\s*(${QUOTED}|-?\d+(?:\.\d+)?|true|false)\s*\)\]`,
  'y',
)

/**
 * Reads `.status.addresses[0]`, `status['a.b']`, `{.items[*].ip}`, `.addresses[?(@.type=="InternalIP")].address`. The
 * first dot, a `$` and the braces may be left out. A sentence for what is no such path.
 */
export function parseFieldPath(text: string): FieldPath | string {
  if (text.length > LONGEST) return `it is longer than ${LONGEST} characters`
  const [, braced] = /^\s*\{(.*)\}\s*$/s.exec(text) ?? []
  const bare = (braced ?? text).trim().replace(/^\$/, '')
  if (bare === '' || bare === '.') return 'it leads to no field'
  return stepsOf(/^[.[]/.test(bare) ? bare : `.${bare}`)
}

function stepsOf(text: string): FieldPath | string {
  const steps: Step[] = []
  let at = 0
  while (at < text.length) {
    const read = readStep(text, at)
    if (read === undefined)
      return `it cannot be read from ${JSON.stringify(text.slice(at, at + 20))} on`
    if (steps.length === MOST_STEPS) return `it has more than ${MOST_STEPS} steps`
    steps.push(read.step)
    at = read.end
  }
  return steps
}

interface ReadStep {
  step: Step
  end: number
}

function readStep(text: string, at: number): ReadStep | undefined {
  const all = matchAt(ALL, text, at)
  if (all) return { step: { is: 'all' }, end: all.end }
  const key = matchAt(KEY, text, at)
  if (key) return { step: { is: 'key', key: unescaped(key.groups[0]) }, end: key.end }
  const quoted = matchAt(QUOTED_KEY, text, at)
  if (quoted) return { step: { is: 'key', key: unquoted(quoted.groups[0]) }, end: quoted.end }
  const index = matchAt(INDEX, text, at)
  if (index) return { step: { is: 'index', at: Number(index.groups[0]) }, end: index.end }
  const where = matchAt(WHERE, text, at)
  return where && whereStep(where)
}

function whereStep({ groups, end }: Match): ReadStep | undefined {
  const [path = '', operator, literal = ''] = groups
  const steps = stepsOf(path)
  if (typeof steps === 'string') return undefined
  const equals = /^['"]/.test(literal) ? unquoted(literal) : plainValue(literal)
  return { step: { is: 'where', path: steps, equals, holds: operator === '==' }, end }
}

/** What is not in quotes: `true`, `false` or a number. */
const plainValue = (literal: string): boolean | number =>
  literal === 'true' || literal === 'false' ? literal === 'true' : Number(literal)

interface Match {
  groups: readonly string[]
  end: number
}

function matchAt(pattern: RegExp, text: string, at: number): Match | undefined {
  pattern.lastIndex = at
  const match = pattern.exec(text)
  return match ? { groups: match.slice(1), end: at + match[0].length } : undefined
}

const unescaped = (text = ''): string => text.replace(/\\(.)/g, '$1')

const unquoted = (text = ''): string => unescaped(text.slice(1, -1))

/** The first value that the path leads to; undefined if it leads to none. */
export function firstAt(object: unknown, path: FieldPath): unknown {
  for (const found of valuesAt(object, path)) return found
  return undefined
}

// As deep as the path is long, and each place is looked at once for each step.
function* valuesAt(value: unknown, path: FieldPath): Generator<unknown> {
  const [step, ...rest] = path
  if (step === undefined) {
    if (value !== undefined && value !== null) yield value
    return
  }
  for (const inner of valuesOf(value, step)) yield* valuesAt(inner, rest)
}

function valuesOf(value: unknown, step: Step): readonly unknown[] {
  if (typeof value !== 'object' || value === null) return []
  if (step.is === 'all') return Object.values(value)
  if (step.is === 'key') return ownValue(value, step.key)
  if (!Array.isArray(value)) return []
  if (step.is === 'index') return [value.at(step.at)]
  return value.filter((item) => (firstAt(item, step.path) === step.equals) === step.holds)
}

const ownValue = (value: object, key: string): readonly unknown[] =>
  !Array.isArray(value) && Object.hasOwn(value, key) ? [Reflect.get(value, key)] : []
