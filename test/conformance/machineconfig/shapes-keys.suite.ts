import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { DocumentKind, Shape, Struct } from '#machineconfig/shapes/shape.ts'
import { documentKinds } from '#machineconfig/shapes/shapes.ts'
import { realPrograms } from '#test/conformance/programs/build.ts'

// The version of the real talosctl.
const MINOR = 13

const isKnown = ({ since }: { since: number }): boolean => since <= MINOR

let folder: string
let talosctl: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'talos-operator-shapes-'))
  const programs = await realPrograms(['talosctl'])
  talosctl = programs.talosctl
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** What the real talosctl says of a document. */
async function verdictOn(document: unknown): Promise<string> {
  const path = join(folder, 'config.yaml')
  await writeFile(path, JSON.stringify(document))
  return new Promise((resolve) => {
    execFile(talosctl, ['validate', '-m', 'metal', '-c', path], (_error, stdout, stderr) =>
      resolve(stdout + stderr),
    )
  })
}

describe('the real talosctl knows every key of the table', () => {
  test.each(documentKinds().filter(isKnown))('of "$kind"', async (kind) => {
    const verdict = await verdictOn({ ...keysOf(kind.shape), ...headOf(kind) })

    expect(verdict).not.toMatch(/unknown keys|cannot unmarshal|not registered|does not belong/)
  })
})

describe('the real talosctl knows no key that is newer than itself', () => {
  const newer = documentKinds()
    .filter(isKnown)
    .flatMap((kind) => newerPaths(kind.shape).map((path) => ({ kind, path })))

  test.each(newer)('$kind.kind $path', async ({ kind, path }) => {
    const nested = path.reduceRight<unknown>((inner, key) => wrapped(inner, key), null)
    const verdict = await verdictOn({ ...Object(nested), ...headOf(kind) })

    expect(verdict).toMatch(/unknown keys/)
  })
})

test.each(documentKinds().filter((kind) => !isKnown(kind)))(
  'the real talosctl does not know the kind $kind',
  async (kind) => {
    expect(await verdictOn(headOf(kind))).toMatch(`"${kind.kind}" "v1alpha1": not registered`)
  },
)

const headOf = ({ kind, named }: DocumentKind): object =>
  kind === ''
    ? { version: 'v1alpha1' }
    : { apiVersion: 'v1alpha1', kind, ...(named && { name: 'one' }) }

/** Every key that a struct has, with nothing in it. */
function keysOf({ fields }: Struct): Record<string, unknown> {
  const known = [...fields.values()].filter(isKnown)
  return Object.fromEntries(known.map(({ name, shape }) => [name, emptyOf(shape)]))
}

function emptyOf(shape: Shape): unknown {
  if (shape.is === 'pointer') return emptyOf(shape.to)
  if (shape.is === 'struct') return keysOf(shape)
  if (shape.is === 'list') return shape.of.is === 'leaf' ? [] : [emptyOf(shape.of)]
  if (shape.is === 'map') return shape.of.is === 'leaf' ? {} : { key: emptyOf(shape.of) }
  return shape.is === 'free' ? {} : null
}

/** The paths of those fields that are newer, where what holds them is not. Lists are `[]` on the way. */
function newerPaths(shape: Shape): string[][] {
  if (shape.is === 'pointer') return newerPaths(shape.to)
  if (shape.is === 'list') return newerPaths(shape.of).map((path) => ['[]', ...path])
  if (shape.is === 'map') return newerPaths(shape.of).map((path) => ['key', ...path])
  if (shape.is !== 'struct') return []
  return [...shape.fields.values()].flatMap((field) =>
    isKnown(field) ? newerPaths(field.shape).map((path) => [field.name, ...path]) : [[field.name]],
  )
}

const wrapped = (inner: unknown, key: string): unknown =>
  key === '[]' ? [inner] : { [key]: inner }
