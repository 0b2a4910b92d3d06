import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { generatedFiles } from '#scripts/generate/files.ts'
import { applyChanges, describeChange, MARKER, staleFiles } from '#scripts/generate/tree.ts'
import { root } from './tree.ts'

// Once for all tests: the code says the same each time, and takes seconds for it.
const generated = generatedFiles()

test('every generated file is as the code says', async () => {
  const stale = (await staleFiles(root, generated)).map(describeChange)

  expect(stale, `run \`make generate\`:\n${stale.join('')}`).toEqual([])
})

test('every generated file says so on line one', () => {
  const silent = generated.filter(({ content }) => !content.split('\n')[0]?.includes(MARKER))

  expect(silent.map(({ path }) => path)).toEqual([])
})

test('a stale, a missing and a left-over file are found, described and put right', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'talos-operator-generated-'))
  const file = (name: string, text: string) => ({
    path: `config/${name}`,
    content: `# ${MARKER}\n${text}\n`,
  })
  await applyChanges(
    folder,
    [file('stale', 'old'), file('left-over', 'x')].map(({ path, content }) => ({
      path,
      wanted: content,
    })),
  )
  await writeFile(join(folder, 'config/by-hand'), 'not ours\n')
  const wanted = [file('stale', 'new'), file('missing', 'y')]

  const changes = await staleFiles(folder, wanted)
  await applyChanges(folder, changes)
  const after = await staleFiles(folder, wanted)
  await rm(folder, { recursive: true })

  expect(changes.map(describeChange)).toEqual([
    'config/left-over: nothing generates it any more\n',
    'config/missing: missing\n',
    'config/stale:2: differs\n  - old\n  - \n  + new\n  + \n',
  ])
  expect(after).toEqual([])
})
