import ts from 'typescript'
import { expect, test } from 'vitest'
import { lineOf, nodesOf } from './syntax.ts'
import { CODE, filesMatching, textOf } from './tree.ts'

// How many there may be in src. Lower it when one goes; raise it only with a good answer to "why".
const ALLOWED_IN_SOURCES = 0

// TypeBox has no way to say some shapes that a CRD can have; src/api/schema.ts and types-only.ts
// say them by hand, and the compiler believes it. The number only goes down.
const ALLOWED_UNSAFE_SCHEMAS = 7

// Where JSON from outside gets its type by assertion, and why that may be. A new place needs its
// reason on the line, or better a schema.
const TRUSTED_JSON: Record<string, string> = {
  'src/kube/http-json.ts': 'the API server has validated it against the schema of the type',
}

const SOURCES = /^src\/.*(?<!\.test)\.ts$/

interface Waiver {
  path: string
  where: string
  line: string
}

test('each waiver of the compiler or the linter carries its reason on its line', async () => {
  const unexplained = (await waivers()).filter(({ line }) => !hasReason(line))

  expect(unexplained.map(({ where }) => where)).toEqual([])
})

test('there are few waivers in the sources', async () => {
  const inSources = (await waivers()).filter(({ path }) => SOURCES.test(path))

  const places = inSources.map(({ where }) => where)
  expect(places.length, places.join('\n')).toBeLessThanOrEqual(ALLOWED_IN_SOURCES)
})

test('schemas that the compiler must believe are few', async () => {
  const files = await filesMatching(SOURCES)

  const found = await Promise.all(
    files.map(async (path) => unsafeSchemasIn(await textOf(path)).map((line) => `${path}:${line}`)),
  )
  expect(found.flat().length, found.flat().join('\n')).toBeLessThanOrEqual(ALLOWED_UNSAFE_SCHEMAS)
})

test('JSON gets its type from a schema, or says why not', async () => {
  // In a test a wrong shape fails the test.
  const files = await filesMatching(/^(src|scripts|ui\/src)\/.*(?<!\.test)\.tsx?$/)

  const found = await Promise.all(
    files.map(async (path) => {
      const text = await textOf(path)
      const lines = text.split('\n')
      return assertedJsonIn(text)
        .filter((line) => !TRUSTED_JSON[path] && !hasReason(lines[line - 1] ?? ''))
        .map((line) => `${path}:${line}`)
    }),
  )
  expect(found.flat()).toEqual([])
  expect(Object.keys(TRUSTED_JSON).filter((path) => !files.includes(path))).toEqual([])
})

test.each([
  'Type.Unsafe<string>({})',
  'Type.Unsafe({})',
  'const { Unsafe } = Type',
  "import { Unsafe } from 'typebox'",
])('an unsafe schema is found: %s', (text) => {
  expect(unsafeSchemasIn(text)).toEqual([1])
})

test.each([
  'const x: Settings = JSON.parse(text)',
  'const x: Settings = await JSON.parse(await read())',
  'let x: Settings; x = JSON.parse(text)',
  'const read = (text: string): Settings => JSON.parse(text)',
  'function read(text: string): Settings { return JSON.parse(text) }',
  'async function read(): Promise<Settings> { return JSON.parse(await load()) }',
  'const read = (text: string) => JSON.parse(text)',
  'const { name } = JSON.parse(text)',
  'const name = JSON.parse(text).name',
])('JSON that the compiler must believe is found: %s', (text) => {
  expect(assertedJsonIn(text)).toEqual([1])
})

test.each([
  'const x: unknown = JSON.parse(text)',
  'const x = Value.Parse(Settings, JSON.parse(text))',
  'const read = (text: string): unknown => JSON.parse(text)',
  'async function read(): Promise<unknown> { return JSON.parse(await load()) }',
])('JSON that is checked is let through: %s', (text) => {
  expect(assertedJsonIn(text)).toEqual([])
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

let ofAllCode: Promise<Waiver[]> | undefined

/** Those of all code, which the sources are a part of. Looked for once: it takes seconds. */
function waivers(): Promise<Waiver[]> {
  ofAllCode ??= waiversInCode()
  return ofAllCode
}

async function waiversInCode(): Promise<Waiver[]> {
  const files = (await filesMatching(CODE)).filter((path) => path !== 'test/repo/waivers.test.ts')
  return (await Promise.all(files.map(async (path) => waiversOf(path, await textOf(path))))).flat()
}

function waiversOf(path: string, text: string): Waiver[] {
  const found = new Set(
    nodesOf(text)
      .filter(isWaiver)
      .map((node) => lineOf(node) - 1),
  )
  const lines = text.split('\n')
  for (const [index, line] of lines.entries()) {
    if (/\/[/*] *(biome-ignore|@ts-)/.test(line)) found.add(index)
  }
  return [...found]
    .sort((a, b) => a - b)
    .map((index) => ({ path, where: `${path}:${index + 1}`, line: lines[index] ?? '' }))
}

const isWaiver = (node: ts.Node): boolean =>
  ts.isNonNullExpression(node) ||
  (ts.isAsExpression(node) && node.type.getText() !== 'const') ||
  ts.isTypeAssertionExpression(node)

/** The lines that name TypeBox's `Unsafe`, by which a schema gets any type. */
function unsafeSchemasIn(text: string): number[] {
  // A text without the word need not be parsed.
  if (!text.includes('Unsafe')) return []
  return nodesOf(text)
    .filter((node) => ts.isIdentifier(node) && node.text === 'Unsafe')
    .map(lineOf)
}

/** The lines where what `JSON.parse` returns becomes anything but `unknown` or an argument. */
function assertedJsonIn(text: string): number[] {
  if (!text.includes('JSON.parse')) return []
  return nodesOf(text)
    .filter((node) => ts.isCallExpression(node) && node.expression.getText() === 'JSON.parse')
    .filter((node) => !isUnknown(node.parent, node))
    .map(lineOf)
}

function isUnknown(user: ts.Node, parsed: ts.Node): boolean {
  if (ts.isAwaitExpression(user) || ts.isParenthesizedExpression(user)) {
    return isUnknown(user.parent, user)
  }
  if (ts.isCallExpression(user)) return user.arguments.some((argument) => argument === parsed)
  if (ts.isVariableDeclaration(user)) return isUnknownType(user.type)
  if (ts.isReturnStatement(user)) return isUnknownType(ts.findAncestor(user, isFunction)?.type)
  return ts.isArrowFunction(user) && isUnknownType(user.type)
}

const isFunction = (node: ts.Node): node is ts.FunctionLikeDeclaration =>
  ts.isFunctionLike(node) && 'body' in node

const isUnknownType = (type: ts.TypeNode | undefined): boolean =>
  /^(Promise<)?unknown>?$/.test(type?.getText() ?? '')
