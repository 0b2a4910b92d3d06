import type { FieldError } from '#apiserver/field-error.ts'
import type { Fields } from '#apiserver/objects.ts'
import { invalidGoValue, unsupportedGoValue } from './go-value.ts'

// Kubernetes shows the strategy as its Go program holds it.
const shown = ({ type = '', rollingUpdate = null }: Fields): Fields => ({
  Type: type,
  RollingUpdate: rollingUpdate,
})

/** A strategy that is of none of the types that there are. */
export function checkStrategy(
  strategy: Fields,
  field: string,
  supported: readonly string[],
): FieldError[] {
  if (supported.some((one) => one === strategy.type)) return []
  return [unsupportedGoValue(field, shown(strategy), supported)]
}

/** The same where Kubernetes has another sentence for it. */
export const strategyProblem = (strategy: Fields, field: string, problem: string): FieldError =>
  invalidGoValue(field, shown(strategy), problem)
