import { tooMany } from '#apiserver/field-error.ts'
import { isDue, type Steps } from '#apiserver/steps.ts'
import type { SchemaNode } from './node.ts'
import { readyItems } from './ratchet.ts'
import { enter, fieldName, leave, type Run, report, visit } from './run.ts'
import { same } from './same.ts'

export function* checkList(node: SchemaNode, list: readonly unknown[], run: Run): Steps<void> {
  yield* readyItems(run.pair)
  const { items, schema } = node
  if (items) {
    for (let index = 0; index < list.length; index += 1) {
      const outer = enter(run, index)
      yield* visit(items, list[index], run)
      if (isDue()) yield
      leave(run, outer)
    }
  }
  const { minItems, maxItems } = schema
  if (minItems !== undefined && list.length < minItems) {
    report(run, list.length, `should have at least ${minItems} items`)
  }
  if (maxItems !== undefined && list.length > maxItems) {
    run.errors.push(tooMany(fieldName(run), list.length, maxItems))
  }
  if (schema.uniqueItems && list.some((one, i) => list.findIndex((two) => same(one, two)) < i)) {
    report(run, '', "shouldn't contain duplicates")
  }
}
