import type { FieldError } from '#apiserver/field-error.ts'
import type { Schema } from '#apiserver/schema.ts'
import type { Steps } from '#apiserver/steps.ts'
import { Correlation } from './correlation.ts'
import { ruleProblems } from './rule-problems.ts'
import { type RuleNode, rulesIn, ruleTree } from './rule-tree.ts'
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
  /** What Kubernetes refuses in a CRD with them; `root` is the path of its `openAPIV3Schema`. */
  problems(root: string): Steps<FieldError[]>
  /** The rules that a value of the schema does not keep. It must be of the schema's structure. */
  validate(check: RuleCheck): Steps<FieldError[]>
}

const compiled = new WeakMap<Schema, CompiledRules>()

/** The rules of an object's schema, read when they are first needed and kept as long as the schema. */
export function* compileRules(schema: Schema): Steps<CompiledRules> {
  let rules = compiled.get(schema)
  if (rules === undefined) {
    rules = rulesOf(schema, yield* ruleTree(schema, true))
    compiled.set(schema, rules)
  }
  return rules
}

function rulesOf(schema: Schema, tree: RuleNode | undefined): CompiledRules {
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
    *problems(root) {
      yield* read()
      return yield* ruleProblems(tree, root)
    },
    *validate(check) {
      yield* read()
      return yield* validated(check)
    },
  }
}
