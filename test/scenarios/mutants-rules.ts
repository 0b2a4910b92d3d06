import type { rules as machineRules } from '#controllers/machine/plan.ts'
import { drainFirst } from '#controllers/machine/rules/disruption.ts'
import { aimOf } from '#controllers/machine/rules/upgrade-aim.ts'

type Named = (...given: never[]) => unknown

/** The rules without one of them. */
export function without<Rule extends Named>(rules: readonly Rule[], name: string): Rule[] {
  const removed = ruleNamed(rules, name)
  return rules.filter((rule) => rule !== removed)
}

/** The rules with another one in the place of one of them, which it is given. */
export function instead<Rule extends Named>(
  rules: readonly Rule[],
  name: string,
  make: (replaced: Rule) => Rule,
): Rule[] {
  const replaced = ruleNamed(rules, name)
  return rules.map((rule) => (rule === replaced ? make(replaced) : rule))
}

// A mutant that is the original proves nothing.
function ruleNamed<Rule extends Named>(rules: readonly Rule[], name: string): Rule {
  const found = rules.find((rule) => rule.name === name)
  if (!found) throw new Error(`there is no rule ${name}`)
  return found
}

type MachineRule = (typeof machineRules)[number]

/** What is done for an upgrade, after a drain. */
export const drainingFirst =
  (rule: MachineRule): MachineRule =>
  (machine, world, now) =>
    aimOf(machine, world) &&
    (drainFirst(machine, world, { now, state: 'Upgrading' }) ?? rule(machine, world, now))
