/** What YAML says, before anybody asks what it means. Aliases are unfolded: nodes may be shared. */
export type YamlNode = YamlScalar | YamlMap | YamlList

interface Placed {
  /** Counted from 1; 0 if it does not come from a text. */
  readonly line: number
  readonly column: number
  /** As it was written, in its short form (`!!str`), or ''. */
  readonly tag: string
}

export interface YamlScalar extends Placed {
  readonly kind: 'scalar'
  readonly text: string
  /** Without quotes, so that `5` is a number. */
  readonly plain: boolean
}

export interface YamlMap extends Placed {
  readonly kind: 'map'
  readonly entries: readonly YamlEntry[]
}

export interface YamlEntry {
  readonly key: YamlNode
  readonly value: YamlNode
}

export interface YamlList extends Placed {
  readonly kind: 'list'
  readonly items: readonly YamlNode[]
}

/** The node under a key of a map, or undefined. */
export function entryOf(map: YamlMap, name: string): YamlNode | undefined {
  return map.entries.find(({ key }) => key.kind === 'scalar' && key.text === name)?.value
}
