import type { ScalePaths } from './crd/definition.ts'
import { scaleOf, setReplicas } from './crd/scale.ts'
import { internalError } from './failure.ts'
import { requirementText } from './metadata/label-selector.ts'
import { type Fields, fieldsAt, isFields, listAt } from './objects.ts'
import { fieldElement } from './ownership/path-element.ts'
import type { Scaler } from './resource.ts'

/** How the objects of a CRD are scaled: by the paths that it names. */
export const customScaler = (paths: ScalePaths): Scaler => ({
  path: elementsOf(paths),
  view: (object) => {
    const { scale, problem } = scaleOf(object, paths)
    if (problem !== undefined) throw internalError(problem)
    return scale
  },
  set: (object, replicas) => setReplicas(object, paths, replicas),
})

const elementsOf = ({ specReplicasPath }: ScalePaths): string[] =>
  specReplicasPath.replace(/^\./, '').split('.').map(fieldElement)

const PATHS: ScalePaths = {
  specReplicasPath: '.spec.replicas',
  statusReplicasPath: '.status.replicas',
  labelSelectorPath: '',
}

/** How built-in workloads are scaled: all have their numbers in the same place. */
export const workloadScaler: Scaler = {
  path: elementsOf(PATHS),
  view: (object) => {
    const { scale } = scaleOf(object, PATHS)
    const selector = selectorText(fieldsAt(fieldsAt(object, 'spec'), 'selector'))
    return { ...scale, status: { ...fieldsAt(scale, 'status'), ...(selector && { selector }) } }
  },
  set: (object, replicas) => setReplicas(object, PATHS, replicas),
}

/** A selector as clients put it into a query. Old kinds have labels where others have a LabelSelector. */
function selectorText(selector: Fields): string {
  const isPlain = !isFields(selector.matchLabels) && !Array.isArray(selector.matchExpressions)
  const labels = isPlain ? selector : fieldsAt(selector, 'matchLabels')
  const equalities = Object.entries(labels).map(([key, value]) => `${key}=${value}`)
  const expressions = listAt(selector, 'matchExpressions').filter(isFields).map(requirementText)
  return [...equalities, ...expressions].toSorted().join(',')
}
