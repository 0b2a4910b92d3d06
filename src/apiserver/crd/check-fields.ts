import { invalidField, required, tooMany } from '#apiserver/field-error.ts'
import type { Fields } from '#apiserver/objects.ts'
import type { Schema } from '#apiserver/schema.ts'
import { isDue, type Steps } from '#apiserver/steps.ts'
import type { SchemaNode } from './node.ts'
import { enter, fieldName, leave, pathText, type Run, report, visit } from './run.ts'

export function* checkFields(node: SchemaNode, fields: Fields, run: Run): Steps<void> {
  const { schema, properties, additional } = node
  if (schema.minProperties !== undefined || schema.maxProperties !== undefined) {
    checkCount(schema, Object.keys(fields).length, run)
  }
  if (properties || additional !== undefined) yield* checkEach(node, fields, run)
  if (!schema.required) return
  for (const key of schema.required) {
    if (!Object.hasOwn(fields, key)) run.errors.push(required(fieldName(run, key), ''))
  }
}

function* checkEach({ properties, additional }: SchemaNode, fields: Fields, run: Run): Steps<void> {
  for (const key of Object.keys(fields)) {
    if (isDue()) yield
    const child = properties?.get(key) ?? additional
    if (typeof child === 'object') {
      const outer = enter(run, key)
      yield* visit(child, fields[key], run)
      leave(run, outer)
    } else if (child === false) {
      const detail = `${pathText(run)}.${key} in body is a forbidden property`
      run.errors.push(invalidField(fieldName(run), key, detail))
    }
  }
}

function checkCount({ minProperties, maxProperties }: Schema, count: number, run: Run): void {
  if (minProperties !== undefined && count < minProperties) {
    report(run, count, `should have at least ${minProperties} properties`)
  }
  if (maxProperties !== undefined && count > maxProperties) {
    run.errors.push(tooMany(fieldName(run), count, maxProperties))
  }
}
