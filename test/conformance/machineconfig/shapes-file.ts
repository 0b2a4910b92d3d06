import { type GeneratedFile, MARKER } from '#scripts/generate/tree.ts'
import {
  type MergedDocument,
  type MergedField,
  type MergedType,
  mergeReleases,
} from './shapes-merge.ts'
import type { Release } from './shapes-sources.ts'

/** The table of shapes, one type per line, from the sources of all versions of Talos. */
export function shapesFile(releases: readonly Release[]): GeneratedFile {
  const { documents, types } = mergeReleases(releases)
  const versions = releases.map(({ version }) => version)
  const content = [
    `// ${MARKER} From Talos ${versions.join(', ')}.`,
    '// How to read it: src/machineconfig/shapes/table.ts.',
    `export const documents = \`${documents.map(documentLine).join('\n')}\``,
    `export const types = \`${mentioned(documents, types).map(typeLine).join('\n')}\``,
  ]
  return {
    path: 'src/machineconfig/shapes/generated/shapes.ts',
    content: `${content.join('\n')}\n`,
  }
}

/** Without those that are only embedded: their fields stand where they are embedded. */
function mentioned(
  documents: readonly MergedDocument[],
  types: ReadonlyMap<string, MergedType>,
): [string, MergedType][] {
  const expressions = [...types.values()].flatMap(({ fields, of = '' }) => [
    of,
    ...(fields ?? []).flatMap(({ type, before }) => [type, before?.type ?? '']),
  ])
  const words = [...expressions, ...documents.map(({ type }) => type)].map((one) =>
    one.replace(/^.*[\]*]/, ''),
  )
  return [...types].filter(([name]) => words.includes(name))
}

const sinceMark = (since: number): string => (since > 5 ? `@${since}` : '')

function documentLine({ kind, type, named, since }: MergedDocument): string {
  // The legacy document is registered under its version and written without a kind.
  const written = kind === 'v1alpha1' ? '' : kind
  return [written, type, ...(named ? ['named'] : []), sinceMark(since)].join(' ').trimEnd()
}

function typeLine([name, type]: [string, MergedType]): string {
  const { fields, values, valuesSince, hasZero, of } = type
  if (values) {
    const words = values.map((one, at) => one + sinceMark(valuesSince?.[at] ?? 5))
    return `${name}${hasZero ? '|' : '||'}${words.join(' ')}`
  }
  if (fields?.some((field) => field.name === '')) return name
  if (fields) return `${name}{${fields.map(fieldText).join(';')}}`
  return of === undefined ? name : `${name}=${of}`
}

const OMIT_MARKS = { never: '', empty: '?', nil: '~' }

function fieldText({ name, type, omit, replaced, since, before }: MergedField): string {
  const marks = [
    ...(replaced ? ['!'] : []),
    sinceMark(since),
    ...(before ? [`<${before.until + 1}=${before.type}`] : []),
  ]
  return [name + OMIT_MARKS[omit], type, ...marks.filter((mark) => mark !== '')].join(' ')
}
