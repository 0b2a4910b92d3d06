import type { FieldError } from '#apiserver/field-error.ts'
import type { Schema } from '#apiserver/schema.ts'
import { atOnce, type Steps } from '#apiserver/steps.ts'
import { Correlation } from './correlation.ts'
import { ruleProblems } from './rule-problems.ts'
import { rulesIn, ruleTree } from './rule-tree.ts'
import { RuleWalk } from './rule-walk.ts'

/** A value whose rules are to be checked. */
interface RuleCheck {
  value: unknown
  /** What it replaces, in an update. */
  old?: unknown
  /** Where the value is in the object; left out for a whole object. */
  path?: string
  /** Told about rules that the value does not keep but did not keep before either. */
  warn?(text: string): void
}

/** The rules (`x-kubernetes-validations`) of a schema. */
export interface CompiledRules {
  /** Whether there are any; if not, nothing else needs to be asked. */
  hasRules: boolean
  /** Reads them all, with pauses. What is not read yet when it is needed is read then. */
  read(): Steps<void>
  /** What Kubernetes refuses in a CRD with them; `root` is the path of its `openAPIV3Schema`. */
  problems(root: string): FieldError[]
  /** The rules that a value of the schema does not keep. It must be of the schema's structure. */
  validate(check: RuleCheck): FieldError[]
  /** The same, with pauses. */
  validateInSteps(check: RuleCheck): Steps<FieldError[]>
}

const compiled = new WeakMap<Schema, CompiledRules>()

/** The rules of an object's schema, read when they are first needed and kept as long as the schema. */
export function compileRules(schema: Schema): CompiledRules {
  let rules = compiled.get(schema)
  if (rules === undefined) {
    rules = rulesOf(schema)
    compiled.set(schema, rules)
  }
  return rules
}

function rulesOf(schema: Schema): CompiledRules {
  const tree = ruleTree(schema, true)
  let isRead = tree === undefined
  const read = function* (): Steps<void> {
    if (isRead || tree === undefined) return
    for (const rule of rulesIn(tree)) {
      rule.read()
      yield
    }
    isRead = true
  }
  const validated = function* ({ value, old, path = '', warn }: RuleCheck): Steps<FieldError[]> {
    if (tree === undefined) return []
    const walk = new RuleWalk(warn)
    const current = old === undefined ? undefined : new Correlation(value, old, schema)
    yield* walk.visit(tree, { value, old, path, current })
    return walk.errors
  }
  return {
    hasRules: tree !== undefined,
    read,
    problems: (root) => ruleProblems(tree, root),
    validate: (check) => atOnce(validated(check)),
    *validateInSteps(check) {
      yield* read()
      return yield* validated(check)
    },
  }
}
