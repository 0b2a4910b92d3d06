/** What the first rule that speaks has to say. One of them always does. */
export function firstDecision<Resource, World, Decision>(
  rules: readonly ((resource: Resource, world: World) => Decision | undefined)[],
  resource: Resource,
  world: World,
): Decision {
  for (const rule of rules) {
    const decision = rule(resource, world)
    if (decision !== undefined) return decision
  }
  throw new Error('no rule speaks of this')
}
