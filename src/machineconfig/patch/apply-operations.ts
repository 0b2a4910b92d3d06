import { JsonDocument, PointerError } from '#base/json-document.ts'
import { ConfigError } from '#machineconfig/config-error.ts'
import type { Operation } from './patch.ts'

// What is copied may hold copies itself: without a limit it would double with each operation.
const MOST_COPIED = 3 * 1024 * 1024

/** A JSON document with a JSON patch applied, as Talos does it. Throws a ConfigError; changes neither. */
export const applyOperations = (root: unknown, operations: readonly Operation[]): unknown =>
  changeByOperations(structuredClone(root), operations)

/** The same on a document that nobody uses after that: it is changed, also if this throws. */
export function changeByOperations(root: unknown, operations: readonly Operation[]): unknown {
  const document = new JsonDocument(root)
  let room = MOST_COPIED
  for (const operation of operations) {
    const { op } = operation
    const act = ACTS.get(typeof op === 'string' ? op : 'unknown')
    if (!act) throw refused(`Unexpected kind: ${typeof op === 'string' ? op : 'unknown'}`)
    room -= act(document, operation)
    if (room < 0) throw refused('more than 3 MiB are copied')
  }
  return document.root
}

const refused = (why: string): ConfigError =>
  new ConfigError(`failure applying rfc6902 patches to talos machine config: ${why}`)

/** Does an operation and says how much it has copied. */
type Act = (document: JsonDocument, operation: Operation) => number

const ACTS: ReadonlyMap<string, Act> = new Map<string, Act>([
  ['add', add],
  ['remove', remove],
  ['replace', replace],
  ['move', move],
  ['test', test],
  ['copy', copy],
])

function add(document: JsonDocument, operation: Operation): number {
  const path = pointer(
    operation,
    'path',
    () => 'add operation failed to decode path: missing value',
  )
  attempt(() => document.add(path, givenValue(operation)), {
    withoutParent: `add operation does not apply: doc is missing path: "${path}": missing value`,
    otherwise: (why) => `error in add for path: '${path}': ${why}`,
  })
  return 0
}

function remove(document: JsonDocument, operation: Operation): number {
  const path = pointer(
    operation,
    'path',
    () => 'remove operation failed to decode path: missing value',
  )
  attempt(() => document.remove(path), {
    withoutParent: `remove operation does not apply: doc is missing path: "${path}": missing value`,
    otherwise: (why) => `error in remove for path: '${path}': ${why}`,
  })
  return 0
}

function replace(document: JsonDocument, operation: Operation): number {
  const path = pointer(
    operation,
    'path',
    (why) => `replace operation failed to decode path: ${why}`,
  )
  attempt(() => document.replace(path, givenValue(operation)), {
    withoutParent: `replace operation does not apply: doc is missing path: ${path}: missing value`,
    otherwise: (why) =>
      path === ''
        ? why
        : `replace operation does not apply: doc is missing key: ${path}: missing value`,
  })
  return 0
}

function move(document: JsonDocument, operation: Operation): number {
  const from = pointer(operation, 'from', (why) => `move operation failed to decode from: ${why}`)
  const value = attempt(() => document.remove(from), {
    withoutParent: `move operation does not apply: doc is missing from path: ${from}: missing value`,
    otherwise: (why) =>
      `error in move for path: '${from.slice(from.lastIndexOf('/') + 1)}': ${why}`,
  })
  const path = pointer(operation, 'path', (why) => `move operation failed to decode path: ${why}`)
  attempt(() => document.add(path, value), {
    withoutParent: `move operation does not apply: doc is missing destination path: ${path}: missing value`,
    otherwise: (why) => `error in move for path: '${path}': ${why}`,
  })
  return 0
}

function test(document: JsonDocument, operation: Operation): number {
  const path = pointer(operation, 'path', (why) => `test operation failed to decode path: ${why}`)
  const passed = attempt(() => document.has(path, givenValue(operation)), {
    withoutParent: `test operation does not apply: is missing path: ${path}: missing value`,
    otherwise: (why) => `error in test for path: '${path}': ${why}`,
  })
  if (!passed) throw refused(`testing value ${path} failed: test failed`)
  return 0
}

function copy(document: JsonDocument, operation: Operation): number {
  const from = pointer(operation, 'from', (why) => `copy operation failed to decode from: ${why}`)
  const value = attempt(() => document.get(from), {
    withoutParent: `copy operation does not apply: doc is missing from path: ${from}: missing value`,
    otherwise: (why) => `error in copy for from: '${from}': ${why}`,
  })
  const path = pointer(
    operation,
    'path',
    () => 'copy operation failed to decode path: missing value',
  )
  attempt(() => document.add(path, structuredClone(value)), {
    withoutParent: `copy operation does not apply: doc is missing destination path: ${path}: missing value`,
    otherwise: (why) => `error while adding value during copy: ${why}`,
  })
  return JSON.stringify(value).length
}

const givenValue = ({ value }: Operation): unknown => structuredClone(value ?? null)

function pointer(
  operation: Operation,
  member: 'path' | 'from',
  tell: (why: string) => string,
): string {
  const value = operation[member] ?? undefined
  if (typeof value === 'string') return value
  const comma = member === 'from' ? ',' : ''
  throw refused(
    tell(
      value === undefined
        ? `operation${comma} missing ${member} field: missing value`
        : 'json: cannot unmarshal into Go value of type string',
    ),
  )
}

interface Words {
  readonly withoutParent: string
  readonly otherwise: (why: string) => string
}

function attempt<Result>(act: () => Result, words: Words): Result {
  try {
    return act()
  } catch (error) {
    if (!(error instanceof PointerError)) throw error
    throw refused(error.withoutParent ? words.withoutParent : words.otherwise(error.message))
  }
}
