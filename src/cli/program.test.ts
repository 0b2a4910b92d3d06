import { expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import packageFile from '#package.json' with { type: 'json' }
import { run } from './a-terminal.cases.ts'

test('--version prints the version of the package', async () => {
  expect(await run('--version')).toEqual({ out: `${packageFile.version}\n`, err: '', exitCode: 0 })
})

test('--help names every command with what it does', async () => {
  const { out } = await run('--help')

  expect(out).toContain('Usage: talos-operator')
  expect(out).toMatch(/manifests .*print the CRDs, and the operator, as YAML/)
  for (const command of ['run', 'standalone', 'gen', 'machineconfig|mc', 'validate']) {
    expect(out).toContain(`\n  ${command} `)
  }
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

test('manifests --rbac prints the roles as well, with the kinds that a machineRef may name', async () => {
  const { out } = await run('manifests', '--rbac', '--machine-ref-kinds', 'metal.example/v1/Server')

  const role = parseAllDocuments(out)
    .map((document) => document.toJS())
    .find(({ kind }) => kind === 'ClusterRole')
  expect(role.rules).toContainEqual({
    ...{ apiGroups: ['metal.example'], resources: ['servers'], verbs: ['get', 'list', 'watch'] },
  })
})

test('manifests --operator prints all of the operator, with the image and for the namespaces that are named', async () => {
  const flags = ['--no-crds', '--operator', '--namespace', 'elsewhere', '--namespaces', 'team-a']
  const { out } = await run('manifests', ...flags, '--image', 'registry.example/mine:v9')

  const objects = parseAllDocuments(out).map((document) => document.toJS())
  expect(objects.map(({ kind, metadata }) => `${kind} ${metadata.namespace}`)).toEqual([
    'ServiceAccount elsewhere',
    ...['Role team-a', 'RoleBinding team-a', 'Role elsewhere', 'RoleBinding elsewhere'],
    ...['Deployment elsewhere', 'Service elsewhere', 'NetworkPolicy elsewhere'],
  ])
  const [container] = objects[5].spec.template.spec.containers
  expect(container.image).toBe('registry.example/mine:v9')
  expect(container.args).toContain('--namespaces=team-a')
})

test('manifests --operator prints the CRDs before it, unless told', async () => {
  const { out } = await run('manifests', '--operator', '--all')

  const objects = parseAllDocuments(out).map((document) => document.toJS())
  expect(objects.slice(0, 10).map(({ kind }) => kind)).toEqual(
    Array(10).fill('CustomResourceDefinition'),
  )
  expect(objects.map(({ kind }) => kind)).toContain('Deployment')
  expect(objects.map(({ kind }) => kind)).not.toContain('Namespace')
})

test('an unknown command is refused and points at --help', async () => {
  const { err, exitCode } = await run('upgrade-everything')

  expect(exitCode).toBe(1)
  expect(err).toContain("unknown command 'upgrade-everything'")
  expect(err).toContain('--help')
})
