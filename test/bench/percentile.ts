/** The smallest of some numbers that is not exceeded by more than the others of them: of 100 and 0.99, the second largest. */
export function percentile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.max(0, Math.ceil(part * sorted.length) - 1)] ?? Number.NaN
}
