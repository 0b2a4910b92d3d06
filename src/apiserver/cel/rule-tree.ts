import { isFields } from '#apiserver/objects.ts'
import type { Schema, ValidationRule } from '#apiserver/schema.ts'
import { isDue, type Steps } from '#apiserver/steps.ts'
import { BOOL, STRING } from '#base/cel/types.ts'
import { type Compiled, compileExpression, type Expression } from './expression.ts'
import { normalizeFieldPath } from './field-path.ts'
import { type SchemaType, schemaType } from './schema-type.ts'

/** A rule, read when it is first needed. */
export class Rule {
  readonly source: ValidationRule
  /** Where the failure is told, below the value that the rule is about. */
  readonly fieldPath: string
  private readonly self: SchemaType
  private rule: Compiled | undefined
  private message: Compiled | undefined

  constructor(source: ValidationRule, self: SchemaType, fieldPath: string) {
    this.source = source
    this.self = self
    this.fieldPath = fieldPath
  }

  get compiled(): Compiled {
    this.rule ??= this.compile(this.source.rule, BOOL)
    return this.rule
  }

  get compiledMessage(): Compiled | undefined {
    const { messageExpression } = this.source
    if (messageExpression === undefined || messageExpression === '') return undefined
    this.message ??= this.compile(messageExpression, STRING)
    return this.message
  }

  /** Reads what has not been read yet. */
  read(): void {
    void this.compiled
    void this.compiledMessage
  }

  get expression(): Expression | undefined {
    return 'expression' in this.compiled ? this.compiled.expression : undefined
  }

  private compile(text: string, wanted: typeof BOOL): Compiled {
    const hasOptionalOldSelf = this.source.optionalOldSelf === true
    return compileExpression(text, { self: this.self, hasOptionalOldSelf }, wanted)
  }
}

/** Rules and where in a schema they are; branches without any are left out. */
export interface RuleNode {
  schema: Schema
  /** Whether it is an object of the API: the whole one, or one inside it. */
  isResource: boolean
  /** Left out where rules cannot see the value. */
  self?: SchemaType
  rules: readonly Rule[]
  properties: ReadonlyMap<string, RuleNode>
  values?: RuleNode
  items?: RuleNode
}

const SELF = 'selfType'

/** The rules of a schema; undefined if it has none. The schema must not contain itself. */
export function* ruleTree(schema: Schema, isResource: boolean): Steps<RuleNode | undefined> {
  if (isDue()) yield
  const below = yield* rulesBelow(schema)
  const sources = schema['x-kubernetes-validations'] ?? []
  const isEmpty = below.properties.size === 0 && !below.values && !below.items
  if (sources.length === 0) {
    return isEmpty ? undefined : { schema, isResource, rules: [], ...below }
  }
  const self = yield* schemaType(schema, SELF, isResource)
  if (self === undefined) return { schema, isResource, rules: [], ...below }
  const rules = sources.map((source) => ruleOf(source, schema, self))
  return { schema, isResource, self, rules, ...below }
}

type Below = Pick<RuleNode, 'properties' | 'values' | 'items'>

function* rulesBelow(schema: Schema): Steps<Below> {
  const properties = new Map<string, RuleNode>()
  for (const [name, child] of Object.entries(schema.properties ?? {})) {
    const node = yield* ruleTree(child, isEmbedded(child))
    if (node !== undefined) properties.set(name, node)
  }
  const { additionalProperties, items: item } = schema
  const values = isFields(additionalProperties)
    ? yield* ruleTree(additionalProperties, isEmbedded(additionalProperties))
    : undefined
  const items = item === undefined ? undefined : yield* ruleTree(item, isEmbedded(item))
  return { properties, ...(values && { values }), ...(items && { items }) }
}

/** All rules of a tree. */
export function* rulesIn(node: RuleNode): Iterable<Rule> {
  yield* node.rules
  for (const child of node.properties.values()) yield* rulesIn(child)
  if (node.values) yield* rulesIn(node.values)
  if (node.items) yield* rulesIn(node.items)
}

const isEmbedded = (schema: Schema): boolean => schema['x-kubernetes-embedded-resource'] === true

function ruleOf(source: ValidationRule, schema: Schema, self: SchemaType): Rule {
  const path = source.fieldPath ? normalizeFieldPath(source.fieldPath, schema) : undefined
  return new Rule(source, self, path ?? '')
}
