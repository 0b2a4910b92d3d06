import ts from 'typescript'
import { expect, test } from 'vitest'
import { lineOf, nodesOf } from './syntax.ts'
import { CODE, filesMatching, textOf } from './tree.ts'

test('no file names a place on somebody’s machine', async () => {
  const files = await filesMatching(/^(?!LICENSE|package-lock\.json|test\/repo\/hygiene)/)
  const place = /(?:^|[\s"'`(=:])\/(?:work|root|home\/\w+|Users\/\w+)\//m

  const found = await Promise.all(
    files.map(async (path) => (place.test(await textOf(path)) ? [path] : [])),
  )
  expect(found.flat()).toEqual([])
})

test('nothing is put in order by the rules of a language, which Node would load 3 MB for', async () => {
  const files = await filesMatching(/^src\/(?!.*\.test\.ts$).*\.ts$/)

  const found = await Promise.all(
    files.map(async (path) => (/\.localeCompare\(/.test(await textOf(path)) ? [path] : [])),
  )
  expect(files.length).toBeGreaterThan(0)
  expect(found.flat()).toEqual([])
})

test('the lock file says what to install, and leaves open from where', async () => {
  const lock = JSON.parse(await textOf('package-lock.json'))

  const placed = Object.entries<{ resolved?: string }>(lock.packages).filter(
    ([, { resolved }]) => resolved !== undefined,
  )
  expect(placed.map(([path]) => path)).toEqual([])
})

test('the lock file knows the packages for every platform, without which npm ci refuses', async () => {
  const { packages }: { packages: Record<string, { optionalDependencies?: object }> } = JSON.parse(
    await textOf('package-lock.json'),
  )

  const optional = Object.values(packages).flatMap((one) =>
    Object.keys(one.optionalDependencies ?? {}),
  )
  expect(optional.length).toBeGreaterThan(0)
  expect(optional.filter((name) => !packages[`node_modules/${name}`])).toEqual([])
})

test('nothing that everybody has to install is for one system alone, where npm ci fails on all others', async () => {
  const { packages }: { packages: Record<string, Partial<Record<string, unknown>>> } = JSON.parse(
    await textOf('package-lock.json'),
  )

  const bound = Object.entries(packages).filter(
    ([, { os, cpu, libc, optional }]) => (os ?? cpu ?? libc) !== undefined && optional !== true,
  )
  expect(Object.values(packages).filter(({ os }) => os !== undefined).length).toBeGreaterThan(0)
  expect(bound.map(([path]) => path)).toEqual([])
})

test('dependencies are pinned to exact versions', async () => {
  const { dependencies, devDependencies } = JSON.parse(await textOf('package.json'))

  const loose = Object.entries({ ...dependencies, ...devDependencies }).filter(
    ([, version]) => !/^\d+\.\d+\.\d+$/.test(String(version)),
  )
  expect(loose).toEqual([])
})

test('the program is made of few libraries', async () => {
  const { dependencies, devDependencies } = JSON.parse(await textOf('package.json'))
  const files = await filesMatching(/^src\/(?!.*\.test\.ts$).*\.ts$/)
  const text = (await Promise.all(files.map(textOf))).join('\n')

  // Most are in its bundle, so to npm they are tools.
  const names = Object.keys({ ...dependencies, ...devDependencies })
  const used = names.filter((name) => text.includes(` from '${name}`))
  expect(used).toContain('typebox')
  expect(used.length).toBeLessThanOrEqual(20)
})

test('no source takes the path of a URL for the path of a file, which a space breaks', async () => {
  const files = await filesMatching(CODE)

  const found = await Promise.all(
    files.map(async (path) => urlPathsIn(await textOf(path)).map((line) => `${path}:${line}`)),
  )
  expect(found.flat()).toEqual([])
})

test.each([
  "new URL('..', import.meta.url).pathname",
  'new URL(import.meta.url)\n  .pathname',
  "const here = new URL('.', import.meta.url)\nread(here.pathname)",
  "const { pathname } = new URL('.', import.meta.url)",
])('the path of a URL is found out: %j', (text) => {
  expect(urlPathsIn(text)).toHaveLength(1)
})

test.each([
  "fileURLToPath(new URL('..', import.meta.url))",
  'const here = fileURLToPath(import.meta.url)\nnew URL(request.url).pathname',
])('no path of a file of ours: %j', (text) => {
  expect(urlPathsIn(text)).toEqual([])
})

/** The lines where `pathname` is read from a URL that was made of `import.meta.url`. */
function urlPathsIn(text: string): number[] {
  if (!text.includes('import.meta.url')) return []
  const nodes = nodesOf(text)
  const isOurUrl = (node: ts.Node | undefined): boolean =>
    !!node && ts.isNewExpression(node) && node.getText().includes('import.meta.url')
  const declared = nodes.filter(ts.isVariableDeclaration).filter((one) => isOurUrl(one.initializer))
  const names = declared.map(({ name }) => name.getText())
  const read = nodes
    .filter(ts.isPropertyAccessExpression)
    .filter(({ name }) => name.text === 'pathname')
    .filter(({ expression }) => isOurUrl(expression) || names.includes(expression.getText()))
  const taken = declared.filter(({ name }) => /^\{.*\bpathname\b/s.test(name.getText()))
  return [...read, ...taken].map(lineOf)
}
