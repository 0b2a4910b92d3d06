/** A field of a Go struct, as JSON sees it. */
export interface GoField {
  /** As Go's own messages name it: `int32`, `v1.RestartPolicy`, `[]v1.Container`; without the `*`. */
  type: string
  isPointer: boolean
  /** Whether it is left out of JSON: when empty, when zero, or never. */
  omit: 'empty' | 'zero' | 'never'
  /** The embedded structs that it comes from, outermost first. */
  embedded: readonly string[]
}

/** The structs of a package by name, with what they embed still to be looked up. */
export interface GoPackage {
  structs: ReadonlyMap<string, readonly GoMember[]>
}

type GoMember =
  | { name: string; type: string; options: readonly string[] }
  /** The import path is empty for a struct of the same package. */
  | { embeds: string; importPath: string }

/** Finds the structs in the sources of one package. Knows only how Kubernetes writes its API types. */
export function parsePackage(name: string, sources: readonly string[]): GoPackage {
  const structs = new Map<string, GoMember[]>()
  for (const source of sources) {
    const imports = importsOf(source)
    for (const [, struct = '', body = ''] of source.matchAll(STRUCT)) {
      const members = body.split('\n').flatMap((line) => memberOf(line, { name, imports }) ?? [])
      structs.set(struct, members)
    }
  }
  return { structs }
}

/** The fields of a struct by their name in JSON, those of embedded structs included. */
export function fieldsOfStruct(
  packages: ReadonlyMap<string, GoPackage>,
  at: { importPath: string; struct: string },
): Map<string, GoField> {
  const fields = new Map<string, GoField>()
  for (const member of packages.get(at.importPath)?.structs.get(at.struct) ?? []) {
    if (!('embeds' in member)) {
      fields.set(member.name, fieldOf(member.type, member.options))
      continue
    }
    const importPath = member.importPath || at.importPath
    for (const [name, field] of fieldsOfStruct(packages, { importPath, struct: member.embeds })) {
      fields.set(name, { ...field, embedded: [member.embeds, ...field.embedded] })
    }
  }
  return fields
}

const STRUCT = /^type (\w+) struct \{\n(.*?)^\}/gms
const FIELD = /^\t(?:\w+\s+)?(\S+)\s+`[^`]*json:"([^"]*)"[^`]*`/
const IMPORT = /^(?:\t|import )(\w+\s+)?"([^"]+)"$/gm

function importsOf(source: string): Map<string, string> {
  return new Map(
    [...source.matchAll(IMPORT)].map(([, alias = '', path = '']) => [
      alias.trim() || lastOf(path),
      path,
    ]),
  )
}

interface Scope {
  name: string
  imports: Map<string, string>
}

function memberOf(line: string, { name, imports }: Scope): GoMember | undefined {
  const [, written = '', tag = ''] = FIELD.exec(line) ?? []
  if (!written) return undefined
  const [jsonName = '', ...options] = tag.split(',')
  if (jsonName === '-') return undefined
  if (jsonName !== '')
    return { name: jsonName, type: qualified(written, { name, imports }), options }

  const [qualifier, embedded = ''] = written.includes('.') ? written.split('.') : ['', written]
  return { embeds: embedded, importPath: imports.get(qualifier ?? '') ?? '' }
}

/** Go names types by the package's own name in messages, whatever the source imports it as. */
const qualified = (written: string, { name, imports }: Scope): string =>
  written
    .replace(
      /\b(\w+)\.(\w+)/g,
      (_, alias, type) => `${lastOf(imports.get(alias) ?? alias)}.${type}`,
    )
    .replace(/(?<![\w.])[A-Z]\w*/g, (type) => `${name}.${type}`)
    .replace(/\bbyte\b/g, 'uint8')

const fieldOf = (type: string, options: readonly string[]): GoField => ({
  type: type.replace(/^\*/, ''),
  isPointer: type.startsWith('*'),
  omit: omissionOf(options),
  embedded: [],
})

function omissionOf(options: readonly string[]): GoField['omit'] {
  if (options.includes('omitzero')) return 'zero'
  return options.includes('omitempty') ? 'empty' : 'never'
}

const lastOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1)
