import { forbidden } from '#apiserver/failure.ts'
import { type Fields, fieldsAt, textAt } from '#apiserver/objects.ts'
import { childOf, fill, itemsOf } from './fill.ts'
import { SYSTEM_CLASSES } from './plain-kinds.ts'
import { runAsAccount } from './pod-account.ts'
import type { Surroundings } from './surroundings.ts'

/**
 * What Kubernetes adds to every new pod before it looks at it: an account, a priority, and patience with
 * nodes that do not answer. Throws when the pod asks for an account or a priority that is not there.
 */
export function admitPod(pod: Fields, surroundings: Surroundings): void {
  runAsAccount(pod, surroundings)
  const spec = childOf(pod, 'spec')
  bearWithNodes(spec)
  setPriority(spec, surroundings, textAt(fieldsAt(pod, 'metadata'), 'name'))
}

/** Lets a pod stay for a while on a node that does not answer, unless it says otherwise. */
export function bearWithNodes(spec: Fields): void {
  for (const key of ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable'])
    tolerate(spec, key)
}

function tolerate(spec: Fields, key: string): void {
  const tolerations = itemsOf(spec, 'tolerations')
  const tolerates = tolerations.some(
    (one) =>
      (!textAt(one, 'key') || one.key === key) &&
      (!textAt(one, 'effect') || one.effect === 'NoExecute'),
  )
  if (tolerates) return
  spec.tolerations = [
    ...tolerations,
    { key, operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300 },
  ]
}

function setPriority(spec: Fields, { clusterObjects }: Surroundings, name = ''): void {
  const wanted = textAt(spec, 'priorityClassName')
  const classes = clusterObjects('scheduling.k8s.io', 'priorityclasses')
  const chosen = findClass(classes, wanted)
  const value = wanted ? (chosen?.value ?? SYSTEM_CLASSES[wanted]) : (chosen?.value ?? 0)
  if (value === undefined)
    throw forbidden(
      { group: '', kind: 'pods', name },
      `no PriorityClass with name ${wanted} was found`,
    )
  if (!wanted && chosen) spec.priorityClassName = textAt(fieldsAt(chosen, 'metadata'), 'name')
  spec.priority = value
  fill(spec, { preemptionPolicy: chosen?.preemptionPolicy ?? 'PreemptLowerPriority' })
}

function findClass(classes: Iterable<Fields>, name: string | undefined): Fields | undefined {
  for (const one of classes)
    if (name ? fieldsAt(one, 'metadata').name === name : one.globalDefault === true) return one
  return undefined
}
