interface Condition {
  type: string
  status: 'False' | 'True'
  reason: string
  message: string
}

/** What a namespace that goes says of its contents: how many of what are left, and what holds them. */
export function remainingConditions(
  resources: readonly string[],
  finalizers: readonly string[],
): Condition[] {
  const left = counted(resources).map(([name, count]) => `${name} has ${count} resource instances`)
  const held = counted(finalizers).map(([name, count]) => `${name} in ${count} resource instances`)
  return [
    fine(
      'NamespaceDeletionDiscoveryFailure',
      'ResourcesDiscovered',
      'All resources successfully discovered',
    ),
    fine(
      'NamespaceDeletionGroupVersionParsingFailure',
      'ParsedGroupVersions',
      'All legacy kube types successfully parsed',
    ),
    fine(
      'NamespaceDeletionContentFailure',
      'ContentDeleted',
      'All content successfully deleted, may be waiting on finalization',
    ),
    left.length > 0
      ? {
          type: 'NamespaceContentRemaining',
          status: 'True',
          reason: 'SomeResourcesRemain',
          message: `Some resources are remaining: ${left.join(', ')}`,
        }
      : fine('NamespaceContentRemaining', 'ContentRemoved', 'All content successfully removed'),
    held.length > 0
      ? {
          type: 'NamespaceFinalizersRemaining',
          status: 'True',
          reason: 'SomeFinalizersRemain',
          message: `Some content in the namespace has finalizers remaining: ${held.join(', ')}`,
        }
      : fine(
          'NamespaceFinalizersRemaining',
          'ContentHasNoFinalizers',
          'All content-preserving finalizers finished',
        ),
  ]
}

const fine = (type: string, reason: string, message: string): Condition => ({
  type,
  status: 'False',
  reason,
  message,
})

/** Each name once, with how often it is there, in order. */
function counted(names: readonly string[]): [string, number][] {
  const counts = new Map<string, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  return [...counts].toSorted(([one], [other]) => (one < other ? -1 : 1))
}
