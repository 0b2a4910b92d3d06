import ts from 'typescript'
import { expect, test } from 'vitest'
import { filesMatching, textOf } from './tree.ts'

// How many there may be in src. Lower it when one goes; raise it only with a good answer to "why".
const ALLOWED_IN_SOURCES = 0

interface Waiver {
  where: string
  line: string
}

test('each waiver of the compiler or the linter carries its reason on its line', async () => {
  const waivers = await waiversIn(/^(src|scripts|test|ui\/src)\/.*\.tsx?$/)

  expect(waivers.filter(({ line }) => !hasReason(line)).map(({ where }) => where)).toEqual([])
})

test('there are few waivers in the sources', async () => {
  const waivers = (await waiversIn(/^src\/.*(?<!\.test)\.ts$/)).map(({ where }) => where)

  expect(waivers.length, waivers.join('\n')).toBeLessThanOrEqual(ALLOWED_IN_SOURCES)
})

test('casts, non-null assertions and ignore comments are found; `as const` is none', () => {
  const text = [
    'const a = b as string',
    'const c = d!',
    'const e = [1] as const',
    '// biome-ignore lint/x: reason',
    '// @ts-expect-error reason',
  ].join('\n')

  expect(waiversOf('x.ts', text).map(({ where }) => where)).toEqual([
    'x.ts:1',
    'x.ts:2',
    'x.ts:4',
    'x.ts:5',
  ])
})

const hasReason = (line: string): boolean =>
  /\/\/ \S+ \S+|biome-ignore \S+: \S+|@ts-expect-error \S+/.test(line)

async function waiversIn(pattern: RegExp): Promise<Waiver[]> {
  const files = (await filesMatching(pattern)).filter(
    (path) => path !== 'test/repo/waivers.test.ts',
  )
  return (await Promise.all(files.map(async (path) => waiversOf(path, await textOf(path))))).flat()
}

function waiversOf(path: string, text: string): Waiver[] {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)
  const found = new Set<number>()
  const visit = (node: ts.Node): void => {
    if (isWaiver(node)) found.add(source.getLineAndCharacterOfPosition(node.getEnd()).line)
    node.forEachChild(visit)
  }
  visit(source)
  const lines = text.split('\n')
  for (const [index, line] of lines.entries()) {
    if (/\/[/*] *(biome-ignore|@ts-)/.test(line)) found.add(index)
  }
  return [...found]
    .sort((a, b) => a - b)
    .map((index) => ({ where: `${path}:${index + 1}`, line: lines[index] ?? '' }))
}

const isWaiver = (node: ts.Node): boolean =>
  ts.isNonNullExpression(node) ||
  (ts.isAsExpression(node) && node.type.getText() !== 'const') ||
  ts.isTypeAssertionExpression(node)
