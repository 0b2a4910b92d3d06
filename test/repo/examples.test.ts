import { describe, expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { kinds } from '#api/kinds.ts'
import { problemsOf } from './manifests.ts'
import { filesMatching, textOf } from './tree.ts'

const examples = await filesMatching(/^examples\/.*\.yaml$/)
const manifests = await Promise.all(
  examples.map(async (path) => {
    const text = await textOf(path)
    return { path, text, documents: parseAllDocuments(text) }
  }),
)

// The names under which users of the published operator know them.
const PROMISED = [
  'talos-cluster-addon',
  'talos-cluster-container',
  'talos-cluster-metal',
  'talos-controlplane-container',
  'talos-controlplane-metal',
  'talos-controlplane-with-cni',
  'talos-etcd-backup',
  'talos-etcd-backup-schedule',
  'talos-worker-container',
  'talos-worker-metal',
].map((name) => `examples/${name}.yaml`)

test('the examples that users know by name are there', () => {
  expect(examples).toEqual(expect.arrayContaining(PROMISED))
})

// What the document of vitistack.io shows, and what is made of it here: docs/differences.md says why.
const PUBLISHED = [
  { ours: 'kubernetes-cluster-simple', theirs: 'simple-cluster', at: '192.168.1.100' },
  { ours: 'kubernetes-cluster-multi-group', theirs: 'complex-cluster', at: '192.168.1.101' },
]

test.each(PUBLISHED)(
  'R62, R63: $ours says what the published $theirs says, at $at',
  async ({ ours, theirs, at }) => {
    // A template that is left empty is null there, and an empty object here.
    const saidIn = async (path: string) =>
      JSON.stringify(parseAllDocuments(await textOf(path)).map((one) => one.toJS()))
    const published = await saidIn(`test/scenarios/published/${theirs}.yaml`)

    expect(JSON.parse(await saidIn(`examples/${ours}.yaml`))).toEqual(
      JSON.parse(published.replaceAll('"spec":null', '"spec":{}').replace('192.168.1.100', at)),
    )
  },
)

test('every kind has an example', () => {
  const shown = manifests.flatMap(({ documents }) => documents.map((one) => one.get('kind')))

  expect(kinds.filter(({ kind }) => !shown.includes(kind)).map(({ kind }) => kind)).toEqual([])
})

test('examples/README.md names every example', async () => {
  const page = await textOf('examples/README.md')

  expect(examples.filter((path) => !page.includes(path.replace('examples/', '')))).toEqual([])
})

describe.each(manifests)('$path', ({ text, documents }) => {
  test('is valid, but for CEL rules, which make conformance has a real API server judge', () => {
    const problems = documents.flatMap((document) => [
      ...document.errors.map(({ message }) => message),
      ...problemsOf(document.toJS()),
    ])
    expect(documents.length).toBeGreaterThan(0)
    expect(problems).toEqual([])
  })

  test('says at the top what it is for', () => {
    expect(text).toMatch(/^# \w/)
  })
})

test('a typo, a wrong type, an unknown kind and an unknown group are found out', () => {
  const head = { apiVersion: 'talos.alperen.cloud/v1alpha1', metadata: { name: 'x' } }
  const worker = { ...head, kind: 'TalosWorker', spec: { mode: 'metal' } }

  expect(problemsOf(worker)).toEqual([])
  expect(
    problemsOf({ ...head, kind: 'TalosWorker', spec: { mode: 'metal', modus: 1 } }),
  ).not.toEqual([])
  expect(problemsOf({ ...head, kind: 'TalosWorker', spec: { mode: 7 } })).not.toEqual([])
  expect(problemsOf({ ...head, kind: 'TalosHamster' })).not.toEqual([])
  expect(problemsOf({ ...worker, apiVersion: 'talos.alperen.clod/v1alpha1' })).not.toEqual([])
  expect(problemsOf({ ...worker, apiVersion: 'talos.alperen.cloud/v1alpha2' })).not.toEqual([])
  expect(problemsOf({ ...worker, apiVersion: undefined })).not.toEqual([])
  expect(problemsOf({ ...worker, kind: undefined })).not.toEqual([])
  expect(problemsOf({ ...head, apiVersion: 'v1', kind: 'Secret' })).toEqual([])
  expect(problemsOf({ ...head, apiVersion: 'v1', kind: 'Secrets' })).not.toEqual([])
  expect(problemsOf(null)).not.toEqual([])
})
