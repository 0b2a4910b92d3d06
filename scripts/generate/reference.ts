// One page for each kind: every field with its meaning, default and rules.

import { rootSchema } from '#api/crd.ts'
import { KubernetesCluster } from '#api/kubernetes-cluster.ts'
import type { Kind } from '#api/meta.ts'
import type { StructuralSchema } from '#api/schema.ts'
import { contractSection } from './contract-table.ts'
import { fieldsOf } from './fields.ts'
import { code, table } from './markdown.ts'
import { type GeneratedFile, MARKER } from './tree.ts'

const FOLDER = 'docs/reference'

export const referenceFiles = (kinds: readonly Kind[]): GeneratedFile[] => [
  { path: `${FOLDER}/README.md`, content: index(kinds) },
  ...kinds.map((kind) => ({ path: `${FOLDER}/${kind.stem}.md`, content: page(kind) })),
]

const index = (kinds: readonly Kind[]): string =>
  [
    `<!-- ${MARKER} -->`,
    '# Reference',
    '',
    ...table(
      ['kind', 'short', 'group', 'what it is'],
      kinds.map(({ kind, stem, shortNames, group, description }) => [
        `[${kind}](${stem}.md)`,
        code(shortNames.join(', ')),
        code(group),
        description,
      ]),
    ),
    'All kinds are namespaced and have a `status` subresource. `kubectl get talos` lists all of them.',
    '',
    'Besides: [settings](settings.md), [values of the chart](chart.md), [metrics](metrics.md), [errors](errors.md).',
    '',
  ].join('\n')

function page(kind: Kind): string {
  const names = [kind.plural, ...kind.shortNames].map(code).join(', ')
  return [
    `<!-- ${MARKER} -->`,
    `# ${kind.kind}`,
    '',
    kind.description,
    '',
    `${code(`apiVersion: ${kind.group}/${kind.version}`)}, ${code(`kind: ${kind.kind}`)}; for kubectl: ${names}.`,
    '',
    ...section('Spec', fieldTable(kind, 'spec')),
    ...section('Rules', ruleTable(kind)),
    ...section('Status', fieldTable(kind, 'status')),
    ...section(
      'Conditions',
      table(
        ['type', 'what it means when it is True'],
        Object.entries(kind.conditions).map(([type, declared]) => [
          code(type),
          typeof declared === 'string' ? declared : declared.meaning,
        ]),
      ),
    ),
    ...section(
      'Columns of kubectl get',
      table(
        ['column', 'from', 'what it shows'],
        kind.columns.map(({ name, jsonPath, description }) => [name, code(jsonPath), description]),
      ),
    ),
    ...(kind === KubernetesCluster ? contractSection() : []),
  ].join('\n')
}

const section = (title: string, body: string[]): string[] =>
  body.length > 0 ? [`## ${title}`, '', ...body] : []

function fieldTable(kind: Kind, part: 'spec' | 'status'): string[] {
  const schema = rootSchema(kind).properties?.[part] ?? {}
  const rows = fieldsOf(part, schema).map(({ path, schema: field, required }) => [
    code(path.slice(part.length + 1)),
    typeOf(field) + (required ? ', **required**' : ''),
    field.default === undefined ? '' : code(JSON.stringify(field.default)),
    [field.description ?? '', ...constraints(field)].join(' '),
  ])
  return [schema.description ?? '', '', ...table(['field', 'type', 'default', 'meaning'], rows)]
}

function ruleTable(kind: Kind): string[] {
  const root = rootSchema(kind)
  const everywhere = [{ path: '', schema: root }, ...fieldsOf('', root)]
  const ofItems = everywhere.flatMap(({ path, schema }) =>
    schema.items ? [{ path: `${path}[]`, schema: schema.items }] : [],
  )
  const rows = [...everywhere, ...ofItems].flatMap(({ path, schema }) =>
    (schema['x-kubernetes-validations'] ?? []).map(({ rule, message, fieldPath = '' }) => [
      code(`${path}${fieldPath}`.slice(1)),
      message,
      code(rule),
    ]),
  )
  if (rows.length === 0) return []
  const why = 'The API server refuses an object that breaks one of these, with this message.'
  return [why, '', ...table(['where', 'message', 'rule (CEL)'], rows)]
}

function typeOf(schema: StructuralSchema): string {
  if (schema['x-kubernetes-int-or-string']) return 'integer or string'
  if (schema.items) return `list of ${typeOf(schema.items)}`
  if (schema.additionalProperties) return `map of ${typeOf(schema.additionalProperties)}`
  if (schema.format === 'date-time') return 'time'
  return schema.type ?? 'any'
}

function constraints(schema: StructuralSchema): string[] {
  const { pattern, minLength, maxLength, minimum, maximum, maxItems } = schema.items ?? schema
  const rules: [string, unknown][] = [
    ['One of', schema.enum?.map(code).join(', ')],
    ['Pattern', pattern && code(pattern)],
    ['At least', minimum],
    ['At most', maximum],
    ['Minimum length', minLength],
    ['Maximum length', maxLength],
    ['Maximum entries', schema.maxItems ?? maxItems],
  ]
  return rules.flatMap(([label, value]) => (value === undefined ? [] : [`${label}: ${value}.`]))
}
