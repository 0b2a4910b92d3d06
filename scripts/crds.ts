// `make install` and `make uninstall`: the CRDs in the cluster that kubectl points at. With a CRD go
// all its objects, and with a wrong schema their fields, so both look before they do anything.

import { spawnSync } from 'node:child_process'
import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'
import { crdName, PART_OF_LABELS, toCrd } from '#api/crd.ts'
import { kinds } from '#api/kinds.ts'
import { type Kind, VITISTACK_GROUP } from '#api/meta.ts'
import { problem } from '#base/problem.ts'
import { toYaml } from '#base/yaml.ts'

const InstalledCrd = Type.Object({
  metadata: Type.Object({
    name: Type.String(),
    labels: Type.Optional(Type.Record(Type.String(), Type.String())),
  }),
})
type InstalledCrd = Static<typeof InstalledCrd>

function install(force: boolean): void {
  // The published talos.alperen.cloud CRDs are a subset of ours and are taken over. What others
  // publish as vitistack.io/v1alpha1 has another shape: replacing it would strip their objects.
  const strangers = installedCrds()
    .filter((crd) => !isOurs(crd) && crd.metadata.name.endsWith(`.${VITISTACK_GROUP}`))
    .map(({ metadata }) => metadata.name)
  if (strangers.length > 0 && !force) {
    fail(
      `the cluster has ${strangers.join(' and ')} from another project`,
      'two projects publish different shapes under this name, and a cluster can hold only one; replacing it would strip fields from existing objects',
      'use another cluster, or run `make install FORCE=1` if nothing here uses the other shape',
    )
  }
  const manifests = kinds.map((kind) => toYaml(toCrd(kind))).join('---\n')
  run(['apply', '--server-side', '--force-conflicts', '-f', '-'], 'inherit', manifests)
}

function uninstall(): void {
  const installed = installedCrds()
  const ours = kinds.filter((kind) => installed.some((crd) => isOurs(crd) && isOf(crd, kind)))
  const inUse = ours
    .map((kind) => ({ kind, count: countObjects(kind) }))
    .filter(({ count }) => count > 0)
  if (inUse.length > 0) {
    fail(
      `there are still ${inUse.map(({ kind, count }) => `${count} ${kind.plural}`).join(', ')}`,
      'deleting a CRD deletes all its objects, and with them the operator would reset machines',
      'delete the objects first, or keep the CRDs: they do no harm',
    )
  }
  if (ours.length === 0) process.stdout.write('none of our CRDs is installed\n')
  else run(['delete', 'crd', ...ours.map(crdName)], 'inherit')
}

const isOurs = ({ metadata }: InstalledCrd): boolean =>
  Object.entries(PART_OF_LABELS).every(([key, value]) => metadata.labels?.[key] === value)

const isOf = ({ metadata }: InstalledCrd, kind: Kind): boolean => metadata.name === crdName(kind)

function installedCrds(): InstalledCrd[] {
  const names = kinds.map(crdName)
  const listed = Value.Parse(
    Type.Object({ items: Type.Array(InstalledCrd) }),
    JSON.parse(capture('get', 'crd', '-o', 'json')),
  )
  return listed.items.filter(({ metadata }) => names.includes(metadata.name))
}

const countObjects = (kind: Kind): number =>
  capture('get', crdName(kind), '--all-namespaces', '-o', 'name').split('\n').filter(Boolean).length

const capture = (...args: string[]): string => run(args, 'pipe')

function run(args: string[], stdout: 'inherit' | 'pipe', input = ''): string {
  const result = spawnSync('kubectl', args, {
    input,
    stdio: ['pipe', stdout, 'inherit'],
    encoding: 'utf8',
    maxBuffer: 256 * 1024 * 1024,
  })
  if (result.error) {
    fail('kubectl could not be run', result.error.message, 'install kubectl and put it on the PATH')
  }
  if (result.status !== 0) process.exit(result.status ?? 1)
  return result.stdout ?? ''
}

function fail(what: string, why: string, remedy: string): never {
  process.stderr.write(`${problem({ what, why, remedy }).message}\n`)
  process.exit(1)
}

const [command] = process.argv.slice(2)
if (command === 'install') install(Boolean(process.env.FORCE))
else if (command === 'uninstall') uninstall()
else fail(`no such command: ${command}`, 'there are two', 'say install or uninstall')
