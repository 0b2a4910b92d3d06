import { tagOf } from '#base/yaml/resolve-scalar.ts'
import type { YamlMap, YamlNode } from '#base/yaml/yaml-node.ts'
import { ConfigError } from '#machineconfig/config-error.ts'
import type { DocumentKind, Shape } from '#machineconfig/shapes/shape.ts'
import { targetType } from './go-type.ts'

/** All that is wrong with a document, gathered as go-yaml does: it reads on after the first. */
export class Problems {
  readonly #lines: string[] = []
  #more = 0
  readonly #kind: DocumentKind
  /** Whether a key came up that its type does not have. */
  unknown = false
  /** Whether what is read is a patch: see `isEmptyBytes`. */
  readonly isPatch: boolean
  /** Whether it is told in the form of v1.14, on one line. */
  readonly isLater: boolean

  constructor(kind: DocumentKind, { isPatch = false, isLater = false } = {}) {
    this.#kind = kind
    this.isPatch = isPatch
    this.isLater = isLater
  }

  /** Those of a part, which are taken over later. */
  part(): Problems {
    return new Problems(this.#kind, this)
  }

  /** Notes what is wrong with a node. */
  add({ line }: YamlNode, why: string): void {
    if (this.#lines.length < MOST) this.#lines.push(line > 0 ? `line ${line}: ${why}` : why)
    else this.#more++
  }

  /** Notes that a node is something else than its type wants. */
  wrongType(node: YamlNode, shape: Shape): void {
    const shown = node.kind === 'scalar' ? ` \`${excerpt(node.text, shape)}\`` : ''
    this.add(node, `cannot construct ${tagOf(node)}${shown} into ${targetType(shape)}`)
  }

  /** Notes keys that come twice in a map, and says whether there are any. */
  foundDuplicates({ entries }: YamlMap): boolean {
    if (entries.length < 2) return false
    const first = new Map<string | symbol, YamlNode>()
    let found = false
    for (const { key } of entries) {
      const name = nameOf(key)
      const before = first.get(name)
      if (before) {
        found = true
        const text = key.kind === 'scalar' ? key.text : ''
        this.add(
          key,
          `mapping key ${JSON.stringify(short(text))} already defined at line ${before.line}`,
        )
      } else first.set(name, key)
    }
    return found
  }

  /** Takes over the first problem of a part that says only where it begins. */
  takeFirst(part: Problems, { line }: YamlNode): void {
    this.unknown ||= part.unknown
    const [first] = part.#lines
    if (first === undefined) return
    const typed = part.#lines.filter((text) => /^(?:line \d+: )?(?:cannot|mapping)/.test(text))
    if (typed.length) this.#lines.push(...typed)
    else this.#lines.push(first.replace(/^line \d+/, `line ${line}`))
  }

  /** Ends reading if there is anything. */
  throwIfAny(): void {
    if (this.#lines.length === 0) return
    const more = this.#more ? [`and ${this.#more} more`] : []
    const all = [...this.#lines, ...more]
    const told = this.isLater ? ` ${all.join('; ')}` : all.map((line) => `\n  ${line}`).join('')
    throw this.fatal(`yaml: construct errors:${told}`)
  }

  /** What ends reading at once. */
  fatal(why: string): ConfigError {
    const { kind, shape } = this.#kind
    return new ConfigError(`error decoding ${kind} to *${shape.name}: ${why}`)
  }
}

/** What has to be different among the keys of a map. */
const nameOf = (key: YamlNode): string | symbol =>
  key.kind === 'scalar' ? key.text : NAMELESS[key.kind]

const NAMELESS = { list: Symbol('list'), map: Symbol('map') }

// Nobody reads more of them, and they would fill a log.
const MOST = 100

const LONGEST = 10
const CUT = 7

// In place of these, a text is likely to be a key or a password.
const SECRETIVE = /^struct|Auth(?!orization)|Encryption|Key|Wireguard|TLS|^map\[|\.Args$/

const short = (key: string): string => (key.length > MOST ? `${key.slice(0, MOST)}…` : key)

function excerpt(text: string, shape: Shape): string {
  if (text !== '' && SECRETIVE.test(targetType(shape))) return '…'
  if (text.length <= LONGEST && Buffer.byteLength(text) <= LONGEST) return text
  return `${Buffer.from(text.slice(0, LONGEST)).subarray(0, CUT)}...`
}
