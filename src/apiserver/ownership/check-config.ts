import { type Fields, isFields } from '#apiserver/objects.ts'
import { shownByGo } from '#apiserver/patch/go-json.ts'
import { isDue, type Steps } from '#apiserver/steps.ts'
import { itemElement } from './list-items.ts'
import { fieldElement, PathElementError, showElement } from './path-element.ts'
import { kindOf, type ListShape, type MapShape, type Shape } from './shape.ts'

/** What is wrong with a configuration by its schema, in the words of Kubernetes: `.spec.a: expected …`. */
export function* problemsOf(config: unknown, shape: Shape): Steps<string[]> {
  const place: Place = { path: [], problems: [] }
  yield* check(config, shape, place)
  return place.problems
}

interface Place {
  /** The elements that lead here. */
  readonly path: string[]
  readonly problems: string[]
}

const report = ({ path, problems }: Place, message: string): void => {
  problems.push(path.length === 0 ? message : `${path.map(showElement).join('')}: ${message}`)
}

function* check(value: unknown, shape: Shape, place: Place): Steps<void> {
  if (value === null) return
  const kind = kindOf(value, shape)
  if (kind === 'map' && shape.map !== undefined) {
    if (isFields(value)) yield* checkMap(value, shape.map, place)
    else report(place, `expected map, got ${shown(value)}`)
  } else if (kind === 'list' && shape.list !== undefined) {
    if (Array.isArray(value)) yield* checkList(value, shape.list, place)
    else report(place, `expected list, got ${shown(value)}`)
  } else {
    checkScalar(value, shape.scalar, place)
  }
}

function* checkMap(value: Fields, shape: MapShape, place: Place): Steps<void> {
  for (const key of Object.keys(value)) {
    const below = shape.at(key)
    place.path.push(fieldElement(key))
    const one = value[key]
    const isLeaf = typeof one !== 'object' && below?.scalar !== undefined
    if (below === undefined) report(place, 'field not declared in schema')
    else if (isLeaf) checkScalar(one, below.scalar, place)
    else yield* check(one, below, place)
    if (isDue()) yield
    place.path.pop()
    if (below === undefined) return
  }
}

function* checkList(value: readonly unknown[], shape: ListShape, place: Place): Steps<void> {
  const seen = new Set<string>()
  const below = shape.items()
  for (const [index, item] of value.entries()) {
    const element = shape.isAtomic ? `i:${index}` : elementOf(item, shape)
    if (element instanceof PathElementError) {
      report(place, `element ${index}: ${element.message}`)
      return
    }
    if (seen.has(element)) report(place, `duplicate entries for key ${showElement(element)}`)
    seen.add(element)
    place.path.push(element)
    yield* check(item, below, place)
    if (isDue()) yield
    place.path.pop()
  }
}

function elementOf(item: unknown, shape: ListShape): string | PathElementError {
  try {
    return itemElement(item, shape)
  } catch (error) {
    if (error instanceof PathElementError) return error
    throw error
  }
}

function checkScalar(value: unknown, scalar: Shape['scalar'], place: Place): void {
  if (scalar === 'numeric' && typeof value !== 'number') {
    report(place, `expected numeric (int or float), got ${goTypeOf(value)}`)
  } else if (scalar === 'string' && typeof value !== 'string') {
    report(place, `expected string, got &value.valueUnstructured{Value:${goValue(value)}}`)
  } else if (scalar === 'boolean' && typeof value !== 'boolean') {
    report(place, `expected boolean, got ${shown(value)}`)
  } else if (scalar === 'untyped' && typeof value === 'object') {
    report(place, `expected any scalar, got ${shown(value)}`)
  }
}

function goTypeOf(value: unknown): string {
  if (Array.isArray(value)) return '[]interface {}'
  if (isFields(value)) return 'map[string]interface {}'
  return typeof value === 'boolean' ? 'bool' : typeof value
}

/** As Go's `%#v` shows it. */
function goValue(value: unknown): string {
  if (Array.isArray(value)) return `[]interface {}{${value.map(goValue).join(', ')}}`
  if (isFields(value)) {
    const pairs = Object.keys(value)
      .toSorted()
      .map((key) => `${JSON.stringify(key)}:${goValue(value[key])}`)
    return `map[string]interface {}{${pairs.join(', ')}}`
  }
  if (value === null) return 'interface {}(nil)'
  return JSON.stringify(value) ?? ''
}

const shown = (value: unknown): string => `&{${shownByGo(value)}}`
