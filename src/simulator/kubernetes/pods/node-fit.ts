import { selects } from '#apiserver/metadata/label-selector.ts'
import { type Fields, fieldsAt, isFields, listAt } from '#apiserver/objects.ts'
import { metadataOf, nameOf, specOf } from '#simulator/kubernetes/objects.ts'
import { tolerationOf } from './tolerations.ts'

/** Why a pod cannot go to a node, as the scheduler says it; undefined: it can. */
export function misfit(pod: Fields, node: Fields): string | undefined {
  const spec = specOf(node)
  if (spec.unschedulable === true && !tolerationOf(pod, UNSCHEDULABLE)) {
    return 'node(s) were unschedulable'
  }
  const taint = listAt(spec, 'taints')
    .filter(isFields)
    .find((one) => one.effect !== 'PreferNoSchedule' && !tolerationOf(pod, one))
  if (taint) {
    const value = taint.value ? `${taint.value}` : ''
    return `node(s) had untolerated taint(s) {${taint.key}: ${value}}`
  }
  if (!isSelected(pod, node)) return "node(s) didn't match Pod's node affinity/selector"
  return undefined
}

const UNSCHEDULABLE = { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' }

/** Whether a pod asks for such a node. */
export function isSelected(pod: Fields, node: Fields): boolean {
  const labels = fieldsAt(metadataOf(node), 'labels')
  const spec = specOf(pod)
  const wanted = Object.entries(fieldsAt(spec, 'nodeSelector'))
  if (!wanted.every(([key, value]) => labels[key] === value)) return false
  const affinity = fieldsAt(fieldsAt(spec, 'affinity'), 'nodeAffinity')
  const required = affinity.requiredDuringSchedulingIgnoredDuringExecution
  if (!isFields(required)) return true
  return listAt(required, 'nodeSelectorTerms')
    .filter(isFields)
    .some((term) => isMet(term, node))
}

function isMet(term: Fields, node: Fields): boolean {
  const expressions = listAt(term, 'matchExpressions').filter(isFields)
  const fields = listAt(term, 'matchFields').filter(isFields)
  if (expressions.length + fields.length === 0) return false
  const labels = fieldsAt(metadataOf(node), 'labels')
  return (
    expressions.every((one) => isMetBy(one, labels)) &&
    fields.every((one) => isMetBy(one, { 'metadata.name': nameOf(node) }))
  )
}

function isMetBy(expression: Fields, labels: Fields): boolean {
  const { key, operator } = expression
  const own = Number(labels[String(key)])
  const [bound] = listAt(expression, 'values').map(Number)
  if (operator === 'Gt') return bound !== undefined && own > bound
  if (operator === 'Lt') return bound !== undefined && own < bound
  return selects({ matchExpressions: [expression] }, labels)
}
