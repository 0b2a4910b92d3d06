import { ApiFailure, badRequest } from '#apiserver/failure.ts'
import { jsonInSteps } from '#apiserver/json-text.ts'
import { type Fields, isFields } from '#apiserver/objects.ts'
import { copyInSteps, copyOfValueInSteps } from '#apiserver/ownership/copy.ts'
import type { Steps } from '#apiserver/steps.ts'
import { JsonDocument, PointerError } from '#base/json-document.ts'
import { goKindOf } from './go-json.ts'

const mostOperations = 10_000
// What is copied may hold copies itself: without a limit it would double with each operation.
const mostCopied = 3 * 1024 * 1024
const members = ['op', 'path', 'from', 'value']

/**
 * An object with a JSON patch applied, as Kubernetes does it: more lenient than RFC 6902, in that
 * `replace` adds what is not there and an index may count from the end. Throws an `ApiFailure`;
 * changes neither.
 */
export function* applyJsonPatch(live: Fields, patch: unknown): Steps<unknown> {
  const operations = operationsOf(patch)
  const document = new JsonDocument(yield* copyInSteps(live))
  try {
    let room = mostCopied
    for (const operation of operations) {
      if (operation.op !== 'copy') yield* run(document, operation)
      else room -= yield* copy(document, operation)
      yield
      if (room < 0) throw new PointerError('too much is copied')
    }
  } catch (error) {
    // What exactly was wrong is not told.
    if (error instanceof PointerError) throw refused()
    throw error
  }
  return document.root
}

/** Members of the operations that have no meaning, in the words of strict field validation. */
export const unknownMembersOf = (patch: unknown): string[] =>
  (Array.isArray(patch) ? patch : []).flatMap((operation, index) =>
    Object.keys(isFields(operation) ? operation : {})
      .filter((member) => !members.includes(member))
      .map((member) => `json patch unknown field "[${index}].${member}"`),
  )

const refused = (): ApiFailure =>
  new ApiFailure(422, 'the server rejected our request due to an error in our request', {
    reason: 'Invalid',
    details: {},
  })

function operationsOf(patch: unknown): Fields[] {
  if (patch === null) return []
  if (!Array.isArray(patch)) throw undecodable(patch, 'Go value of type []handlers.jsonPatchOp')
  const operations = patch.map(operationOf)
  if (operations.length > mostOperations) {
    throw new ApiFailure(
      413,
      `Request entity too large: The allowed maximum operations in a JSON patch is ${mostOperations}, got ${operations.length}`,
      { reason: 'RequestEntityTooLarge' },
    )
  }
  return operations
}

function operationOf(operation: unknown): Fields {
  if (operation === null) return {}
  if (!isFields(operation)) {
    throw undecodable(operation, 'Go value of type handlers.jsonPatchOp')
  }
  for (const member of ['op', 'path', 'from']) {
    const value = operation[member] ?? ''
    if (typeof value !== 'string') {
      throw undecodable(value, `Go struct field jsonPatchOp.${member} of type string`)
    }
  }
  return operation
}

const undecodable = (value: unknown, wanted: string): ApiFailure =>
  badRequest(`error decoding patch: json: cannot unmarshal ${goKindOf(value)} into ${wanted}`)

function* run(document: JsonDocument, operation: Fields): Steps<void> {
  const path = pointerOf(operation, 'path')
  const value = yield* copyOfValueInSteps(operation.value ?? null)
  switch (operation.op) {
    case 'add':
      document.add(path, value)
      break
    case 'remove':
      document.remove(path)
      break
    case 'replace':
      document.replace(path, value)
      break
    case 'test':
      if (!document.has(path, value)) throw new PointerError('test failed')
      break
    case 'move':
      document.add(path, document.remove(pointerOf(operation, 'from')))
      break
    default:
      throw new PointerError('no such operation')
  }
}

/** How much was copied. */
function* copy(document: JsonDocument, operation: Fields): Steps<number> {
  const path = pointerOf(operation, 'path')
  const value = document.get(pointerOf(operation, 'from'))
  document.add(path, yield* copyOfValueInSteps(value))
  return Buffer.byteLength(yield* jsonInSteps(value))
}

function pointerOf(operation: Fields, member: 'path' | 'from'): string {
  const pointer = operation[member]
  if (typeof pointer !== 'string') throw new PointerError(`no ${member}`)
  return pointer
}
