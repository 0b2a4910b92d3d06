import { tooLong } from '#apiserver/field-error.ts'
import { reportType } from './check-type.ts'
import type { SchemaNode } from './node.ts'
import { fieldName, type Run, report } from './run.ts'

export function checkString(node: SchemaNode, text: string, run: Run): void {
  checkText(node, text, run)
  if (!node.checkFormat) return
  run.matches += 1
  if (!node.checkFormat(text)) reportType(run, node.format, text)
}

/** Of length and pattern only the first that is wrong is told. Lengths are counted in characters. */
function checkText({ schema, pattern }: SchemaNode, text: string, run: Run): void {
  const { minLength, maxLength } = schema
  if (maxLength !== undefined && text.length > maxLength && lengthOf(text) > maxLength) {
    run.errors.push(tooLong(fieldName(run), maxLength))
  } else if (minLength !== undefined && isShorter(text, minLength)) {
    report(run, text, `should be at least ${minLength} chars long`)
  } else if (pattern && !pattern.test(text)) {
    report(run, text, `should match '${schema.pattern ?? ''}'`)
  }
}

/** A character takes one or two of what JavaScript counts. */
const isShorter = (text: string, min: number): boolean =>
  text.length < min * 2 && lengthOf(text) < min

function lengthOf(text: string): number {
  let length = 0
  for (const _ of text) length += 1
  return length
}
