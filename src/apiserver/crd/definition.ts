import { type Fields, fieldsAt, isFields, listAt, textAt } from '#apiserver/objects.ts'
import type { Schema } from '#apiserver/schema.ts'

/** A version of a CRD, as it stands in `spec.versions`. */
export interface DefinitionVersion {
  name: string
  served: boolean
  storage: boolean
  deprecated: boolean
  schema: Schema | undefined
  hasStatus: boolean
  scale: ScalePaths | undefined
  columns: readonly Fields[]
  selectablePaths: readonly string[]
  /** As it was written. */
  fields: Fields
}

/** Where in an object its replicas are, and the selector that finds them. */
export interface ScalePaths {
  specReplicasPath: string
  statusReplicasPath: string
  labelSelectorPath: string
}

export const versionsOf = (crd: Fields): DefinitionVersion[] =>
  listAt(fieldsAt(crd, 'spec'), 'versions').filter(isFields).map(versionOf)

function versionOf(fields: Fields): DefinitionVersion {
  const subresources = fieldsAt(fields, 'subresources')
  const { scale } = subresources
  return {
    name: textAt(fields, 'name') ?? '',
    served: fields.served === true,
    storage: fields.storage === true,
    deprecated: fields.deprecated === true,
    schema: schemaIn(fields),
    hasStatus: isFields(subresources.status),
    scale: isFields(scale) ? scalePaths(scale) : undefined,
    columns: listAt(fields, 'additionalPrinterColumns').filter(isFields),
    selectablePaths: listAt(fields, 'selectableFields')
      .filter(isFields)
      .map((one) => textAt(one, 'jsonPath') ?? ''),
    fields,
  }
}

function schemaIn(version: Fields): Schema | undefined {
  const { openAPIV3Schema } = fieldsAt(version, 'schema')
  return isSchema(openAPIV3Schema) ? openAPIV3Schema : undefined
}

/** What of a schema is what it should be is told by decoding, and by the rules for definitions. */
const isSchema = (value: unknown): value is Schema => isFields(value)

const scalePaths = (scale: Fields): ScalePaths => ({
  specReplicasPath: textAt(scale, 'specReplicasPath') ?? '',
  statusReplicasPath: textAt(scale, 'statusReplicasPath') ?? '',
  labelSelectorPath: textAt(scale, 'labelSelectorPath') ?? '',
})

/** The names of a CRD, as `spec.names` and `status.acceptedNames` hold them. */
export interface Names {
  plural: string
  singular: string
  kind: string
  listKind: string
  shortNames: readonly string[]
  categories: readonly string[]
}

export const namesIn = (fields: Fields): Names => ({
  plural: textAt(fields, 'plural') ?? '',
  singular: textAt(fields, 'singular') ?? '',
  kind: textAt(fields, 'kind') ?? '',
  listKind: textAt(fields, 'listKind') ?? '',
  shortNames: listAt(fields, 'shortNames').map(String),
  categories: listAt(fields, 'categories').map(String),
})

export const conditionsOf = (crd: Fields): Fields[] =>
  listAt(fieldsAt(crd, 'status'), 'conditions').filter(isFields)

export const isTrue = (crd: Fields, type: string): boolean =>
  conditionsOf(crd).some((one) => one.type === type && one.status === 'True')

/** Fills into a CRD what was left out: names that follow from its kind, how it is converted, what is stored. */
export function defaultDefinition(crd: Fields): void {
  const { spec } = crd
  const status = fieldsAt(crd, 'status')
  const stored = versionsOf(crd).find(({ storage }) => storage)
  if (stored && listAt(status, 'storedVersions').length === 0) {
    crd.status = { ...status, storedVersions: [stored.name] }
  }
  if (!isFields(spec)) return
  const names = isFields(spec.names) ? spec.names : {}
  const kind = textAt(names, 'kind')
  if (kind && !textAt(names, 'singular')) names.singular = kind.toLowerCase()
  if (kind && !textAt(names, 'listKind')) names.listKind = `${kind}List`
  spec.names = names
  if (spec.conversion === undefined || spec.conversion === null) {
    spec.conversion = { strategy: 'None' }
  }
}

/** The status of a CRD that is new: the version that is stored, and nothing accepted yet. */
export function prepareNewDefinition(crd: Fields): void {
  const stored = versionsOf(crd).find(({ storage }) => storage)
  crd.status = {
    conditions: null,
    acceptedNames: { plural: '', kind: '' },
    storedVersions: stored ? [stored.name] : null,
  }
}

/** Keeps the status of a CRD that is changed, and remembers a new version that is stored. */
export function prepareChangedDefinition(crd: Fields, old: Fields): void {
  const status = structuredClone(fieldsAt(old, 'status'))
  const stored = versionsOf(crd).find(({ storage }) => storage)
  const before = listAt(status, 'storedVersions')
  if (stored && !before.includes(stored.name)) status.storedVersions = [...before, stored.name]
  crd.status = status
}
