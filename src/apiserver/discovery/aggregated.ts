import type { Fields } from '#apiserver/objects.ts'
import { type Discovered, type GroupVersions, groupsOf } from './groups.ts'

/** The media type of the documents below; clients accept it by exactly these words. */
export const AGGREGATED = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList'

/** What `/api` answers to whoever accepts all of discovery at once. */
export const aggregatedCore = (resources: readonly Discovered[]): Fields =>
  listOf(groupsOf(resources).filter(({ name }) => name === ''))

/** What `/apis` answers to whoever accepts all of discovery at once. */
export const aggregatedGroups = (resources: readonly Discovered[]): Fields =>
  listOf(groupsOf(resources).filter(({ name }) => name !== ''))

const listOf = (groups: readonly GroupVersions[]): Fields => ({
  kind: 'APIGroupDiscoveryList',
  apiVersion: 'apidiscovery.k8s.io/v2',
  metadata: {},
  items: groups.map(({ name, versions }) => ({
    metadata: name === '' ? {} : { name },
    versions: versions.map(({ version, resources }) => ({
      version,
      resources: resources.map(resourceFields),
      freshness: 'Current',
    })),
  })),
})

function resourceFields(resource: Discovered): Fields {
  const { kind, plural, singular, namespaced, verbs } = resource
  const { shortNames, categories, subresources } = resource
  return {
    resource: plural,
    responseKind: responseKind(resource, { ...resource, kind }),
    scope: namespaced ? 'Namespaced' : 'Cluster',
    singularResource: singular,
    verbs,
    ...(shortNames.length > 0 && { shortNames }),
    ...(categories.length > 0 && { categories }),
    ...(subresources.length > 0 && {
      subresources: subresources.map((one) => ({
        subresource: one.name,
        responseKind: responseKind(resource, one),
        verbs: one.verbs,
      })),
    }),
  }
}

/** For its own kinds Kubernetes leaves group and version empty where they are the resource's. */
function responseKind(
  resource: Discovered,
  { group, version, kind }: { group: string; version: string; kind: string },
): Fields {
  const isOwn = group === resource.group && version === resource.version
  if (isOwn && !resource.isCustom) return { group: '', version: '', kind }
  return { group, version, kind }
}
