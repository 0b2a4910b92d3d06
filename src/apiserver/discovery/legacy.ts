import { createHash } from 'node:crypto'
import type { Fields } from '#apiserver/objects.ts'
import { type Discovered, type GroupVersions, groupsOf, groupVersionOf } from './groups.ts'

/** What `/api` answers. `serverAddress` is a host and a port. */
export const coreVersions = (resources: readonly Discovered[], serverAddress: string): Fields => ({
  kind: 'APIVersions',
  versions: groupsOf(resources)
    .filter(({ name }) => name === '')
    .flatMap(({ versions }) => versions.map(({ version }) => version)),
  serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress }],
})

/** What `/apis` answers. */
export const groupList = (resources: readonly Discovered[]): Fields => ({
  kind: 'APIGroupList',
  apiVersion: 'v1',
  groups: groupsOf(resources)
    .filter(({ name }) => name !== '')
    .map(groupFields),
})

/** What `/apis/GROUP` answers, if there is such a group. */
export function groupDocument(resources: readonly Discovered[], name: string): Fields | undefined {
  const group = name === '' ? undefined : groupsOf(resources).find((one) => one.name === name)
  return group && { kind: 'APIGroup', apiVersion: 'v1', ...groupFields(group) }
}

/** What `/api/v1` and `/apis/GROUP/VERSION` answer, if something is served there. */
export function resourceList(
  resources: readonly Discovered[],
  group: string,
  version: string,
): Fields | undefined {
  const served = resources.filter((one) => one.group === group && one.version === version)
  if (served.length === 0) return undefined
  return {
    kind: 'APIResourceList',
    // Kubernetes leaves it out of the oldest of its documents.
    ...(group !== '' && { apiVersion: 'v1' }),
    groupVersion: groupVersionOf(group, version),
    resources: served.flatMap(resourceFields),
  }
}

function groupFields({ name, versions }: GroupVersions): Fields {
  const named = versions.map(({ version }) => ({
    groupVersion: groupVersionOf(name, version),
    version,
  }))
  return { name, versions: named, preferredVersion: named[0] }
}

function resourceFields(resource: Discovered): Fields[] {
  const { plural, singular, namespaced, kind, verbs, shortNames, categories } = resource
  return [
    {
      name: plural,
      singularName: singular,
      namespaced,
      kind,
      verbs,
      ...(shortNames.length > 0 && { shortNames }),
      ...(categories.length > 0 && { categories }),
      // What is only asked for, and never kept, has none.
      ...(verbs.includes('list') && { storageVersionHash: storageVersionHash(resource) }),
    },
    ...subresourceFields(resource),
  ]
}

const subresourceFields = ({ subresources, plural, namespaced, ...of }: Discovered): Fields[] =>
  subresources.map(({ name, kind, group, version, verbs }) => ({
    name: `${plural}/${name}`,
    singularName: '',
    namespaced,
    // Told only where it is not the resource's own.
    ...((group !== of.group || version !== of.version) && { group, version }),
    kind,
    verbs,
  }))

/** Clients compare it, to see that objects are kept in another form than they were. */
const storageVersionHash = ({ stored, kind }: Discovered): string =>
  createHash('sha256')
    .update(`${stored.group}/${stored.version}/${kind}`)
    .digest()
    .subarray(0, 8)
    .toString('base64')
