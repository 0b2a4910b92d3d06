import { kinds } from '#api/kinds.ts'
import type { Fields } from './objects.ts'

/** A resource that the small API serves. */
export interface ServedResource {
  /** Empty for the core group. */
  group: string
  version: string
  plural: string
  kind: string
  namespaced: boolean
  /** Whether status is written on its own, below `/status`. */
  hasStatus: boolean
  /** Whether `/scale` reads and writes `spec.replicas`. */
  hasScale?: boolean
  /**
   * Kubernetes' own kinds differ from custom ones: they have no generation, are updated without a
   * resourceVersion, take strategic merge patches, and are listed without their kind.
   */
  isBuiltin?: boolean
}

/** What a path is about. */
export interface Target {
  resource: ServedResource
  namespace?: string | undefined
  name?: string | undefined
  subresource?: Subresource | undefined
}

type Subresource = 'status' | 'scale'

const builtin = (group: string, plural: string, kind: string): ServedResource => ({
  group,
  version: 'v1',
  plural,
  kind,
  namespaced: kind !== 'Namespace',
  hasStatus: false,
  isBuiltin: true,
})

export const namespaces = builtin('', 'namespaces', 'Namespace')

export const defaultResources: readonly ServedResource[] = [
  namespaces,
  builtin('', 'configmaps', 'ConfigMap'),
  builtin('', 'secrets', 'Secret'),
  builtin('', 'events', 'Event'),
  builtin('coordination.k8s.io', 'leases', 'Lease'),
  builtin('events.k8s.io', 'events', 'Event'),
  ...kinds.map(({ group, version, plural, kind }) => ({
    ...{ group, version, plural, kind },
    namespaced: true,
    hasStatus: true,
  })),
]

export const apiVersionOf = ({ group, version }: { group: string; version: string }): string =>
  group ? `${group}/${version}` : version

/** The name that messages use: `taloscontrolplanes.talos.alperen.cloud`. */
export const nameOf = ({ group, plural }: ServedResource): string =>
  group ? `${plural}.${group}` : plural

const PATH =
  /^\/(?:api|apis\/(?<group>[^/]+))\/(?<version>[^/]+)(?:\/namespaces\/(?<namespace>[^/]+))?\/(?<plural>[^/]+)(?:\/(?<name>[^/]+)(?:\/(?<below>[^/]+))?)?$/

/** What the path is about, or undefined if nothing is served there. */
export function targetOf(resources: readonly ServedResource[], path: string): Target | undefined {
  const words = PATH.exec(decodeURIComponent(path))?.groups ?? {}
  const { group = '', version, plural, namespace, name, below } = words
  const resource = resources.find(
    (one) => one.group === group && one.version === version && one.plural === plural,
  )
  if (!resource) return undefined
  // The objects of all namespaces can be listed together; a single one has a namespace.
  const isInPlace = resource.namespaced ? namespace || !name : !namespace
  const subresource = subresourcesOf(resource).find((one) => one === below)
  if (!isInPlace || subresource !== below) return undefined
  return { resource, namespace, name, subresource }
}

const subresourcesOf = ({ hasStatus, hasScale }: ServedResource): Subresource[] => [
  ...(hasStatus ? (['status'] as const) : []),
  ...(hasScale ? (['scale'] as const) : []),
]

/** The documents that tell clients what is served, by their paths. */
export function discoveryOf(resources: readonly ServedResource[]): Map<string, Fields> {
  const documents = new Map<string, Fields>()
  const groups = [...new Set(resources.map(({ group }) => group))].map((name) => {
    const ofGroup = resources.filter(({ group }) => group === name)
    const versions = [...new Set(ofGroup.map(({ version }) => version))].map((version) => {
      const groupVersion = apiVersionOf({ group: name, version })
      documents.set(`/${name ? 'apis' : 'api'}/${groupVersion}`, {
        ...{ kind: 'APIResourceList', apiVersion: 'v1', groupVersion },
        resources: ofGroup.filter((one) => one.version === version).flatMap(entriesOf),
      })
      return { groupVersion, version }
    })
    return { name, versions, preferredVersion: versions[0] }
  })
  const named = groups.filter(({ name }) => name !== '')
  for (const group of named) {
    documents.set(`/apis/${group.name}`, { kind: 'APIGroup', apiVersion: 'v1', ...group })
  }
  return documents
    .set('/api', { kind: 'APIVersions', versions: ['v1'] })
    .set('/apis', { kind: 'APIGroupList', apiVersion: 'v1', groups: named })
    .set('/version', { major: '1', minor: '36', gitVersion: 'v1.36.0-small' })
}

const VERBS = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch']

function entriesOf(resource: ServedResource): Fields[] {
  const { plural, kind, namespaced } = resource
  const scale = { group: 'autoscaling', version: 'v1', kind: 'Scale' }
  return [
    { name: plural, singularName: kind.toLowerCase(), namespaced, kind, verbs: VERBS },
    ...subresourcesOf(resource).map((one) => ({
      ...{ name: `${plural}/${one}`, singularName: '', namespaced },
      ...(one === 'scale' ? scale : { kind }),
      verbs: ['get', 'patch', 'update'],
    })),
  ]
}
