/** What a path below `/api` or `/apis` names. */
export interface ResourcePath {
  group: string
  version: string
  resource: string
  subresource: string
  /** Empty: none is named, and a list is of all namespaces. */
  namespace: string
  /** Empty: the collection. */
  name: string
}

/**
 * Reads a path such as `/apis/apps/v1/namespaces/a/deployments/b/scale`. Undefined for everything that
 * names no resource, such as discovery, and for what cannot be decoded.
 */
export function resourcePathOf(path: string): ResourcePath | undefined {
  const [root, ...segments] = segmentsOf(path) ?? []
  if (root === 'api') return at('', segments)
  if (root !== 'apis') return undefined
  const [group = '', ...rest] = segments
  return group === '' ? undefined : at(group, rest)
}

function at(group: string, [version, ...rest]: string[]): ResourcePath | undefined {
  if (version === undefined || rest.length === 0) return undefined
  const [first = '', second = '', third = ''] = rest
  const base = { group, version }
  // A namespace is a resource itself, and what lies below it is, unless it is one of its own parts.
  const isBelow = first === 'namespaces' && rest.length > 2 && !isPartOfNamespace(group, third)
  if (isBelow) return deeper({ ...base, namespace: second }, rest.slice(2))
  if (first === 'namespaces' && group === '') {
    if (rest.length > 3) return undefined
    const own = { resource: first, namespace: second, name: second, subresource: third }
    return { ...base, ...own }
  }
  return deeper({ ...base, namespace: '' }, rest)
}

const isPartOfNamespace = (group: string, segment: string): boolean =>
  group === '' && (segment === 'status' || segment === 'finalize')

function deeper(
  base: { group: string; version: string; namespace: string },
  segments: string[],
): ResourcePath | undefined {
  if (segments.length > 3) return undefined
  const [resource = '', name = '', subresource = ''] = segments
  return { ...base, resource, name, subresource }
}

function segmentsOf(path: string): string[] | undefined {
  const trimmed = path.slice(1, path.endsWith('/') ? -1 : undefined)
  try {
    const segments = trimmed.split('/')
    if (!path.includes('%')) return segments
    const decoded = segments.map(decodeURIComponent)
    // Nothing has a slash in its name.
    return decoded.some((one) => one.includes('/')) ? undefined : decoded
  } catch {
    return undefined
  }
}
