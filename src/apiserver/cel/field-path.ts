import { isFields } from '#apiserver/objects.ts'
import type { Schema } from '#apiserver/schema.ts'
import { SIMPLE_ESCAPES } from '#base/cel/literals.ts'

const STEP = /\.([^.[\]]+)|\['((?:[^'\\]|\\.)*)'\]/gy

/**
 * A rule's `fieldPath` such as `.spec['a-b']` as messages show it, `spec.a-b`; undefined if the schema
 * has no such field.
 */
export function normalizeFieldPath(path: string, schema: Schema): string | undefined {
  let found: Found | undefined = { schema, shown: '' }
  let end = 0
  for (const match of path.matchAll(STEP)) {
    const [whole, plain, quoted] = match
    const name = plain ?? unquoted(quoted ?? '')
    if (found === undefined || name === undefined || match.index !== end) return undefined
    end += whole.length
    found = stepTo(found, name)
  }
  return end === path.length ? found?.shown : undefined
}

interface Found {
  schema: Schema
  shown: string
}

function stepTo({ schema, shown }: Found, name: string): Found | undefined {
  const { properties, additionalProperties: values } = schema
  if (properties !== undefined) {
    const next = Object.hasOwn(properties, name) ? properties[name] : undefined
    return next && { schema: next, shown: shown === '' ? name : `${shown}.${name}` }
  }
  return isFields(values) ? { schema: values, shown: `${shown}[${name}]` } : undefined
}

const ESCAPES: Readonly<Record<string, string>> = { ...SIMPLE_ESCAPES, "'": "'", '\\': '\\' }

function unquoted(text: string): string | undefined {
  let valid = true
  const plain = text.replace(/\\(.)/g, (_, character: string) => {
    const meant = ESCAPES[character]
    valid &&= meant !== undefined
    return meant ?? ''
  })
  return valid ? plain : undefined
}
