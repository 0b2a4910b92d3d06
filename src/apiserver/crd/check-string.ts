import { tooLong } from '#apiserver/field-error.ts'
import { regexOf } from '#base/regex/regex.ts'
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
function checkText({ schema }: SchemaNode, text: string, run: Run): void {
  const { minLength, maxLength, pattern } = schema
  if (maxLength !== undefined && text.length > maxLength && lengthOf(text) > maxLength) {
    run.errors.push(tooLong(fieldName(run), maxLength))
  } else if (minLength !== undefined && isShorter(text, minLength)) {
    report(run, text, `should be at least ${minLength} chars long`)
  } else if (pattern && !isMatch(pattern, text, run)) {
    report(run, text, `should match '${pattern}'`)
  }
}

/** No CRD with a pattern that is none gets this far; should one, nothing matches it. */
function isMatch(pattern: string, text: string, { spend }: Run): boolean {
  const regex = regexOf(pattern)
  return typeof regex !== 'string' && regex.test(text, spend)
}

/** A character takes one or two of what JavaScript counts. */
const isShorter = (text: string, min: number): boolean =>
  text.length < min * 2 && lengthOf(text) < min

function lengthOf(text: string): number {
  let length = 0
  for (const _ of text) length += 1
  return length
}
