import { type Fields, fieldsAt, isFields } from '#apiserver/objects.ts'

/** The schema of a field and the names that lead to it, or why a path leads nowhere. */
export type FieldAtPath = { schema: Fields; names: string[] } | { problem: string }

/** Follows `.spec.name` or `.map['key']` through a schema. */
export function fieldAtPath(schema: Fields, path: string, allowsBrackets: boolean): FieldAtPath {
  const tokens = path.match(/'(?:[^'\\]|\\.)*'|[.[\]]|[^.[\]]+/g) ?? []
  const names: string[] = []
  let current: Fields | undefined = schema
  for (let at = 0; at < tokens.length; ) {
    const step = stepAt(tokens, at, allowsBrackets)
    if ('problem' in step) return step
    current = childOf(current, step.name)
    if (!current) return { problem: 'does not refer to a valid field' }
    names.push(step.name)
    at = step.next
  }
  return { schema: current, names }
}

type Step = { name: string; next: number } | { problem: string }

function stepAt(tokens: readonly string[], at: number, allowsBrackets: boolean): Step {
  const [sign, name] = tokens.slice(at)
  if (sign !== '.' && sign !== '[') return { problem: `expected [ or . but got: ${sign}` }
  if (sign === '[' && !allowsBrackets) return { problem: 'array notation is not allowed' }
  if (name === undefined) return { problem: 'unexpected end of JSON path' }
  if (sign === '.') return { name, next: at + 2 }
  if (!/^'.*'$/.test(name)) return { problem: `expected single quoted string but got ${name}` }
  const end = tokens[at + 2]
  if (end === undefined) return { problem: 'unexpected end of JSON path' }
  if (end !== ']') return { problem: `expected ] but got ${end}` }
  return { name: name.slice(1, -1).replace(/\\(.)/g, '$1'), next: at + 3 }
}

function childOf(schema: Fields, name: string): Fields | undefined {
  const child = isFields(schema.properties)
    ? fieldsAt(schema, 'properties')[name]
    : schema.additionalProperties
  return isFields(child) ? child : undefined
}
