import type { CommanderError } from 'commander'
import { expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import packageFile from '#package.json' with { type: 'json' }
import { createProgram } from './program.ts'

/** Runs the command line as a user would, and returns what it printed and how it exited. */
async function run(...args: string[]): Promise<{ out: string; err: string; exitCode: number }> {
  const printed = { out: '', err: '' }
  const program = createProgram({
    out: (text) => {
      printed.out += text
    },
    err: (text) => {
      printed.err += text
    },
  })
  for (const command of [program, ...program.commands]) command.exitOverride()
  const exitCode = await program
    .parseAsync(args, { from: 'user' })
    .then(() => 0)
    .catch((error: CommanderError) => error.exitCode)
  return { ...printed, exitCode }
}

test('--version prints the version of the package', async () => {
  expect(await run('--version')).toEqual({ out: `${packageFile.version}\n`, err: '', exitCode: 0 })
})

test('--help names every command with what it does', async () => {
  const { out } = await run('--help')

  expect(out).toContain('Usage: talos-operator')
  expect(out).toMatch(/manifests .*print the CustomResourceDefinitions as YAML/)
})

const crdNames = (text: string): string[] =>
  parseAllDocuments(text).map((document) => document.toJS().metadata.name)

test('manifests prints the CRDs of talos.alperen.cloud, whose names are nobody else’s', async () => {
  const { out } = await run('manifests')

  expect(crdNames(out)).toHaveLength(8)
  expect(crdNames(out).filter((name) => !name.endsWith('.talos.alperen.cloud'))).toEqual([])
})

test('manifests --all prints one CRD for each of the ten kinds', async () => {
  const { out } = await run('manifests', '--all')

  expect(new Set(crdNames(out)).size).toBe(10)
})

test('an unknown command is refused and points at --help', async () => {
  const { err, exitCode } = await run('upgrade-everything')

  expect(exitCode).toBe(1)
  expect(err).toContain("unknown command 'upgrade-everything'")
  expect(err).toContain('--help')
})
