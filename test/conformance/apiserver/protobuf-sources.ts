import { execFile } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { definitions, version } from '#apiserver/builtin/generated/kinds.ts'
import { definitionOf, type Field, nameOfReference, type Shape } from '#apiserver/builtin/table.ts'
import { isSpecial } from '#apiserver/protobuf/special-messages.ts'
import { type GeneratedFile, MARKER } from '#scripts/generate/tree.ts'
import { GO_SETTINGS } from '#test/conformance/programs/go.ts'

const MODULE_FOLDER = join(import.meta.dirname, '../programs/kubernetes')
const MODULES = ['k8s.io/api', 'k8s.io/apimachinery', 'k8s.io/apiextensions-apiserver']

/**
 * Every `generated.proto` of the Go modules that kube-apiserver is built from. Answers undefined where those are
 * not to be had: without Go, or when the programs came ready-made.
 */
export async function protoFiles(): Promise<string[] | undefined> {
  const { stdout } = await promisify(execFile)('go', ['list', '-m', '-f', '{{.Dir}}', ...MODULES], {
    cwd: MODULE_FOLDER,
    env: { ...process.env, ...GO_SETTINGS },
  }).catch(() => ({ stdout: '' }))
  const folders = stdout.split('\n').filter((folder) => folder !== '')
  if (folders.length < MODULES.length) return undefined
  const paths = await Promise.all(folders.map(protosBelow))
  return Promise.all(paths.flat().map((path) => readFile(path, 'utf8')))
}

async function protosBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true })
  return entries
    .filter((path) => path.endsWith('generated.proto'))
    .map((path) => join(folder, path))
}

/** The table of messages: in which field of its protobuf message each field of a built-in type is. */
export function protobufMessagesFile(protos: readonly string[]): GeneratedFile {
  const messages = new Map(protos.flatMap(messagesIn))
  const lines = definitions.split('\n').flatMap((line) => {
    const reference = line.slice(0, line.indexOf('|'))
    const name = nameOfReference(reference)
    if (isSpecial(name)) return []
    const fields = messages.get(protoNameOf(name))
    if (!fields) throw new Error(`the protobuf sources have no ${name}`)
    return `${reference} ${numbersOf(name, fields, messages).join(' ')}`.trimEnd()
  })
  const content = [
    `// ${MARKER} From the protobuf sources of kube-apiserver ${version}.`,
    '// How to read it: src/apiserver/protobuf/message-table.ts.',
    `export const messages = \`${lines.join('\n')}\``,
  ]
  return {
    path: 'src/apiserver/protobuf/generated/messages.ts',
    content: `${content.join('\n')}\n`,
  }
}

interface ProtoField {
  label: string
  /** Without its leading dot; of the same package where there is none. */
  type: string
  name: string
  number: string
}

type Messages = ReadonlyMap<string, readonly ProtoField[]>

const MESSAGE = /^message (\w+) \{\n(.*?)^\}/gms
const FIELD = /^ {2}(optional|repeated|map<string,) ?([\w.]+)>? (\w+) = (\d+);$/
const COMMENT = /^\s*(?:\/\/.*)?$/

function messagesIn(proto: string): [string, ProtoField[]][] {
  const [, folder = ''] = /^package (.*);$/m.exec(proto) ?? []
  return [...proto.matchAll(MESSAGE)].map(([, message, body = '']) => {
    const lines = body.split('\n').filter((line) => !COMMENT.test(line))
    return [`${folder}.${message}`, lines.map((line) => protoFieldOf(line, folder))]
  })
}

function protoFieldOf(line: string, folder: string): ProtoField {
  const [, label = '', type = '', name = '', number = ''] =
    FIELD.exec(line.replace(' .', ' ')) ?? []
  if (number === '') throw new Error(`this is no field of a message: ${line}`)
  const isOwn = /^[A-Z]\w*$/.test(type)
  return { label, type: isOwn ? `${folder}.${type}` : type, name, number }
}

const protoNameOf = (definition: string): string =>
  definition
    .replace(/^io\.k8s\./, 'k8s.io.')
    .replace('apiextensions-apiserver', 'apiextensions_apiserver')

/** Where each field of a definition is, in their order there. */
function numbersOf(name: string, fields: readonly ProtoField[], messages: Messages): string[] {
  return definitionOf(name).fields.map((field) => {
    const place = placeOf(field, fields, messages)
    // What the envelope tells is not in the message.
    if (!place && (field.name === 'apiVersion' || field.name === 'kind')) return '-'
    if (!place) throw new Error(`the protobuf sources have no ${name}.${field.name}`)
    return place
  })
}

function placeOf(
  field: Field,
  siblings: readonly ProtoField[],
  messages: Messages,
): string | undefined {
  const [outer, ...inner] = field.embedded
  if (outer !== undefined) {
    const holder = siblings.find(({ type }) => type.endsWith(`.${outer}`))
    const below = messages.get(holder?.type ?? '') ?? []
    const place = placeOf({ ...field, embedded: inner }, below, messages)
    return holder && place && `${holder.number}.${place}`
  }
  const found = siblings.find(({ name }) => bare(name) === bare(field.name))
  if (!found) return undefined
  const wanted = typeOf(field.shape)
  if (`${found.label} ${found.type}` === wanted) return found.number
  // Lists that have a type of their own are messages with one field.
  const items = messages.get(found.type)
  if (items?.length === 1 && items[0]?.name === 'items') return `${found.number}*`
  throw new Error(`${field.name} is not ${wanted}: ${JSON.stringify(found)}`)
}

/** `uID`, `Webhooks`, `xKubernetesListType`: some names are written in other letters than in JSON. */
const bare = (name: string): string => name.replaceAll(/[$-]/g, '').toLowerCase()

/** What a shape should look like in protobuf. */
function typeOf({ i, a, ...shape }: Shape): string {
  if (i) return `repeated ${scalarTypeOf(i)}`
  return a ? `map<string, ${scalarTypeOf(a)}` : `optional ${scalarTypeOf(shape)}`
}

function scalarTypeOf({ r, t = '', f }: Shape): string {
  if (r !== undefined) return protoNameOf(nameOfReference(r))
  const types: Record<string, string> = { byte: 'bytes', boolean: 'bool', number: 'double' }
  return types[f ?? t] ?? f ?? t
}
