import { type Fields, fieldsAt, isFields, listAt, textAt } from '#apiserver/objects.ts'
import type { NodeFacts } from '#simulator/kubernetes/cluster-kubernetes.ts'
import { metadataOf, specOf } from '#simulator/kubernetes/objects.ts'

const LABELS = 'talos.dev/owned-labels'
const ANNOTATIONS = 'talos.dev/owned-annotations'
const TAINTS = 'talos.dev/owned-taints'
const CONTROL_PLANE = 'node-role.kubernetes.io/control-plane'

/** A node with the labels, annotations and taints that its machine's configuration names, and without those that it named before. */
export function withOwnedByTalos(node: Fields, facts: NodeFacts): Fields {
  const metadata = metadataOf(node)
  const before = fieldsAt(metadata, 'annotations')
  const labels = {
    ...(facts.type === 'controlplane' && { [CONTROL_PLANE]: '' }),
    ...facts.labels,
  }
  const annotations = replaced(before, ownedIn(before, ANNOTATIONS), facts.annotations)
  const owned: [string, string[]][] = [
    [LABELS, Object.keys(labels)],
    [ANNOTATIONS, Object.keys(facts.annotations)],
    [TAINTS, facts.taints.map(({ key }) => key)],
  ]
  for (const [name, keys] of owned) {
    if (keys.length > 0) annotations[name] = JSON.stringify(keys.toSorted())
    else delete annotations[name]
  }
  return {
    ...node,
    metadata: {
      ...metadata,
      labels: replaced(fieldsAt(metadata, 'labels'), ownedIn(before, LABELS), labels),
      annotations,
    },
    spec: { ...specOf(node), taints: taintsOf(node, facts, ownedIn(before, TAINTS)) },
  }
}

function replaced(there: Fields, owned: readonly string[], wanted: Fields): Fields {
  const kept = Object.entries(there).filter(([key]) => !owned.includes(key))
  return { ...Object.fromEntries(kept), ...wanted }
}

function taintsOf(node: Fields, facts: NodeFacts, owned: readonly string[]): Fields[] {
  const wanted = facts.taints.map(({ key, value, effect }) => ({
    key,
    ...(value && { value }),
    effect,
  }))
  const isReplaced = (key: unknown) =>
    owned.includes(String(key)) || wanted.some((one) => one.key === key)
  const kept = listAt(specOf(node), 'taints').filter(isFields)
  return [...kept.filter(({ key }) => !isReplaced(key)), ...wanted]
}

/** What somebody else wrote there counts for nothing. */
function ownedIn(annotations: Fields, name: string): string[] {
  try {
    const owned: unknown = JSON.parse(textAt(annotations, name) ?? '[]')
    return Array.isArray(owned) ? owned.map(String) : []
  } catch {
    return []
  }
}
