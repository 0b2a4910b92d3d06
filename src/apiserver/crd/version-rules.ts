import {
  duplicateField,
  type FieldError,
  invalidField,
  jsonText,
  required,
  tooMany,
  Verbatim,
} from '#apiserver/field-error.ts'
import { dns1035Label } from '#apiserver/metadata/name-rules.ts'
import { type Fields, textAt } from '#apiserver/objects.ts'
import { isDeepEqual } from '#apiserver/ownership/compare.ts'
import type { Steps } from '#apiserver/steps.ts'
import { columnErrors } from './column-rules.ts'
import type { DefinitionVersion, ScalePaths } from './definition.ts'
import { fieldAtPath } from './field-path.ts'
import { schemaText } from './schema-dump.ts'
import { isSimplePath, simplePathErrors } from './simple-path.ts'

/** What is wrong with the versions of a CRD, their schemas aside. */
export function* versionsErrors(versions: readonly DefinitionVersion[]): Steps<FieldError[]> {
  const shared = yield* sharedParts(versions)
  const [first] = versions
  const wrong = wrongTogether(versions)
  const shown = wrong.length > 0 ? yield* versionsText(versions, shared) : ''
  return [
    ...versions.flatMap((version, index) => [
      ...ownErrors(version, `spec.versions[${index}]`),
      ...partErrors(version, `spec.versions[${index}]`, (part) => !shared[part]),
    ]),
    ...wrong.map((detail) => invalidField('spec.versions', new Verbatim(shown), detail)),
    ...(first ? nameErrors('spec.version', first.name) : []),
    ...(first ? partErrors(first, 'spec', (part) => shared[part]) : []),
  ]
}

function wrongTogether(versions: readonly DefinitionVersion[]): string[] {
  const names = new Set(versions.map(({ name }) => name))
  const stored = versions.filter(({ storage }) => storage)
  return [
    ...(names.size < versions.length ? ['must contain unique version names'] : []),
    ...(stored.length === 1 ? [] : ['must have exactly one version marked as storage version']),
  ]
}

const parts = ['schema', 'subresources', 'additionalPrinterColumns', 'selectableFields'] as const
type Part = (typeof parts)[number]

/** What is the same in all versions is kept once by Kubernetes, and errors are told of that place. */
function* sharedParts(versions: readonly DefinitionVersion[]): Steps<Record<Part, boolean>> {
  const shared = {
    schema: true,
    subresources: true,
    additionalPrinterColumns: true,
    selectableFields: true,
  }
  for (const part of parts) {
    for (const { fields } of versions) {
      shared[part] &&= yield* isDeepEqual(fields[part], versions[0]?.fields[part])
    }
  }
  return shared
}

function ownErrors({ name, deprecated, fields }: DefinitionVersion, path: string): FieldError[] {
  const warning = fields.deprecationWarning
  return [
    ...nameErrors(`${path}.name`, name),
    ...(typeof warning === 'string'
      ? warningProblems(deprecated, warning).map((problem) =>
          invalidField(`${path}.deprecationWarning`, warning, problem),
        )
      : []),
  ]
}

function nameErrors(field: string, name: string): FieldError[] {
  const problems = dns1035Label(name)
  return problems.length > 0 ? [invalidField(field, name, problems.join(','))] : []
}

