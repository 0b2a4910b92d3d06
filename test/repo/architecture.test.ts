import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { cruise, type ICruiseResult } from 'dependency-cruiser'
import extractTSConfig from 'dependency-cruiser/config-utl/extract-ts-config'
import { expect, test } from 'vitest'
import { filesMatching, root, textOf } from './tree.ts'

const rules = createRequire(import.meta.url)(join(root, '.dependency-cruiser.cjs'))

// Two thousand files are read, which takes seconds, and many times that beside other work.
const LONG = 180_000

async function cruiseSources(baseDir: string): Promise<ICruiseResult> {
  const { output } = await cruise(
    ['src'],
    { ...rules.options, baseDir, ruleSet: { forbidden: rules.forbidden }, validate: true },
    undefined,
    { tsConfig: extractTSConfig(join(root, 'tsconfig.json')) },
  )
  if (typeof output === 'string') throw new Error(output)
  return output
}

const violations = ({ summary }: ICruiseResult): string[] =>
  summary.violations.map(({ from, to, rule }) => `${from} → ${to}: ${rule.name}`)

test('every source is seen, and none imports what its folder may not', {
  timeout: LONG,
}, async () => {
  const result = await cruiseSources(root)

  const seen = result.modules.map(({ source }) => source).filter((path) => path.startsWith('src/'))
  expect(seen.sort()).toEqual(await filesMatching(/^src\/.*\.ts$/))
  expect(violations(result)).toEqual([])
})

test('a forbidden import is found out', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'talos-operator-architecture-'))
  const sources = {
    'package.json':
      '{ "type": "module", "imports": { "#scripts/*": "./scripts/*", "#test/*": "./test/*", "#*": "./src/*" } }',
    'scripts/build.ts': 'export const build = 1\n',
    'test/until.ts': 'export const until = 1\n',
    'src/api/build.ts': "import { build } from '#scripts/build.ts'\nexport const again = build\n",
    'src/api/lazy.ts': "export const lazy = () => import('#scripts/build.ts')\n",
    'src/api/typed.ts':
      "import type { build } from '#scripts/build.ts'\nexport type Typed = typeof build\n",
    'src/api/build.test.ts': "import { build } from '#scripts/build.ts'\nbuild\n",
    'src/api/until.test.ts': "import { until } from '#test/until.ts'\nuntil\n",
    'src/api/until.ts': "import { until } from '#test/until.ts'\nexport const again = until\n",
    'src/api/kind.ts': 'export const kind = 1\n',
    'src/base/clock.ts': "import { kind } from '#api/kind.ts'\nexport const clock = kind\n",
    'src/controllers/worker/plan.ts':
      "import { readFileSync } from 'node:fs'\nexport const plan = readFileSync\n",
  }
  for (const [path, text] of Object.entries(sources)) {
    await mkdir(join(folder, path, '..'), { recursive: true })
    await writeFile(join(folder, path), text)
  }

  const found = violations(await cruiseSources(folder))
  await rm(folder, { recursive: true })

  expect(found.sort()).toEqual([
    'src/api/build.test.ts → scripts/build.ts: a test beside the sources imports sources, test/ and libraries',
    'src/api/build.ts → scripts/build.ts: src stands alone',
    'src/api/lazy.ts → scripts/build.ts: src stands alone',
    'src/api/typed.ts → scripts/build.ts: src stands alone',
    'src/api/until.ts → test/until.ts: nothing imports tests',
    'src/api/until.ts → test/until.ts: src stands alone',
    'src/base/clock.ts → src/api/kind.ts: base may import only itself',
    'src/controllers/worker/plan.ts → fs: plans are pure',
  ])
})

test('ARCHITECTURE.md shows the same table as the rules, and which folders are there', async () => {
  const section =
    /## Folders of src([\s\S]*?)\n## /.exec(await textOf('ARCHITECTURE.md'))?.[1] ?? ''
  const rows = [...section.matchAll(/^\| `(\w+)` \| ([^|]+) \| [^|]+ \| (✔?) ?\|$/gm)].map(
    ([, folder = '', imports = '', there]) => ({
      folder,
      imports: imports === '—' ? [] : imports.split(', '),
      isThere: there === '✔',
    }),
  )
  const folders = new Set((await filesMatching(/^src\//)).map((path) => path.split('/')[1]))

  expect(Object.fromEntries(rows.map(({ folder, imports }) => [folder, imports]))).toEqual(
    rules.mayImport,
  )
  expect(rows.filter(({ isThere }) => isThere).map(({ folder }) => folder)).toEqual([
    ...rows.map(({ folder }) => folder).filter((folder) => folders.has(folder)),
  ])
  expect(Object.keys(rules.mayImport)).toEqual(expect.arrayContaining([...folders]))
})
