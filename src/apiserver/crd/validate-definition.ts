import { type FieldError, invalidField, required } from '#apiserver/field-error.ts'
import { dnsSubdomain } from '#apiserver/metadata/name-rules.ts'
import { type Fields, fieldsAt, listAt, textAt } from '#apiserver/objects.ts'
import type { Steps } from '#apiserver/steps.ts'
import { approvalErrors } from './approval.ts'
import { conversionErrors } from './conversion-rules.ts'
import { type DefinitionVersion, isTrue, namesIn, versionsOf } from './definition.ts'
import { nameErrors, scopeErrors } from './definition-names.ts'
import { definitionSchemaErrors } from './definition-schema.ts'
import { same } from './same.ts'
import { versionsErrors } from './version-rules.ts'

/**
 * What is wrong with a CRD, new or changed from `old`; metadata aside, but for its name. Defaults are
 * filled in and the status is prepared.
 */
export function* validateDefinition(crd: Fields, old: Fields | undefined): Steps<FieldError[]> {
  const spec = fieldsAt(crd, 'spec')
  const versions = versionsOf(crd)
  return [
    ...(old ? [] : ownNameErrors(crd)),
    ...groupErrors(spec),
    ...scopeErrors(spec),
    ...missingSchemas(versions),
    ...(yield* versionsErrors(versions)),
    ...nameErrors(fieldsAt(spec, 'names')),
    ...(yield* definitionSchemaErrors(versions, old ? versionsOf(old) : [])),
    ...conversionErrors(spec),
    ...(old ? immutableErrors(crd, old) : []),
    ...storedErrors(crd, versions),
    ...approvalErrors(crd, old),
    ...(spec.preserveUnknownFields === true
      ? [
          invalidField(
            'spec.preserveUnknownFields',
            true,
            'cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead',
          ),
        ]
      : []),
  ]
}

function ownNameErrors(crd: Fields): FieldError[] {
  const spec = fieldsAt(crd, 'spec')
  const name = textAt(fieldsAt(crd, 'metadata'), 'name') ?? ''
  const wanted = `${namesIn(fieldsAt(spec, 'names')).plural}.${textAt(spec, 'group') ?? ''}`
  if (name === wanted || name === '') return []
  return [invalidField('metadata.name', name, 'must be spec.names.plural+"."+spec.group')]
}

function groupErrors(spec: Fields): FieldError[] {
  const group = textAt(spec, 'group')
  if (!group) return [required('spec.group', '')]
  const problems = dnsSubdomain(group)
  if (problems.length > 0) return [invalidField('spec.group', group, problems.join(','))]
  if (group.includes('.')) return []
  return [invalidField('spec.group', group, 'should be a domain with at least one dot')]
}

const missingSchemas = (versions: readonly DefinitionVersion[]): FieldError[] =>
  versions.flatMap(({ schema }, index) =>
    schema ? [] : [required(`spec.versions[${index}].schema.openAPIV3Schema`, '')],
  )

/** What names objects and says where they are kept: for good once the CRD has been established. */
function immutableErrors(crd: Fields, old: Fields): FieldError[] {
  const [next, before] = [fieldsAt(crd, 'spec'), fieldsAt(old, 'spec')]
  const [names, oldNames] = [fieldsAt(next, 'names'), fieldsAt(before, 'names')]
  const established = isTrue(old, 'Established')
  const pairs: readonly (readonly [string, unknown, unknown])[] = [
    ...(established
      ? [
          ['spec.scope', next.scope, before.scope] as const,
          ['spec.names.kind', names.kind, oldNames.kind] as const,
        ]
      : []),
    ['spec.group', next.group, before.group],
    ['spec.names.plural', names.plural, oldNames.plural],
  ]
  return pairs
    .filter(([, now, then]) => !same(now, then))
    .map(([field, now]) => invalidField(field, now ?? '', 'field is immutable'))
}

function storedErrors(crd: Fields, versions: readonly DefinitionVersion[]): FieldError[] {
  const field = 'status.storedVersions'
  const stored = listAt(fieldsAt(crd, 'status'), 'storedVersions').map(String)
  if (stored.length === 0) {
    return [invalidField(field, null, 'must have at least one stored version')]
  }
  const missing = versions
    .filter(({ storage, name }) => storage && !stored.includes(name))
    .map(({ name }) => invalidField(field, stored, `must have the storage version ${name}`))
  const lost = stored.flatMap((name, index) =>
    versions.some((version) => version.name === name)
      ? []
      : [
          invalidField(
            `${field}[${index}]`,
            name,
            `missing from spec.versions; ${name} was previously a storage version, and must remain in spec.versions until a storage migration ensures no data remains persisted in ${name} and removes ${name} from status.storedVersions`,
          ),
        ],
  )
  return [...missing, ...lost]
}
