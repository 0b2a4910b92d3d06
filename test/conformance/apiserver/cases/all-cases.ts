import type { Case, Subject } from '#test/conformance/apiserver/cases.ts'
import { knownReason } from '#test/conformance/apiserver/known-differences.ts'
import { accessCases } from './access.cases.ts'
import { applyCases } from './apply.cases.ts'
import { builtInsCases } from './built-ins.cases.ts'
import { changedDefinitionsCases } from './changed-definitions.cases.ts'
import { clientsCases } from './clients.cases.ts'
import { definedKindsCases } from './defined-kinds.cases.ts'
import { definitionsCases } from './definitions.cases.ts'
import { deletionsCases } from './deletions.cases.ts'
import { discoveryCases } from './discovery.cases.ts'
import { documentsCases } from './documents.cases.ts'
import { fieldValidationCases } from './field-validation.cases.ts'
import { listsCases } from './lists.cases.ts'
import { metadataCases } from './metadata.cases.ts'
import { namespacesCases } from './namespaces.cases.ts'
import { oddContentCases } from './odd-content.cases.ts'
import { openapiCases } from './openapi.cases.ts'
import { patchesCases } from './patches.cases.ts'
import { requestsCases } from './requests.cases.ts'
import { shapesCases } from './shapes.cases.ts'
import { subresourcesCases } from './subresources.cases.ts'
import { validationCases } from './validation.cases.ts'
import { warningsCases } from './warnings.cases.ts'
import { watchesCases } from './watches.cases.ts'
import { writesCases } from './writes.cases.ts'

const all: readonly Subject[] = [
  accessCases,
  applyCases,
  builtInsCases,
  changedDefinitionsCases,
  clientsCases,
  definedKindsCases,
  definitionsCases,
  deletionsCases,
  discoveryCases,
  documentsCases,
  fieldValidationCases,
  listsCases,
  metadataCases,
  namespacesCases,
  oddContentCases,
  openapiCases,
  patchesCases,
  requestsCases,
  shapesCases,
  subresourcesCases,
  validationCases,
  warningsCases,
  watchesCases,
  writesCases,
]

/** Every subject of the conformance suite. */
export const subjects: readonly Subject[] = all.map(({ subject, cases }) => ({
  subject,
  cases: cases.map((one) => {
    const differs = one.differs ?? knownReason(`${subject}: ${one.name}`)
    return { ...one, ...(differs && { differs }) }
  }),
}))

/** Every case, its subject in front of its name. */
export const allCases: readonly Case[] = subjects.flatMap(({ subject, cases }) =>
  cases.map((one) => ({ ...one, name: `${subject}: ${one.name}` })),
)

/** What the embedded API does otherwise, and why. */
export const knownDifferences: readonly { name: string; differs: string }[] = allCases.flatMap(
  ({ name, differs }) => (differs === undefined ? [] : [{ name, differs }]),
)
