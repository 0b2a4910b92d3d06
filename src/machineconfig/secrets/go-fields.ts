import { isNull, tagOf } from '#base/yaml/resolve-scalar.ts'
import type { YamlMap, YamlNode } from '#base/yaml/yaml-node.ts'
import { ConfigError } from '#machineconfig/config-error.ts'
import { readYaml } from '#machineconfig/read/yaml-tree.ts'

/**
 * The fields of a map, taken as go-yaml fills a struct: what it does not know it passes over, null
 * is as good as absent, and what does not fit is noted. Notes say where, and show nothing of it.
 */
export class GoFields {
  readonly #map: YamlMap
  readonly #notes: string[]

  private constructor(map: YamlMap, notes: string[]) {
    this.#map = map
    this.#notes = notes
  }

  /**
   * What `take` makes of the first document of a text that is to be of this Go type. Throws a
   * ConfigError with all notes.
   */
  static read<Taken>(text: string, type: string, take: (fields: GoFields) => Taken): Taken {
    const [root] = readYaml(text)
    if (!root || isNull(root)) throw new ConfigError('EOF')
    const notes: string[] = []
    const fields = GoFields.#of(root, type, notes)
    const taken = fields && take(fields)
    if (taken !== undefined && notes.length === 0) return taken
    throw new ConfigError(['yaml: construct errors:', ...notes].join('\n  '))
  }

  static #of(node: YamlNode, type: string, notes: string[]): GoFields | undefined {
    if (node.kind === 'map') return new GoFields(node, notes)
    notes.push(`line ${node.line}: cannot construct ${tagOf(node)} into ${type}`)
    return undefined
  }

  /** A text, as it stands there: a number too. '' when there is none. */
  text(...names: readonly string[]): string {
    const node = this.#find(names)
    if (!node) return ''
    if (node.kind === 'scalar') return node.text
    this.#note(node, `cannot construct ${tagOf(node)} into string`)
    return ''
  }

  /** A list of texts. */
  texts(name: string): string[] {
    const node = this.#find([name])
    if (!node) return []
    const items = node.kind === 'list' ? node.items : [node]
    const texts = items.flatMap((item) => (item.kind === 'scalar' ? [item.text] : []))
    const isList = node.kind === 'list' && texts.length === items.length
    if (!isList) this.#note(node, `cannot construct ${tagOf(node)} into []string`)
    return texts
  }

  /** The fields of a map within, if it is there. */
  within(type: string, ...names: readonly string[]): GoFields | undefined {
    const node = this.#find(names)
    return node && GoFields.#of(node, type, this.#notes)
  }

  /** The maps under names that are not known beforehand. */
  named(type: string): [string, GoFields][] {
    return this.#map.entries.flatMap(({ key, value }): [string, GoFields][] => {
      if (key.kind !== 'scalar') this.#note(key, `cannot construct ${tagOf(key)} into string`)
      const fields = GoFields.#of(value, type, this.#notes)
      return key.kind === 'scalar' && fields ? [[key.text, fields]] : []
    })
  }

  /** Notes what is wrong with what was taken. */
  refuse(why: string): void {
    this.#note(this.#map, why)
  }

  #find(names: readonly string[]): YamlNode | undefined {
    for (const name of names) {
      const [first, second] = this.#map.entries.filter(
        ({ key }) => key.kind === 'scalar' && key.text === name,
      )
      if (second) {
        const where = first?.key.line
        this.#note(second.key, `mapping key "${name}" already defined at line ${where}`)
      }
      if (first && !isNull(first.value)) return first.value
    }
    return undefined
  }

  #note({ line }: YamlNode, why: string): void {
    this.#notes.push(`line ${line}: ${why}`)
  }
}
