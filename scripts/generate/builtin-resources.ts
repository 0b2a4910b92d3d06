interface Kind {
  group: string
  version: string
  kind: string
}

interface DiscoveredResource {
  resource: string
  responseKind: Kind
  scope: 'Namespaced' | 'Cluster'
  singularResource: string
  verbs: readonly string[]
  shortNames?: readonly string[]
  categories?: readonly string[]
  subresources?: readonly { subresource: string; responseKind: Kind; verbs: readonly string[] }[]
}

/** What aggregated discovery has of a group. */
export interface DiscoveredGroup {
  metadata: { name?: string }
  versions: readonly { version: string; resources: readonly DiscoveredResource[] }[]
}

/** One line of JSON for each resource, in the order of the groups and then of discovery. */
export const linesOfResources = (
  groups: readonly DiscoveredGroup[],
  groupVersions: readonly string[],
): string[] =>
  groupVersions.flatMap((groupVersion) => {
    const [version = '', group = ''] = groupVersion.split('/').toReversed()
    const found = groups
      .find(({ metadata }) => (metadata.name ?? '') === group)
      ?.versions.find((one) => one.version === version)
    if (!found) throw new Error(`the API server does not serve ${groupVersion}`)
    return found.resources.map((resource) => JSON.stringify(lineOf(resource, group, version)))
  })

function lineOf(resource: DiscoveredResource, group: string, version: string): object {
  const { shortNames, categories, subresources } = resource
  return {
    g: group,
    v: version,
    r: resource.resource,
    s: resource.singularResource,
    k: resource.responseKind.kind,
    ...(resource.scope === 'Namespaced' && { n: 1 }),
    b: resource.verbs.join(' '),
    ...(shortNames && { h: shortNames }),
    ...(categories && { c: categories }),
    ...(subresources && {
      u: subresources.map(({ subresource, responseKind, verbs }) => ({
        r: subresource,
        k: responseKind.kind,
        // Left out by the API server where it is the resource's own.
        ...(responseKind.version && { g: responseKind.group, v: responseKind.version }),
        b: verbs.join(' '),
      })),
    }),
  }
}
