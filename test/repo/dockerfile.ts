/** One line of a Dockerfile, with those that continue it. */
export interface Instruction {
  line: number
  /** Such as COPY, in capitals. */
  word: string
  /** What stands before the rest: `--from=x` is `{ from: 'x' }`. */
  flags: Record<string, string>
  /** All that follows, on one line. */
  rest: string
  /** What a JSON list holds, else what is between spaces. */
  words: string[]
  /** Whether it is a JSON list: no shell then has a look at it. */
  isList: boolean
}

/** What begins with a FROM. */
export interface Stage {
  /** What other stages call it; its number, unless it has a name. */
  name: string
  image: string
  platform?: string | undefined
  line: number
  instructions: Instruction[]
}

/** Reads a Dockerfile, but for parser directives and here-documents. What it says may still make no sense. */
export function stagesOf(text: string): Stage[] {
  const stages: Stage[] = []
  for (const instruction of instructionsOf(text)) {
    const { word, words, flags, line } = instruction
    if (word !== 'FROM') {
      stages.at(-1)?.instructions.push(instruction)
      continue
    }
    const [image = '', as, name] = words
    const isNamed = as?.toUpperCase() === 'AS' && name !== undefined
    stages.push({
      ...{ name: isNamed ? name : String(stages.length), image, line },
      ...{ platform: flags.platform, instructions: [] },
    })
  }
  return stages
}

export function instructionsOf(text: string): Instruction[] {
  const found: Instruction[] = []
  let open: { line: number; text: string } | undefined
  for (const [at, raw] of text.split('\n').entries()) {
    // A comment may stand in the middle of what is continued.
    if (/^\s*(#|$)/.test(raw)) continue
    const { line, text: before } = open ?? { line: at + 1, text: '' }
    const isContinued = /\\\s*$/.test(raw)
    const whole = before + raw.replace(/\\\s*$/, '')
    open = isContinued ? { line, text: whole } : undefined
    if (!isContinued) found.push(instructionOf(line, whole.trim()))
  }
  if (open) found.push(instructionOf(open.line, open.text.trim()))
  return found
}

function instructionOf(line: number, text: string): Instruction {
  const [, word = '', after = ''] = /^(\S+)\s*(.*)$/s.exec(text) ?? []
  const flags: Record<string, string> = {}
  let rest = after
  for (;;) {
    const [all, name, value = ''] = /^--([\w-]+)(?:=(\S*))?\s+/.exec(rest) ?? []
    if (all === undefined || name === undefined) break
    flags[name] = value
    rest = rest.slice(all.length)
  }
  const list = listOf(rest)
  const words = list ?? rest.split(/\s+/).filter(Boolean)
  return { line, word: word.toUpperCase(), flags, rest, words, isList: list !== undefined }
}

function listOf(text: string): string[] | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return Array.isArray(value) && value.every((one) => typeof one === 'string') ? value : undefined
  } catch {
    return undefined
  }
}

/** What the lines of a .dockerignore keep from the builder. The last line that speaks of a path decides. */
export function ignoredBy(text: string): (path: string) => boolean {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => ({ isBack: line.startsWith('!'), pattern: patternOf(line.replace(/^!/, '')) }))
  return (path) => lines.findLast(({ pattern }) => pattern.test(path))?.isBack === false
}

/** Of a path or of any folder that it is in. `*` stops at a slash, `**` does not. */
function patternOf(line: string): RegExp {
  const parts = line
    .replace(/^\/|\/$/g, '')
    .split(/(\*\*\/|\*\*|\*|\?)/)
    .map((part) => WILDCARDS[part] ?? part.replace(/[.+^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${parts.join('')}(/|$)`)
}

const WILDCARDS: Record<string, string> = {
  '**/': '(?:.*/)?',
  '**': '.*',
  '*': '[^/]*',
  '?': '[^/]',
}
