import { type FieldError, forbiddenField } from '#apiserver/field-error.ts'
import { MOST } from './cost-range.ts'

/** The most that one rule of a CRD may cost by estimate. */
export const COST_LIMIT = 10_000_000
const TOTAL_LIMIT = 100_000_000
const MOST_SHOWN = 4

export function costMessage(what: string, cost: number, limit: number = COST_LIMIT): string {
  const times = cost / limit
  const few = times < 1.5 ? `${times.toFixed(6)}x` : `${times.toFixed(1)}x`
  const factor = times > 100 ? 'more than 100x' : few
  const advice =
    'try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared'
  return `${what} exceeds budget by factor of ${factor} (${advice})`
}

/** What all rules of a CRD cost together by estimate. */
export class TotalCost {
  private total = 0
  private expensive: { path: string; cost: number }[] = []

  add(path: string, cost: number): void {
    this.total = Math.min(MOST, this.total + cost)
    if (cost < TOTAL_LIMIT / 100) return
    this.expensive = [...this.expensive, { path, cost }]
      .toSorted((a, b) => b.cost - a.cost)
      .slice(0, MOST_SHOWN)
  }

  problems(root: string): FieldError[] {
    if (this.total <= TOTAL_LIMIT) return []
    const why =
      'contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema'
    const what = 'x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema'
    return [
      ...this.expensive.map(({ path }) => forbiddenField(path, why)),
      forbiddenField(root, costMessage(what, this.total, TOTAL_LIMIT)),
    ]
  }
}
