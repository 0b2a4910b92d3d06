// What is accepted and not built says so wherever people meet it: examples, their list, `kubectl explain`, the reference.

import { describe, expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { kinds } from '#api/kinds.ts'
import { notBuilt } from '#controllers/not-built/controller.ts'
import { filesMatching, textOf } from './tree.ts'

const kindsNotBuilt = notBuilt.map(({ kind }) => kind.kind)
const FIELDS_NOT_BUILT = ['pxeServerSpec', 'pxeClientSpec']
const SAID = /^# Not built yet: .*\(docs\/roadmap\.md\)\.\n/

const files = await filesMatching(/^(examples|config\/samples)\/.*\.yaml$/)
const manifests = await Promise.all(files.map(async (path) => ({ path, text: await textOf(path) })))
const list = await textOf('examples/README.md')

/** Whether a manifest asks for anything that nobody does. */
const asksForMore = (text: string): boolean =>
  parseAllDocuments(text).some((document) => {
    const manifest = JSON.stringify(document.toJS())
    return (
      kindsNotBuilt.some((kind) => manifest.includes(`"kind":"${kind}"`)) ||
      FIELDS_NOT_BUILT.some((field) => manifest.includes(`"${field}":`)) ||
      /"mode":"(container|cloud)"/.test(manifest)
    )
  })

describe.each(manifests)('$path', ({ path, text }) => {
  const expected = asksForMore(text)

  test(`its first line ${expected ? 'says' : 'does not say'} that it is not built`, () => {
    const withoutMark = text.replace(/^# Generated .*\n/, '')

    expect(SAID.test(withoutMark)).toBe(expected)
  })

  test.runIf(path.startsWith('examples/'))('its line in examples/README.md says the same', () => {
    const name = path.replace('examples/', '')
    const line = list.split('\n').find((one) => one.startsWith(`| [${name}](`)) ?? ''

    expect(line.includes('[Not built yet](../docs/roadmap.md)')).toBe(expected)
  })
})

test('the first command of examples/README.md applies something that is built', () => {
  const [, path = 'none'] = /^kubectl apply -f (\S+)$/m.exec(list) ?? []
  const { text } = manifests.find((one) => one.path === path) ?? {}

  expect(text).toBeDefined()
  expect(asksForMore(text ?? '')).toBe(false)
})

test('the descriptions of kinds and fields say it', () => {
  const ofKinds = kinds.map(({ kind, description }) => ({ kind, description }))
  const ofFields = kinds.flatMap(({ spec }) => descriptionsOf(spec, ['mode', ...FIELDS_NOT_BUILT]))

  const says = ({ description }: { description: string }) => /not built yet: /i.test(description)
  expect(ofKinds.filter(says).map(({ kind }) => kind)).toEqual(kindsNotBuilt.toSorted())
  expect(ofFields.length).toBeGreaterThan(FIELDS_NOT_BUILT.length)
  expect(ofFields.filter((description) => !says({ description }))).toEqual([])
})

/** The descriptions of all fields of a schema that have one of the names. */
function descriptionsOf(schema: unknown, names: string[]): string[] {
  if (typeof schema !== 'object' || schema === null) return []
  return Object.entries(schema).flatMap(([key, value]) => {
    const own = names.includes(key) ? [String(Object(value).description)] : []
    return [...own, ...descriptionsOf(value, names)]
  })
}
