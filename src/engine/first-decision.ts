/** What the first rule that speaks has to say. One of them always does. */
export function firstDecision<Given extends readonly unknown[], Decision>(
  rules: readonly ((...given: Given) => Decision | undefined)[],
  ...given: Given
): Decision {
  for (const rule of rules) {
    const decision = rule(...given)
    if (decision !== undefined) return decision
  }
  throw new Error('no rule speaks of this')
}