function warningProblems(deprecated: boolean, warning: string): string[] {
  if (!deprecated) return ['can only be set for deprecated versions']
  const problems: string[] = []
  if (Buffer.byteLength(warning) > 256) problems.push('must be <= 256 characters long')
  if (warning === '') problems.push('must not be an empty string')
  const bad = warning.search(/[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/u)
  if (bad >= 0) {
    const at = Buffer.byteLength(warning.slice(0, bad))
    problems.push(
      `must only contain printable UTF-8 characters; non-printable character found at index ${at}`,
    )
  }
  return problems
}

function partErrors(
  version: DefinitionVersion,
  path: string,
  isTold: (part: Part) => boolean,
): FieldError[] {
  const { scale, columns, selectablePaths, schema } = version
  return [
    ...(scale && isTold('subresources') ? scaleErrors(scale, `${path}.subresources.scale`) : []),
    ...(isTold('additionalPrinterColumns')
      ? columns.flatMap((one, index) =>
          columnErrors(one, `${path}.additionalPrinterColumns[${index}]`),
        )
      : []),
    ...(isTold('selectableFields') && schema
      ? selectableErrors(selectablePaths, { ...schema }, `${path}.selectableFields`)
      : []),
  ]
}

function scaleErrors(scale: ScalePaths, path: string): FieldError[] {
  const under = (key: 'specReplicasPath' | 'statusReplicasPath', root: string): FieldError[] =>
    scale[key] === ''
      ? [required(`${path}.${key}`, '')]
      : pathErrors(scale[key], { field: `${path}.${key}`, roots: [root], words: root })
  return [
    ...under('specReplicasPath', '.spec'),
    ...under('statusReplicasPath', '.status'),
    ...(scale.labelSelectorPath === ''
      ? []
      : pathErrors(scale.labelSelectorPath, {
          field: `${path}.labelSelectorPath`,
          roots: ['.spec', '.status'],
          words: 'either .spec or .status',
        })),
  ]
}

interface Wanted {
  field: string
  roots: readonly string[]
  words: string
}

function pathErrors(path: string, { field, roots, words }: Wanted): FieldError[] {
  if (!isSimplePath(path)) return simplePathErrors(path, field)
  if (roots.some((root) => path.startsWith(`${root}.`))) return []
  return [invalidField(field, path, `should be a json path under ${words}`)]
}

const mostSelectable = 8

function selectableErrors(paths: readonly string[], schema: Fields, field: string): FieldError[] {
  const seen = new Set<string>()
  const errors = paths.flatMap((path, index) =>
    errorsOfSelectable(path, { schema, field: `${field}[${index}].jsonPath`, seen }),
  )
  if (seen.size > mostSelectable) errors.push(tooMany(field, seen.size, mostSelectable))
  return errors
}

interface Selectable {
  schema: Fields
  field: string
  seen: Set<string>
}

function errorsOfSelectable(path: string, { schema, field, seen }: Selectable): FieldError[] {
  if (path === '') return [required(field, '')]
  const found = fieldAtPath(schema, path, false)
  if ('problem' in found) return [invalidField(field, path, `is an invalid path: ${found.problem}`)]
  const errors: FieldError[] = []
  if (found.names[0] === 'metadata') {
    errors.push(invalidField(field, path, 'must not point to fields in metadata'))
  }
  if (!['string', 'boolean', 'integer'].includes(textAt(found.schema, 'type') ?? '')) {
    const detail =
      'must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.'
    errors.push(invalidField(field, path, detail))
  }
  const name = found.names.join('.')
  if (seen.has(name)) errors.push(duplicateField(field, path))
  seen.add(name)
  return errors
}

/** The versions as Kubernetes shows them in an error: its internal form. */
function* versionsText(
  versions: readonly DefinitionVersion[],
  shared: Readonly<Record<Part, boolean>>,
): Steps<string> {
  const texts: string[] = []
  for (const version of versions) texts.push(yield* versionText(version, shared))
  return `[${texts.join(',')}]`
}

function* versionText(
  version: DefinitionVersion,
  shared: Readonly<Record<Part, boolean>>,
): Steps<string> {
  const { name, served, storage, deprecated, fields, schema, scale, hasStatus } = version
  const columns = version.columns.map(
    (one) =>
      `{"Name":${jsonText(one.name ?? '')},"Type":${jsonText(one.type ?? '')},"Format":${jsonText(one.format ?? '')},"Description":${jsonText(one.description ?? '')},"Priority":${jsonText(one.priority ?? 0)},"JSONPath":${jsonText(one.jsonPath ?? '')}}`,
  )
  const scaleText = scale
    ? `{"SpecReplicasPath":${jsonText(scale.specReplicasPath)},"StatusReplicasPath":${jsonText(scale.statusReplicasPath)},"LabelSelectorPath":${jsonText(scale.labelSelectorPath || null)}}`
    : 'null'
  const isShown = (part: Part): boolean => !shared[part] && fields[part] !== undefined
  const shown: Readonly<Record<string, string>> = {
    Name: jsonText(name),
    Served: String(served),
    Storage: String(storage),
    Deprecated: String(deprecated),
    DeprecationWarning: jsonText(fields.deprecationWarning ?? null),
    Schema: isShown('schema') ? `{"OpenAPIV3Schema":${yield* schemaText(schema)}}` : 'null',
    Subresources: isShown('subresources')
      ? `{"Status":${hasStatus ? '{}' : 'null'},"Scale":${scaleText}}`
      : 'null',
    AdditionalPrinterColumns: isShown('additionalPrinterColumns')
      ? `[${columns.join(',')}]`
      : 'null',
    SelectableFields: isShown('selectableFields')
      ? `[${version.selectablePaths.map((path) => `{"JSONPath":${jsonText(path)}}`).join(',')}]`
      : 'null',
  }
  return `{${Object.entries(shown)
    .map(([key, text]) => `"${key}":${text}`)
    .join(',')}}`
}
