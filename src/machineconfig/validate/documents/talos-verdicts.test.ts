import { expect, test } from 'vitest'
import type { ValueMap } from '#machineconfig/document.ts'
import { readPlain } from '#machineconfig/read/read-value.ts'
import { documentKind } from '#machineconfig/shapes/shapes.ts'
import { errorText } from '#machineconfig/validate/error-list.ts'
import { containerVerdicts } from './container-verdicts.cases.ts'
import { imageVerdicts, networkVerdicts } from './network-verdicts.cases.ts'
import { verdictOn } from './verdicts.cases.ts'

type Documents = readonly (readonly [kind: string, fields: ValueMap])[]
type TalosVerdict = readonly [documents: Documents, said: string]

const casesIn = (lines: string): TalosVerdict[] =>
  lines
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))

/** As `readConfig` would have it. */
function inNormalForm([name, fields]: Documents[number]): Documents[number] {
  const kind = documentKind(name)
  if (!kind) throw new Error(`there is no kind ${name}`)
  return [name, readPlain(kind, { apiVersion: 'v1alpha1', kind: name, ...fields })]
}

function saidOf(documents: Documents, talosVersion: string): string {
  const { warnings, errors } = verdictOn(documents.map(inNormalForm), { talosVersion })
  const lines = warnings.map((warning) => `WARNING: ${warning}`)
  return [...lines, ...(errors.length > 0 ? [errorText(errors)] : [])].join('\n').trimEnd()
}

test.each(casesIn(networkVerdicts + imageVerdicts.trimStart() + containerVerdicts.trimStart()))(
  '%j is judged in the words of Talos v1.14.1',
  (documents, said) => {
    expect(saidOf(documents, 'v1.14.1')).toBe(said)
  },
)

test('v1.13 has nothing to say of the patterns of images', () => {
  const rules = [{ image: 'library/nginx:1@x', skip: true }]

  expect(saidOf([['ImageVerificationConfig', { rules }]], 'v1.13.0')).toBe('')
})

test('a variable that is no pair is not shown', () => {
  const fields = {
    name: 'a',
    image: `b1@sha256:${'0'.repeat(64)}`,
    environment: ['A=b', 'hunter2'],
  }

  expect(verdictOn([['ContainerConfig', fields]], { talosVersion: 'v1.14.1' })).toEqual({
    warnings: [],
    errors: ['ContainerConfig/a: environment[1]: ****** must be in KEY=value form'],
  })
})

test('an image whose full name is too long is no image, of which Talos dies', () => {
  const errorsOf = (length: number): string =>
    saidOf([['ContainerConfig', { name: 'a', image: 'x'.repeat(length) }]], 'v1.14.1')

  expect(errorsOf(247)).not.toContain('invalid image reference')
  expect(errorsOf(248)).toContain('invalid image reference')
})

const inChain = (count: number, needs: (i: number) => readonly string[]): Documents =>
  Array.from({ length: count }, (_, i) => [
    'ContainerConfig',
    { name: `a${i}`, image: 'b1', dependsOn: { containers: needs(i) } },
  ])

test('a chain of containers may be as long as the text of a configuration', () => {
  const chain = inChain(20_000, (i) => (i + 1 < 20_000 ? [`a${i + 1}`] : []))

  expect(verdictOn(chain, { talosVersion: 'v1.14.1' }).errors).toEqual([])
})

test('of very many cycles only some are told', () => {
  const tangle = inChain(2000, (i) => [`a${(i + 1) % 2000}`, ...(i > 0 ? ['a0'] : [])])

  const [error = ''] = verdictOn(tangle, { talosVersion: 'v1.14.1' }).errors

  expect(error).toMatch(/^container dependsOn cycle detected: a0 -> a1/)
  expect(error.length).toBeLessThan(100_000)
})

const imports = (prefixes: readonly string[]): Documents => [
  [
    'BGPInstanceConfig',
    {
      name: 'a',
      localASN: 1,
      neighbors: [{ link: 'b' }],
      importRoutes: [{ bgpInstance: 'c', prefixes }],
    },
  ],
]

test('very many prefixes are taken, and not compared one by one if some overlap', () => {
  const many = Array.from({ length: 20_000 }, (_, i) => `10.${i >> 8}.${i & 255}.0/24`)

  expect(saidOf(imports(many), 'v1.14.1')).toBe('')
  expect(saidOf(imports([...many, '10.0.0.0/8']), 'v1.14.1')).toContain(
    'BGPInstanceConfig/a: importRoutes: prefixes overlap',
  )
})
