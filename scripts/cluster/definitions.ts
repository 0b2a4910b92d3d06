// The CRDs in the cluster that kubectl points at. With a CRD go all its objects, and with a wrong schema their fields, so
// who comes and who goes look before they do anything.

import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'
import { crdName, PART_OF_LABELS, toCrd } from '#api/crd.ts'
import { kinds } from '#api/kinds.ts'
import { type Kind, VITISTACK_GROUP } from '#api/meta.ts'
import { toYaml } from '#base/yaml.ts'
import { fail } from './fail.ts'
import { ask, tell } from './kubectl.ts'

const InstalledCrd = Type.Object({
  metadata: Type.Object({
    name: Type.String(),
    labels: Type.Optional(Type.Record(Type.String(), Type.String())),
  }),
})
type InstalledCrd = Static<typeof InstalledCrd>

/** Installs all of them, or none. */
export function installDefinitions(force: boolean): void {
  // The published talos.alperen.cloud CRDs are a subset of ours and are taken over. What others
  // publish as vitistack.io/v1alpha1 has another shape: replacing it would strip their objects.
  const strangers = installedCrds()
    .filter((crd) => !isOurs(crd) && crd.metadata.name.endsWith(`.${VITISTACK_GROUP}`))
    .map(({ metadata }) => metadata.name)
  if (strangers.length > 0 && !force) {
    fail(
      `the cluster has ${strangers.join(' and ')} from another project`,
      'two projects publish different shapes under this name, and a cluster can hold only one; replacing it would strip fields from existing objects',
      'use another cluster, or say `FORCE=1` to make if nothing here uses the other shape',
    )
  }
  const manifests = kinds.map((kind) => toYaml(toCrd(kind))).join('---\n')
  tell(['apply', '--server-side', '--force-conflicts', '-f', '-'], manifests)
}

/** Removes those that are ours, unless one has objects. */
export function uninstallDefinitions(): void {
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
  else tell(['delete', 'crd', ...ours.map(crdName)])
}

const isOurs = ({ metadata }: InstalledCrd): boolean =>
  Object.entries(PART_OF_LABELS).every(([key, value]) => metadata.labels?.[key] === value)

const isOf = ({ metadata }: InstalledCrd, kind: Kind): boolean => metadata.name === crdName(kind)

function installedCrds(): InstalledCrd[] {
  const names = kinds.map(crdName)
  const listed = Value.Parse(
    Type.Object({ items: Type.Array(InstalledCrd) }),
    JSON.parse(ask('get', 'crd', '-o', 'json')),
  )
  return listed.items.filter(({ metadata }) => names.includes(metadata.name))
}

const countObjects = (kind: Kind): number =>
  ask('get', crdName(kind), '--all-namespaces', '-o', 'name').split('\n').filter(Boolean).length
