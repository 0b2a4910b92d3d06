import type { YamlMap, YamlNode } from '#base/yaml/yaml-node.ts'
import { BodySize } from './body-size.ts'
import { type Fields, put } from './objects.ts'
import { isDue, type Steps } from './steps.ts'
import { scalarKey, scalarValue } from './yaml-scalar.ts'

/** What YAML is in JSON. */
export interface YamlValue {
  value: unknown
  /** Of the first keys that their map has had before, where they are. The last of each counts. */
  repeated: readonly string[]
}

/**
 * What a YAML document is in JSON, with pauses. Throws an `ApiFailure` if there is more in it than anyone may send, and
 * an error in Kubernetes' words if it has no like in JSON.
 */
export function* valueOfYaml(node: YamlNode): Steps<YamlValue> {
  const values = new Values()
  const value = yield* values.of(node)
  return { value, repeated: values.repeated }
}

// As many as are told of in JSON.
const MOST_REPEATS = 100
const MERGE = 'yaml: map merge requires map or sequence of maps as the value'

class Values {
  readonly repeated: string[] = []
  readonly #size = new BodySize()

  #put(fields: Fields, key: YamlNode, { at, value }: { at: YamlNode; value: unknown }): void {
    if (key.kind !== 'scalar') throw new Error('yaml: invalid map key')
    const name = scalarKey(key)
    if (Object.hasOwn(fields, name) && this.repeated.length < MOST_REPEATS) {
      this.repeated.push(repeat(key.plain, name, at.line))
    }
    put(fields, name, value)
  }

  *of(node: YamlNode): Steps<unknown> {
    if (node.kind === 'scalar') return finite(scalarValue(node))
    this.#size.open(node.kind === 'map')
    const value =
      node.kind === 'map' ? yield* this.#fields(node, {}) : yield* this.#list(node.items)
    this.#size.close()
    return value
  }

  *#list(items: readonly YamlNode[]): Steps<unknown[]> {
    const list: unknown[] = []
    for (const item of items) {
      if (list.length > 0) this.#size.add()
      list.push(item.kind === 'scalar' ? finite(scalarValue(item)) : yield* this.of(item))
      if (isDue()) yield
    }
    return list
  }

  *#fields({ entries }: YamlMap, fields: Fields): Steps<Fields> {
    let isFirst = true
    for (const { key, value } of entries) {
      if (!isFirst) this.#size.add()
      isFirst = false
      if (isMerge(key)) yield* this.#merge(value, fields)
      else this.#put(fields, key, { at: value, value: yield* this.of(value) })
      if (isDue()) yield
    }
    return fields
  }

  /** What is written later counts, and of several maps the first. */
  *#merge(node: YamlNode, fields: Fields): Steps<void> {
    const maps = node.kind === 'list' ? node.items.toReversed() : [node]
    for (const map of maps) {
      if (map.kind !== 'map') throw new Error(MERGE)
      yield* this.#fields(map, fields)
    }
  }
}

const isMerge = (key: YamlNode): boolean =>
  key.kind === 'scalar' &&
  key.text === '<<' &&
  (key.tag === '!!merge' || (key.plain && key.tag === ''))

const WORD = /^(?:true|false|-?[0-9]+(?:\.[0-9]+)?)$/

function repeat(plain: boolean, name: string, line: number): string {
  const shown = plain && WORD.test(name) ? name : JSON.stringify(name)
  return `line ${line}: key ${shown} already set in map`
}

function finite(value: string | number | boolean | null): unknown {
  if (typeof value !== 'number' || Number.isFinite(value)) return value
  const name = Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf'
  throw new Error(`json: unsupported value: ${name}`)
}
