import { expect, test } from 'vitest'
import { quote } from './quote.ts'

test.for([
  ['', '""'],
  ['a b é 😀', '"a b é 😀"'],
  ['"\\', '"\\"\\\\"'],
  ['\x07\b\f\n\r\t\v', '"\\a\\b\\f\\n\\r\\t\\v"'],
  ['\x01\x7f', '"\\x01\\x7f"'],
  ['\u0085\u200b\u00a0', '"\\u0085\\u200b\\u00a0"'],
  ['\u{e0001}', '"\\U000e0001"'],
] as const)('%j is quoted as Go does it', ([text, quoted]) => {
  expect(quote(text)).toBe(quoted)
})
