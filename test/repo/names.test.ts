import { expect, test } from 'vitest'
import { kinds } from '#api/kinds.ts'
import { CODE, filesMatching, textOf } from './tree.ts'

const BANNED = [
  'common',
  'data',
  'handler',
  'helper',
  'helpers',
  'info',
  'manager',
  'misc',
  'service',
  'util',
  'utils',
]

// Names that mean a Kubernetes or gRPC service, or an HTTP handler. Each with its reason.
const ALLOWED: Record<string, string> = { service: 'a Kubernetes Service, for kubectl' }

// Where a service is one of Talos': etcd, kubelet, apid.
const TALOS_SERVICES = /^src\/(simulator\/(machine|services)|talos\/calls)\//

const wordsOf = (name: string): string[] =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)

const isBanned = (name: string): boolean =>
  wordsOf(name).some((word) => BANNED.includes(word)) && !ALLOWED[name]

test('files and what they export are named for what they are', async () => {
  // What a program writes has the names of what it was made from.
  const files = (await filesMatching(CODE)).filter((path) => !path.includes('/generated/'))

  const names = await Promise.all(
    files.map(async (path) => {
      const exported = (await textOf(path)).matchAll(
        /^export (?:async )?(?:const|function|class|interface|type) (\w+)/gm,
      )
      const own = path.split('/').at(-1)?.replace(/\..*/, '') ?? ''
      return [own, ...[...exported].map(([, name = '']) => name)].map((name) => `${path}: ${name}`)
    }),
  )
  const banned = names.flat().filter((line) => {
    const name = line.split(': ')[1] ?? ''
    return isBanned(TALOS_SERVICES.test(line) ? name.replace(/services?/i, '') : name)
  })
  expect(banned).toEqual([])
})

test('the ban bites', () => {
  expect(['StringUtils', 'clusterManager', 'http-helper'].filter(isBanned)).toHaveLength(3)
  expect(['ControlPlane', 'information', 'managed'].filter(isBanned)).toEqual([])
})

test('a kind has the same stem everywhere', async () => {
  const files = new Set(await filesMatching(/^(src\/api|docs\/reference)\//))

  const missing = kinds
    .flatMap(({ stem }) => [`src/api/${stem}.ts`, `docs/reference/${stem}.md`])
    .filter((path) => !files.has(path))
  expect(missing).toEqual([])
})
