import { stringify } from 'yaml'
import { aCluster } from '#machineconfig/generate/a-cluster.cases.ts'
import { generateConfig } from '#machineconfig/generate/generate-config.ts'
import { writtenCases } from '#machineconfig/write/cases/written.cases.ts'
import { writeConfig } from '#machineconfig/write/write-config.ts'
import { mutations } from './fuzz-mutations.ts'
import { below, oneOf, randomNumbers } from './fuzz-random.ts'
import { sampleDocuments } from './fuzz-samples.ts'

/** What is mutated: configurations as generated, documents of every kind, and patches. */
export function goodTexts(): string[] {
  const generated = (['controlplane', 'worker'] as const).flatMap((role) =>
    ['v1.5', 'v1.13'].map((talosVersion) =>
      writeConfig(generateConfig(role, aCluster({ talosVersion }))),
    ),
  )
  const samples = sampleDocuments().flatMap((one) => [stringify(one), JSON.stringify(one)])
  return [
    ...generated,
    ...writtenCases.flatMap(({ text, written }) => [text, written]),
    // The legacy document with every field is large: one in many is enough.
    ...samples.filter((text) => text.length < 4_000),
    ...samples.filter((text) => text.length >= 4_000).slice(0, 1),
    '- op: replace\n  path: /machine/type\n  value: worker\n- op: remove\n  path: /debug\n',
    '[{"op":"test","path":"/machine/x~1y","value":{"a":[1]}},{"op":"move","from":"/a","path":"/b"}]',
    'machine:\n  network:\n    interfaces:\n      - interface: eth0\n        $patch: delete\n',
    'apiVersion: v1alpha1\nkind: HostnameConfig\n$patch: delete\n---\ndebug: true\n',
  ]
}

/** Some texts that are far too long. */
export const hugeTexts = (): string[] => {
  const length = 10 * 1024 * 1024
  const almost = 4 * 1024 * 1024 - 1_000
  const many = Array.from({ length: 10_000 }, (_, at) => `    k${at}: *a\n`).join('')
  const unfolded = (size: number): string =>
    `machine:\n  token: &a "${'a'.repeat(size)}"\n  sysctls:\n${many}`
  return [length, almost].flatMap((size) => [
    unfolded(size / 10),
    unfolded(size / 10_000),
    `machine: { type: "${'a'.repeat(size)}" }\n`,
    `machine:\n  type: ${'a'.repeat(size)}\n`,
    `machine:\n  type: |\n    ${'a'.repeat(size)}\n`,
    `machine:\n  type: '${"''".repeat(size / 2)}'\n`,
    `machine:\n  token: ${'a b '.repeat(size / 4)}\n`,
    `machine:\n  ca: { crt: ${'YQ=='.repeat(size / 4)} }\n`,
    `cluster:\n  controlPlane: { endpoint: "https://${'a'.repeat(size)}" }\n`,
    `# ${'a'.repeat(size)}\nmachine: {}\n`,
    `machine:\n  install: { diskSelector: { size: "${'1'.repeat(size)}" } }\n`,
  ])
}

/** Mutated texts, always the same ones for a seed. */
export function* mutatedTexts(seed: number, count: number): Generator<string> {
  const random = randomNumbers(seed)
  const good = goodTexts()
  for (let at = 0; at < count; at++) {
    let text = oneOf(good, random)
    for (let times = 1 + below(random, 4); times > 0; times--)
      text = oneOf(mutations, random)(text, random)
    yield text
  }
}
