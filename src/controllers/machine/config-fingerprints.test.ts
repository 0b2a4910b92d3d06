import { expect, test } from 'vitest'
import { Secret } from '#base/secret.ts'
import { configFingerprint } from '#engine/wanted-config.ts'
import { readConfig } from '#machineconfig/read/read-config.ts'
import { heldBytes } from '#test/held-bytes.ts'
import { ConfigFingerprints } from './config-fingerprints.ts'

const TEXT = 'version: v1alpha1\nmachine:\n  type: worker\ncluster: {}\n'
const SAME = `# somebody's note\n${TEXT}`
const OTHER = TEXT.replace('worker', 'controlplane')

const of = (texts: readonly string[], fingerprints = new ConfigFingerprints()) =>
  texts.map((text) => fingerprints.of(new Secret(text))?.fingerprint)

test('a configuration has one fingerprint, however it is written and however often it is asked', () => {
  const [first, again, noted, other, back] = of([TEXT, TEXT, SAME, OTHER, TEXT])

  expect(first).toBe(configFingerprint(readConfig(TEXT)))
  expect([again, noted, back]).toEqual([first, first, first])
  expect(other).toBe(configFingerprint(readConfig(OTHER)))
  expect(other).not.toBe(first)
})

test('a configuration says what it makes the machine', () => {
  const fingerprints = new ConfigFingerprints()
  const types = [TEXT, OTHER, TEXT, 'version: v1alpha1\nmachine: {}\ncluster: {}\n'].map(
    (text) => fingerprints.of(new Secret(text))?.type,
  )

  expect(types).toEqual(['worker', 'controlplane', 'worker', ''])
})

test('what cannot be read has none, the second time neither', () => {
  expect(of(['machine: [', 'machine: [', TEXT])).toEqual([undefined, undefined, ...of([TEXT])])
})

test('of a configuration no more is remembered than was looked for: there are secrets in it', () => {
  const image = 'ghcr.io/siderolabs/installer:v1.13.0'
  const long = (at: number) =>
    `${TEXT.replace('type: worker', `type: worker\n  install: {image: "${image}"}`)}# ${at} ${'x'.repeat(50_000)}\n`
  const reads = (fingerprints: ConfigFingerprints) =>
    Array.from({ length: 100 }, (_, at) =>
      fingerprints.of(new Secret(Buffer.from(long(at)).toString())),
    )
  reads(new ConfigFingerprints())

  expect(reads(new ConfigFingerprints())[0]?.installer).toBe(image)
  expect(heldBytes(() => reads(new ConfigFingerprints()))).toBeLessThan(1_000_000)
})
