import { type Fields, fieldsAt, isFields, textAt } from '#apiserver/objects.ts'
import type { Behaviour, Resource, Subresource } from '#apiserver/resource.ts'
import type { Schema } from '#apiserver/schema.ts'
import { decodeCustomObject } from './decode.ts'
import { fillDefaults, setDefaults } from './default.ts'
import { type DefinitionVersion, isTrue, namesIn, versionsOf } from './definition.ts'
import { finalizerWarnings } from './finalizer-warnings.ts'
import { type JsonPath, jsonPath } from './json-path.ts'
import { printed, printerOf } from './printer.ts'
import { prune } from './prune.ts'
import { type CustomKind, validateCustom } from './validate-custom.ts'

const verbs = [
  'delete',
  'deletecollection',
  'get',
  'list',
  'patch',
  'create',
  'update',
  'watch',
] as const
const subresourceVerbs = ['get', 'patch', 'update'] as const

const anything: Schema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }

/** Every version of a CRD that is served, as a resource; none until it is established. */
export function resourcesOf(crd: Fields): Resource[] {
  if (!isTrue(crd, 'Established')) return []
  const versions = versionsOf(crd)
  const stored = versions.find(({ storage }) => storage)
  if (!stored) return []
  return versions.filter(({ served }) => served).map((version) => resourceOf(crd, version, stored))
}

function resourceOf(crd: Fields, version: DefinitionVersion, stored: DefinitionVersion): Resource {
  const spec = fieldsAt(crd, 'spec')
  const group = textAt(spec, 'group') ?? ''
  const names = namesIn(fieldsAt(fieldsAt(crd, 'status'), 'acceptedNames'))
  const schema = version.schema ?? anything
  const { kind, plural } = names
  const apiVersion = `${group}/${version.name}`
  return {
    group,
    version: version.name,
    ...names,
    namespaced: spec.scope === 'Namespaced',
    verbs,
    subresources: subresourcesOf(version, group, kind),
    schema,
    decode: (given, text, options) =>
      decodeCustomObject({ group, version: version.name, kind, schema, ...options }, text, given),
    behaviour: behaviourOf(version, { apiVersion, kind, schema, scale: version.scale }),
    stored: { group, plural, version: stored.name },
    ...(stored !== version && { conversion: conversionOf(group, version, stored) }),
    isCustom: true,
  }
}

function subresourcesOf(
  { name, hasStatus, scale }: DefinitionVersion,
  group: string,
  kind: string,
): Subresource[] {
  const shared = { verbs: subresourceVerbs }
  return [
    ...(hasStatus ? [{ ...shared, name: 'status', kind, group, version: name }] : []),
    ...(scale
      ? [{ ...shared, name: 'scale', kind: 'Scale', group: 'autoscaling', version: 'v1' }]
      : []),
  ]
}

/** Nothing but the version changes; what the other version does not know is lost on the way. */
function conversionOf(
  group: string,
  version: DefinitionVersion,
  stored: DefinitionVersion,
): NonNullable<Resource['conversion']> {
  const as = (object: Fields, { name, schema = anything }: DefinitionVersion): Fields => {
    const converted = structuredClone(object)
    converted.apiVersion = `${group}/${name}`
    prune(schema, converted)
    return converted
  }
  return {
    toStored: (object) => as(object, stored),
    // Defaults are those of the version that is stored: the other's are set when somebody writes.
    fromStored: (object) => {
      setDefaults(stored.schema ?? anything, object)
      return as(object, version)
    },
  }
}

function behaviourOf(version: DefinitionVersion, custom: CustomKind): Behaviour {
  const { hasStatus, columns, selectablePaths } = version
  return {
    fillDefaults: (object) => fillDefaults(custom.schema, object),
    prepareCreate: (object) => {
      if (hasStatus) delete object.status
    },
    prepareUpdate: (object, old, { subresource }) => {
      if (subresource === 'status') keepAllButStatus(object, old)
      else if (hasStatus) keepStatus(object, old)
    },
    *check(object, old, context) {
      const errors = yield* validateCustom(custom, object, { old, context })
      if (errors.length === 0 && context.subresource !== 'status') {
        for (const warning of finalizerWarnings(object, old)) context.warn(warning)
      }
      return errors
    },
    hasGeneration: true,
    selectableFields: selectableFieldsOf(selectablePaths),
    printer: printerOf(columns),
    allowsUnconditionalUpdate: false,
    allowsCreateOnUpdate: false,
  }
}

function keepStatus(object: Fields, old: Fields): void {
  if (Object.hasOwn(old, 'status')) object.status = old.status
  else delete object.status
}

/** A write to the status changes that, and who owns which of its fields; no other metadata. */
function keepAllButStatus(object: Fields, old: Fields): void {
  const { status } = object
  const { managedFields, resourceVersion } = fieldsAt(object, 'metadata')
  for (const key of Object.keys(object)) delete object[key]
  Object.assign(object, structuredClone(old))
  const { managedFields: _, ...metadata } = fieldsAt(object, 'metadata')
  object.metadata = {
    ...metadata,
    ...(managedFields !== undefined && { managedFields }),
    ...(resourceVersion !== undefined && { resourceVersion }),
  }
  if (status === undefined) delete object.status
  else object.status = status
}

const selectableFieldsOf = (
  paths: readonly string[],
): Readonly<Record<string, (object: Fields) => string>> =>
  Object.fromEntries(
    paths.map((path) => {
      const find = jsonPath(path)
      return [path.replace(/^\./, ''), (object: Fields) => textFound(find, object)]
    }),
  )

function textFound(find: JsonPath, object: Fields): string {
  const [value] = find(object)
  return value === undefined || value === null ? '' : printed(value)
}

/** What is said to those who use a version that is deprecated; undefined if it is not. */
export function deprecationWarning(crd: Fields, name: string): string | undefined {
  const versions = versionsOf(crd)
  const version = versions.find((one) => one.name === name)
  if (!version?.deprecated) return undefined
  const own = textAt(version.fields, 'deprecationWarning')
  if (own) return own
  const spec = fieldsAt(crd, 'spec')
  const group = textAt(spec, 'group') ?? ''
  const { kind } = namesIn(isFields(spec.names) ? spec.names : {})
  const [newest] = versions
    .filter((one) => one.served && !one.deprecated && isNewer(one.name, name))
    .sort((a, b) => (isNewer(a.name, b.name) ? -1 : 1))
  const said = `${group}/${name} ${kind} is deprecated`
  return newest ? `${said}; use ${group}/${newest.name} ${kind}` : said
}

/** As Kubernetes orders versions: v2, v1, v1beta2, v1beta1, v1alpha1, and then any others. */
function isNewer(a: string, b: string): boolean {
  const [left, right] = [rankOf(a), rankOf(b)]
  const at = left.findIndex((value, index) => value !== right[index])
  return at < 0 ? a < b : (left[at] ?? 0) > (right[at] ?? 0)
}

function rankOf(version: string): number[] {
  const match = /^v(\d+)(?:(alpha|beta)(\d+))?$/.exec(version)
  if (!match) return [0, 0, 0]
  const [, major, stage, minor] = match
  const stages: Readonly<Record<string, number>> = { alpha: 1, beta: 2 }
  return [stages[stage ?? ''] ?? 3, Number(major), Number(minor ?? 0)]
}
