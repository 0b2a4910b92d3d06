/** A fenced block of a page, with the line it starts at. */
interface Fence {
  line: number
  language: string
  code: string
}

const FENCE = /^ *(```+|~~~+)([^\n`]*)\n([\s\S]*?)^ *\1 *$/gm
const SHELL = ['sh', 'bash', 'shell']

const withoutFences = (text: string): string => text.replace(FENCE, '')
const withoutCode = (text: string): string =>
  withoutFences(text).replace(/(`+)(?!`)[\s\S]*?[^`]\1(?!`)/g, '')

/** The fenced blocks of a page in one of the languages. */
function fencesOf(text: string, ...languages: string[]): Fence[] {
  return [...text.matchAll(FENCE)]
    .map((match) => ({
      line: text.slice(0, match.index).split('\n').length,
      language: /\w*/.exec((match[2] ?? '').trim().toLowerCase())?.[0] ?? '',
      code: match[3] ?? '',
    }))
    .filter(({ language }) => languages.includes(language))
}

export const manifestsOf = (text: string): Fence[] => fencesOf(text, 'yaml', 'yml')
export const shellOf = (text: string): Fence[] => fencesOf(text, ...SHELL)

/**
 * What is typed in the blocks that are for reading, which no suite runs: where lines begin with `$ `, these and what a `\\` continues,
 * and all of it elsewhere. What is to be filled in (`<name>`) is a word.
 */
export const consoleOf = (text: string): Fence[] =>
  fencesOf(text, 'console').map(({ code, ...fence }) => {
    const lines = code.split(/(?<!\\)\n/)
    const prompted = lines.filter((line) => /^ *\$ /.test(line))
    const typed = prompted.length > 0 ? prompted.map((line) => line.replace(/^ *\$ /, '')) : lines
    return {
      ...fence,
      code: `${typed
        .join('\n')
        .replaceAll(/<[a-z][a-z ]*>/g, 'word')
        .trimEnd()}\n`,
    }
  })

/** Where the links and pictures of a page lead, in Markdown and in HTML. */
export function linksOf(text: string): string[] {
  const prose = withoutCode(text)
  const patterns = [
    /\]\(\s*<([^>\n]*)>/g,
    /\]\(\s*([^)\s<]+)/g,
    /^ {0,3}\[[^\]\n]+\]:\s*<?([^\s>]+)/gm,
    /<(?:a|img)\b[^>]*?\s(?:href|src)\s*=\s*["']?([^"'\s>]+)/gi,
  ]
  return patterns.flatMap((pattern) => [...prose.matchAll(pattern)].map(([, link = '']) => link))
}

/** The names that a page refers to as `[text][name]` or `[name][]` and does not define. */
export function undefinedReferencesOf(text: string): string[] {
  const prose = withoutCode(text)
  const nameOf = (label: string): string => label.trim().toLowerCase().replace(/\s+/g, ' ')
  const defined = [...prose.matchAll(/^ {0,3}\[([^\]\n]+)\]:/gm)].map(([, label = '']) =>
    nameOf(label),
  )
  return [...prose.matchAll(/\[([^[\]]+)\]\[([^[\]]*)\]/g)]
    .map(([, content = '', label = '']) => nameOf(label || content))
    .filter((name) => !defined.includes(name))
}

/** The anchors of a page, as GitHub makes them from its headings, and those it sets itself. */
export function anchorsOf(text: string): string[] {
  const prose = withoutFences(text)
  const seen = new Map<string, number>()
  const headings = [...prose.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => {
    const anchor = heading
      .toLowerCase()
      .trim()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-')
    const before = seen.get(anchor) ?? 0
    seen.set(anchor, before + 1)
    return before ? `${anchor}-${before}` : anchor
  })
  const own = [...prose.matchAll(/<a\s+(?:id|name)="([^"]+)"/g)].map(([, name = '']) => name)
  return [...headings, ...own]
}

/** The targets that a page tells its reader to make, in prose and in shell. */
export function makeTargetsOf(text: string): string[] {
  const spans = [...withoutFences(text).matchAll(/`([^`]+)`/g)].map(([, code = '']) => code)
  const shell = [...shellOf(text), ...consoleOf(text)].map(({ code }) =>
    code.replace(/(^|\s)#.*$/gm, ''),
  )
  return [...spans, ...shell].flatMap((code) =>
    [...code.matchAll(/(?:^|[\s;&|($])make((?:[ \t]+[^\s;&|)<>]+)+)/gm)].flatMap(([, words = '']) =>
      words
        .replace(/\s-[Cf]\s+\S+/g, '')
        .split(/\s+/)
        .filter((word) => /^[\w./]/.test(word) && !word.includes('=')),
    ),
  )
}

// Where a command begins, and how ours is called there. Elsewhere it is the name of a chart or of a Deployment.
const OUR_COMMAND =
  /(?:^|[;&|(!]|\b(?:do|until|while|if|then)\b)[ \t]*(?:(?:bin\/)?talos-operator|npx \S*talos-operator\S*\.tgz)((?:[ \t]+[^\s;&|()<>]+)*)/gm

/** What a page tells its reader to type after the name of our program. */
export const programWordsOf = (text: string): string[][] =>
  [...shellOf(text), ...consoleOf(text)].flatMap(({ code }) =>
    [
      ...code
        .replaceAll(/\\\n/g, ' ')
        .replaceAll(/(^|\s)#.*$/gm, '')
        .matchAll(OUR_COMMAND),
    ].map(([, words = '']) => words.trim().split(/\s+/).filter(Boolean)),
  )
