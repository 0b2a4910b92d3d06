import {
  entryOf,
  type YamlEntry,
  type YamlList,
  type YamlMap,
  type YamlNode,
} from '#base/yaml/yaml-node.ts'
import { ConfigError } from '#machineconfig/config-error.ts'

/** What a `$patch: delete` in a patch asks for. */
export interface DeleteSelector {
  /** From the root of the document; an element of a list is `[0]`. Empty: the document as a whole. */
  readonly path: readonly string[]
  /** The place of the document among those of the text. */
  readonly index: number
  /** Where the document begins. */
  readonly line: number
  readonly apiVersion: string
  /** `v1alpha1` for the legacy document. */
  readonly kind: string
  readonly name?: string
  /** The element of a list is the one whose `key` is `value`; both '' if it is no element. */
  readonly key: string
  readonly value: string
}

interface Taking {
  readonly index: number
  readonly deletes: DeleteSelector[]
}

/** The document without what is to be deleted, which is added to `deletes`; undefined if nothing is left. */
export function takeDeletes(root: YamlNode, { index, deletes }: Taking): YamlNode | undefined {
  try {
    const left = without(root, [], { root, index, deletes, parent: 'document' })
    return left && !isHollow(left) ? left : undefined
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    throw new ConfigError(
      `error processing patch delete statements at line ${root.line}: ${error.message}`,
    )
  }
}

interface Walk extends Taking {
  readonly root: YamlNode
  readonly parent: 'document' | 'map' | 'list'
}

function without(node: YamlNode, path: readonly string[], walk: Walk): YamlNode | undefined {
  if (node.kind === 'map') return mapWithout(node, path, walk)
  return node.kind === 'list' ? listWithout(node, path, walk) : node
}

function mapWithout(map: YamlMap, path: readonly string[], walk: Walk): YamlMap | undefined {
  const entries: YamlEntry[] = []
  let changed = false
  for (const entry of map.entries) {
    if (isDelete(entry)) {
      walk.deletes.push(selectorFor(map, path, walk))
      return
    }
    const left = entryWithout(entry, path, walk)
    changed ||= left !== entry
    if (left) entries.push(left)
  }
  if (!changed) return map
  return entries.length ? { ...map, entries } : undefined
}

function entryWithout(
  entry: YamlEntry,
  path: readonly string[],
  walk: Walk,
): YamlEntry | undefined {
  const { key, value } = entry
  if (value.kind === 'scalar') return entry
  const name = key.kind === 'scalar' ? key.text : ''
  const left = without(value, [...path, name], { ...walk, parent: 'map' })
  return left === value ? entry : left && { key, value: left }
}

function listWithout(list: YamlList, path: readonly string[], walk: Walk): YamlList | undefined {
  const items: YamlNode[] = []
  let changed = false
  for (const item of list.items) {
    // Talos counts without the elements that it has taken out before.
    const left =
      item.kind === 'scalar'
        ? item
        : without(item, [...path, `[${items.length}]`], { ...walk, parent: 'list' })
    changed ||= left !== item
    if (left) items.push(left)
  }
  if (!changed) return list
  return items.length ? { ...list, items } : undefined
}

const isDelete = ({ key, value }: YamlEntry): boolean =>
  key.kind === 'scalar' &&
  key.text === '$patch' &&
  value.kind === 'scalar' &&
  value.text === 'delete'

function selectorFor(map: YamlMap, path: readonly string[], walk: Walk): DeleteSelector {
  if (walk.parent !== 'list' && path.some((part) => part.startsWith('['))) {
    throw new ConfigError(`cannot delete an inner key in '${path.join('.')}'`)
  }
  const { key, value } = walk.parent === 'list' ? elementKey(map, path) : { key: '', value: '' }
  const [apiVersion, kind] = identityOf(walk.root, path)
  const name = textUnder(walk.root, 'name')
  return {
    path,
    index: walk.index,
    line: walk.root.line,
    apiVersion,
    kind: kind || 'v1alpha1',
    key,
    value,
    ...(name && { name }),
  }
}

function elementKey(map: YamlMap, path: readonly string[]): { key: string; value: string } {
  const entry = map.entries.find((candidate) => !isDelete(candidate))
  if (!entry) {
    throw new ConfigError(`no key:val found in sequence node for path ${path.join('.')}`)
  }
  const [key, value] = [entry.key, entry.value].map((node) =>
    node.kind === 'scalar' ? node.text : '',
  )
  return { key: key ?? '', value: value ?? '' }
}

function identityOf(root: YamlNode, path: readonly string[]): [string, string] {
  if (root.kind !== 'map') throw new ConfigError('expected a mapping node')
  const [apiVersion = '', kind = ''] = ['apiVersion', 'kind'].map((key) => {
    const found = entryOf(root, key)
    if (found || path.length) return found?.kind === 'scalar' ? found.text : ''
    throw new ConfigError(`missing ${key} in document for which $patch: delete is used`)
  })
  if ((apiVersion === '') === (kind === '')) return [apiVersion, kind]
  throw new ConfigError(`kind and apiVersion must be both set for path ${path.join('.')}`)
}

function textUnder(root: YamlNode, key: string): string {
  const node = root.kind === 'map' ? entryOf(root, key) : undefined
  return node?.kind === 'scalar' ? node.text : ''
}

// A document that says nothing but which one it is: there is nothing to merge.
const isHollow = (node: YamlNode): boolean =>
  node.kind === 'map' &&
  node.entries.every(
    ({ key, value }) =>
      key.kind === 'scalar' &&
      value.kind === 'scalar' &&
      ['version', 'kind', 'name'].includes(key.text),
  )
