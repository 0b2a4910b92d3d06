import { doubleQuoted, goBlock, goNumber, goScalar } from '#machineconfig/write/go-scalar.ts'
import { compareKeys } from '#machineconfig/write/key-order.ts'
import { foldLine } from './fold-line.ts'
import { isPlainObject } from './plain-yaml.ts'

/**
 * JSON as YAML in the layout of Go's older library, in which Talos prints what a JSON patch makes:
 * indented by two, lists not at all, keys sorted, long lines folded.
 */
export const writeJson = (value: unknown): string =>
  blockOf(value, '') ?? `${scalarOf(value, '', 0)}\n`

const STEP = '  '

/** The lines of a map or list that has something in it. */
function blockOf(value: unknown, pad: string): string | undefined {
  if (Array.isArray(value)) {
    return value.map((item) => `${pad}-${afterDash(item, pad)}`).join('') || undefined
  }
  if (!isPlainObject(value)) return
  const keys = Object.keys(value).sort(compareKeys)
  return keys.map((key) => pairOf(key, value[key], pad)).join('') || undefined
}

// Readers look for the colon of a longer one in vain.
const LONGEST_KEY = 128

function pairOf(key: string, value: unknown, pad: string): string {
  const name = key.includes('\n') ? doubleQuoted(key) : goScalar(key)
  if (Buffer.byteLength(key) > LONGEST_KEY) {
    return `${pad}? ${name}\n${pad}:${afterDash(value, pad)}`
  }
  const inner = blockOf(value, Array.isArray(value) ? pad : pad + STEP)
  if (inner !== undefined) return `${pad}${name}:\n${inner}`
  return `${pad}${name}: ${scalarOf(value, pad + STEP, pad.length + name.length + 2)}\n`
}

function afterDash(value: unknown, pad: string): string {
  const inner = blockOf(value, pad + STEP)
  if (inner !== undefined) return ` ${inner.slice(pad.length + STEP.length)}`
  return ` ${scalarOf(value, pad + STEP, pad.length + STEP.length)}\n`
}

/** One that begins at a column; further lines of it are indented by `pad`. */
function scalarOf(value: unknown, pad: string, column: number): string {
  if (typeof value === 'number') return goNumber(value)
  if (typeof value === 'string') return textOf(value, pad, column)
  if (Array.isArray(value)) return '[]'
  return isPlainObject(value) ? '{}' : `${value}`
}

function textOf(value: string, pad: string, column: number): string {
  if (!value.includes('\n')) return foldLine(goScalar(value), pad, column)
  const block = goBlock(value, pad || STEP)
  // With spaces in front, the width of the indentation is told.
  return block?.replace(/^\|4/, '|2').replace(/\n$/, '') ?? doubleQuoted(value)
}
