import { spawnSync } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { filesOf, filesWalked, OWN_PLACE, root, textOf } from './tree.ts'

const hasGit = spawnSync('git', ['--version']).status === 0

test('whoever has no git sees the same files', async () => {
  const walked = await filesWalked(root)

  expect(walked).toEqual(expect.arrayContaining(await filesOf(root)))
})

test.each(hasGit ? ['with git', 'without git'] : ['without git'])(
  'a log that somebody left is no file of ours, %s',
  async (how) => {
    const folder = await mkdtemp(join(tmpdir(), 'talos operator tree-'))
    const ours = ['.gitignore', 'a.ts', 'deep/b c.ts', 'deep/hack/results/kept.ts']
    const ignored = ['debug.log', 'deep/d.log', 'dist/e.ts', 'ui/node_modules/f.ts']
    for (const path of [...ours, ...ignored, 'hack/results/g.ts']) {
      await mkdir(dirname(join(folder, path)), { recursive: true })
      await writeFile(join(folder, path), '')
    }
    await writeFile(join(folder, '.gitignore'), await textOf('.gitignore'))
    if (how === 'with git') spawnSync('git', ['init', '--quiet'], { cwd: folder, env: OWN_PLACE })

    const found = await filesOf(folder)
    await rm(folder, { recursive: true })

    expect(found).toEqual(ours)
  },
)
