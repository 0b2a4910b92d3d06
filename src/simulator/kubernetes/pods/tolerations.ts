import { type Fields, isFields, listAt } from '#apiserver/objects.ts'
import { specOf } from '#simulator/kubernetes/objects.ts'

/** The first toleration of a pod that bears with a taint. */
export const tolerationOf = (pod: Fields, taint: Fields): Fields | undefined =>
  listAt(specOf(pod), 'tolerations')
    .filter(isFields)
    .find((one) => tolerates(one, taint))

function tolerates(toleration: Fields, taint: Fields): boolean {
  const { key = '', operator = 'Equal', value = '', effect = '' } = toleration
  if (effect !== '' && effect !== taint.effect) return false
  if (key === '') return operator === 'Exists'
  if (key !== taint.key) return false
  return operator === 'Exists' || value === (taint.value ?? '')
}
