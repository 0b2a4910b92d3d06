import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { messageOf } from '#base/operator-error.ts'
import { readConfig } from '#machineconfig/read/read-config.ts'
import {
  kindsRefused,
  syntaxRefused,
  unknownKeysRefused,
} from '#machineconfig/read/refused.cases.ts'
import { typesRefused } from '#machineconfig/read/refused-types.cases.ts'
import { realPrograms } from '#test/conformance/programs/build.ts'

let folder: string
let talosctl: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'talos-operator-read-'))
  const programs = await realPrograms(['talosctl'])
  talosctl = programs.talosctl
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** What talosctl says on a file that it does not decode. */
async function saidByTalosctl(text: string): Promise<string> {
  const file = join(folder, 'config.yaml')
  await writeFile(file, text)
  return new Promise((resolve) => {
    execFile(talosctl, ['validate', '-m', 'metal', '-c', file], (error, stdout, stderr) =>
      resolve(error ? stderr.trimEnd() : `taken: ${stdout}`),
    )
  })
}

function saidByUs(text: string): string {
  try {
    return `taken: ${readConfig(text)}`
  } catch (error) {
    return messageOf(error).trimEnd()
  }
}

// Where we do not show a value, it does not count.
function withHidden(theirs: string, ours: string): string {
  const lines = ours.split('\n')
  return theirs
    .split('\n')
    .map((line, at) => (lines[at]?.includes('`…`') ? line.replace(/`[^`]*`/, '`…`') : line))
    .join('\n')
}

describe('what is of the wrong kind or type is refused in the words of talosctl', () => {
  test.each(
    [...kindsRefused, ...typesRefused]
      .map(([text]) => text)
      .filter((text) => !saidByUs(text).includes('unknown keys')),
  )('%j', async (text) => {
    const ours = saidByUs(text)

    expect(withHidden(await saidByTalosctl(text), ours)).toBe(ours)
  })
})

describe('what is no YAML is refused by both', () => {
  // It follows an alias into its own anchor until the memory is full.
  const texts = syntaxRefused.map(([text]) => text).filter((text) => !text.includes('[*a]'))

  test.each(texts)('%j', async (text) => {
    const [theirs, ours] = [await saidByTalosctl(text), saidByUs(text)]

    const sort = /^(?:decode error: yaml: |config not found$|expected a YAML document at line \d+$)/
    expect(theirs).toMatch(sort)
    expect(sort.exec(ours)?.[0]).toBe(sort.exec(theirs)?.[0])
  })
})

describe('unknown keys are refused by both, without their values by us', () => {
  test.each(unknownKeysRefused.map(([text]) => text))('%j', async (text) => {
    const [theirs, ours] = [await saidByTalosctl(text), saidByUs(text)]

    const [first, ...keys] = ours.split('\n').map((line) => line.replace(/ …$/, '').trim())
    expect(theirs.split('\n')[0]).toBe(first)
    for (const key of keys) expect(theirs).toContain(key.replace(/^(?:- )?"?([\w<~]*).*$/, '$1'))
  })
})
