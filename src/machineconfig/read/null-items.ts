import { isNull } from '#base/yaml/resolve-scalar.ts'
import type { YamlList, YamlMap, YamlNode } from '#base/yaml/yaml-node.ts'
import { quote } from '#machineconfig/quote.ts'
import type { Shape, Struct } from '#machineconfig/shapes/shape.ts'
import { mergedEntries } from './merge-keys.ts'

// Nobody reads more of them, and they would fill a log.
const MOST = 100

/** What v1.14 has against items of lists and maps that are null where there should be an object; '' for nothing. */
export function nullItemsProblem(shape: Shape, node: YamlNode): string {
  const problems: string[] = []
  look(shape, node, { path: '', problems })
  return problems.join('\n')
}

interface Place {
  readonly path: string
  readonly problems: string[]
}

function look(shape: Shape, node: YamlNode, place: Place): void {
  if (shape.is === 'pointer') look(shape.to, node, place)
  else if (shape.is === 'struct' && node.kind === 'map') lookIntoStruct(shape, node, place)
  else if (shape.is === 'map' && node.kind === 'map') lookIntoMap(shape.of, node, place)
  else if (shape.is === 'list' && node.kind === 'list') lookIntoList(shape.of, node, place)
}

// Long lists and maps of texts need not be looked at.
const hasInside = (shape: Shape): boolean => shape.is !== 'leaf' && shape.is !== 'free'

function lookIntoStruct({ fields }: Struct, { entries }: YamlMap, place: Place): void {
  for (const { key, value } of entries) {
    const field = key.kind === 'scalar' ? fields.get(key.text) : undefined
    if (field) look(field.shape, value, below(place, key))
  }
}

function lookIntoMap(of: Shape, map: YamlMap, place: Place): void {
  if (!hasInside(of)) return
  for (const { key, value } of mergedEntries(map)) lookAtItem(of, value, below(place, key))
}

function lookIntoList(of: Shape, { items }: YamlList, { path, problems }: Place): void {
  if (!hasInside(of)) return
  for (const [i, item] of items.entries()) lookAtItem(of, item, { path: `${path}[${i}]`, problems })
}

function below({ path, problems }: Place, key: YamlNode): Place {
  const name = key.kind === 'scalar' ? key.text : ''
  return { path: path === '' ? name : `${path}.${name}`, problems }
}

function lookAtItem(shape: Shape, item: YamlNode, place: Place): void {
  if (shape.is !== 'pointer' || !isNull(item)) look(shape, item, place)
  else if (place.problems.length < MOST) {
    place.problems.push(`null value is not allowed at ${quote(place.path)} (line ${item.line})`)
  }
}
