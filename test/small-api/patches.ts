import { isDeepStrictEqual } from 'node:util'
import { Failure } from '#test/misbehaving/failure.ts'
import { type Fields, isFields } from './objects.ts'

/** RFC 7386. */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isFields(patch)) return patch
  const merged: Fields = isFields(target) ? { ...target } : {}
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete merged[name]
    else merged[name] = mergePatch(merged[name], value)
  }
  return merged
}

/** RFC 6902 without `move` and `copy`. As in Kubernetes, `replace` may add a field. */
export function jsonPatch(document: Fields, operations: unknown): Fields {
  if (!Array.isArray(operations)) throw new Failure(400, 'error decoding patch: not a list')
  const patched = structuredClone(document)
  for (const operation of operations) step(patched, isFields(operation) ? operation : {})
  return patched
}

function step(document: Fields, { op, path, value }: Fields): void {
  const { parent, name } = placeAt(document, String(path))
  const isThere = Object.hasOwn(parent, name)
  if (op === 'test' && isDeepStrictEqual(Reflect.get(parent, name), value)) return
  if (Array.isArray(parent)) stepInList({ op, value, name, isThere }, parent)
  else if (op === 'remove' && isThere) delete parent[name]
  else if (op === 'add' || op === 'replace') parent[name] = value
  else throw unprocessable()
}

interface Step {
  op: unknown
  value: unknown
  name: string
  isThere: boolean
}

function stepInList({ op, value, name, isThere }: Step, list: unknown[]): void {
  const index = name === '-' ? list.length : Number(name)
  if (op === 'remove' && isThere) list.splice(index, 1)
  else if (op === 'replace' && isThere) list.splice(index, 1, value)
  else if (op === 'add' && index <= list.length) list.splice(index, 0, value)
  else throw unprocessable()
}

function placeAt(document: Fields, path: string): { parent: Fields | unknown[]; name: string } {
  const names = path.split('/').map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'))
  let parent: Fields | unknown[] = document
  for (const name of names.slice(1, -1)) {
    const next: unknown = Reflect.get(parent, name)
    if (!isFields(next) && !Array.isArray(next)) throw unprocessable()
    parent = next
  }
  return { parent, name: names.at(-1) ?? '' }
}

const unprocessable = (): Failure =>
  new Failure(422, 'the server rejected our request due to an error in our request', {
    details: {},
  })
