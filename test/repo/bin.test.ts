import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { root, textOf } from './tree.ts'

test('bin/talos-operator passes the linter, which does not see a file without an extension', async () => {
  expect(await complaintsAbout(await textOf('bin/talos-operator'))).toBe('')
})

test.each([
  ['does not parse', 'const = 1\n'],
  ['is not formatted', 'const a   = 1\nprocess.exit(a)\n'],
  ['breaks a rule of ours', 'console.log(1)\n'],
])('a program that %s is found out', async (_, text) => {
  expect(await complaintsAbout(text)).toMatch(/Found \d+ errors?/)
})

/** What Biome says about the text under our rules, as if its name ended in .mjs. */
async function complaintsAbout(text: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'talos-operator-bin-'))
  const rules = { ...JSON.parse(await textOf('biome.json')), $schema: undefined, vcs: undefined }
  await writeFile(join(folder, 'biome.json'), JSON.stringify(rules))
  await mkdir(join(folder, 'bin'))
  await writeFile(join(folder, 'bin/talos-operator.mjs'), text)

  const biome = join(root, 'node_modules/.bin/biome')
  const args = ['ci', '--colors=off', '--error-on-warnings', 'bin']
  const said = await promisify(execFile)(biome, args, { cwd: folder }).then(
    () => '',
    ({ stdout, stderr }) => `${stdout}${stderr}`,
  )
  await rm(folder, { recursive: true })
  return said
}
