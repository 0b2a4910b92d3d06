import { isNull, tagOf } from '#base/yaml/resolve-scalar.ts'
import type { YamlEntry, YamlList, YamlMap, YamlNode } from '#base/yaml/yaml-node.ts'
import type { Value, ValueMap } from '#machineconfig/document.ts'
import type {
  Dictionary,
  DocumentKind,
  Leaf,
  List,
  Shape,
  Struct,
} from '#machineconfig/shapes/shape.ts'
import { isEmptyBytes, isMap, isZero, zeroOf } from '#machineconfig/write/zero-value.ts'
import { Problems } from './decode-problems.ts'
import { goType } from './go-type.ts'
import { readLeaf, readsText } from './leaves/read-leaf.ts'
import { mergedEntries } from './merge-keys.ts'
import { plainNode } from './plain-node.ts'
import { readFree } from './read-free.ts'
import { Refusal } from './refusal.ts'
import { unknownKeys } from './unknown-keys.ts'

/** The fields of a document in normal form. Throws a ConfigError with all that is wrong with them. */
export function readFields(
  kind: DocumentKind,
  node: YamlMap,
  options?: { isPatch?: boolean; isLater?: boolean },
): ValueMap {
  const problems = new Problems(kind, options)
  const fields = readStruct(kind.shape, node, problems)
  problems.throwIfAny()
  if (problems.unknown) throw unknownKeys(kind.shape, node)
  return fields ?? {}
}

/** The same for a value that is no text: a patch in a resource, a document of the program's own. */
export const readPlain = (kind: DocumentKind, value: unknown): ValueMap =>
  readFields(kind, plainNode(value))

/**
 * What a node is as a value of its type. Undefined leaves things as they are, as null does for what is
 * no pointer; null is a pointer, list or map that is unset.
 */
function read(shape: Shape, node: YamlNode, problems: Problems): Value | undefined {
  if (isNull(node)) return isStructural(shape) ? undefined : null
  switch (shape.is) {
    case 'pointer':
      return readBehind(shape.to, node, problems)
    case 'leaf':
      return readScalar(shape, { node, problems })
    case 'struct':
      return readStruct(shape, node, problems)
    case 'list':
      return readList(shape, node, problems)
    case 'map':
      return readDictionary(shape, node, problems)
    case 'free':
      return readFree(shape, node, problems)
  }
}

// What Go holds as it is: there is no such thing as one that is not there.
const isStructural = (shape: Shape): boolean =>
  shape.is === 'leaf' || shape.is === 'struct' || (shape.is === 'free' && shape.name !== 'any')

interface Place {
  readonly node: YamlNode
  readonly problems: Problems
  /** Messages show the type with it. */
  readonly pointer?: boolean
}

function readBehind(to: Shape, node: YamlNode, problems: Problems): Value | undefined {
  return to.is === 'leaf'
    ? readScalar(to, { node, problems, pointer: true })
    : read(to, node, problems)
}

function readScalar(leaf: Leaf, { node, problems, pointer }: Place): Value | undefined {
  if (node.kind !== 'scalar') {
    if (leaf.type.reads === 'argument') return readArgument(node, problems)
    problems.add(node, `cannot construct ${tagOf(node)} into ${typeOfLeaf(leaf, pointer)}`)
    return
  }
  const value = readLeaf(leaf, node)
  if (value instanceof Refusal) problems.add(node, value.why)
  else if (value !== undefined) return value
  else problems.wrongType(node, leaf)
  return
}

const BY_STRING = new Set([
  'base64',
  'url',
  'optional-url',
  'disk-size',
  'disk-condition',
  'port-range',
])

function typeOfLeaf(leaf: Leaf, pointer = false): string {
  if (readsText(leaf.type)) return `${pointer ? '*' : ''}${leaf.name} (TextUnmarshaler)`
  return BY_STRING.has(leaf.type.reads) ? 'string' : goType(leaf)
}

function readArgument(node: YamlList | YamlMap, problems: Problems): Value | undefined {
  const items = node.kind === 'list' ? node.items.filter((item) => !isNull(item)) : []
  const texts = items.flatMap((item) => (item.kind === 'scalar' ? [item.text] : []))
  if (node.kind === 'list' && texts.length === items.length) return texts
  problems.add(node, 'arg value must be a string or list of strings')
  return
}

function readStruct(shape: Struct, node: YamlNode, problems: Problems): ValueMap | undefined {
  if (node.kind !== 'map') {
    problems.wrongType(node, shape)
    return
  }
  if (problems.foundDuplicates(node)) return
  const own = shape.name.startsWith('x509.') ? problems.part() : problems
  const fields: Record<string, Value> = Object.create(null)
  for (const entry of node.entries) readField(shape, { entry, fields, problems: own })
  if (own !== problems) problems.takeFirst(own, node)
  return fields
}

interface Writing {
  readonly entry: YamlEntry
  readonly fields: Record<string, Value>
  readonly problems: Problems
}

function readField(
  shape: Struct,
  { entry: { key, value: node }, fields, problems }: Writing,
): void {
  if (key.kind !== 'scalar') {
    problems.add(key, `cannot construct ${tagOf(key)} into string`)
    return
  }
  const field = shape.fields.get(key.text)
  if (!field) {
    problems.unknown = true
    return
  }
  const value = read(field.shape, node, problems)
  if (value === undefined || value === null) return
  const isKept = problems.isPatch && isEmptyBytes(field.shape, value)
  if (isKept || !isStructural(field.shape) || !isUnset(field.shape, value)) {
    fields[key.text] = value
  }
}

const isUnset = (shape: Shape, value: Value): boolean =>
  isMap(value) ? Object.keys(value).length === 0 : isZero(shape, value)

function readList(shape: List, node: YamlNode, problems: Problems): Value | undefined {
  if (node.kind !== 'list') {
    problems.wrongType(node, shape)
    return
  }
  const items: Value[] = []
  for (const item of node.items) {
    const value = read(shape.of, item, problems)
    if (value !== undefined) items.push(value ?? zeroOf(shape.of))
  }
  return items
}

function readDictionary(shape: Dictionary, node: YamlNode, problems: Problems): Value | undefined {
  if (node.kind !== 'map') {
    problems.wrongType(node, shape)
    return
  }
  if (problems.foundDuplicates(node)) return
  const values: Record<string, Value> = Object.create(null)
  for (const { key, value: inner } of mergedEntries(node, problems)) {
    if (isNull(key)) continue
    if (key.kind !== 'scalar') {
      problems.add(key, `cannot construct ${tagOf(key)} into string`)
      continue
    }
    const value = read(shape.of, inner, problems)
    if (value !== undefined || isNull(inner)) values[key.text] = value ?? zeroOf(shape.of)
  }
  return values
}
