import type { MetadataRules } from '#apiserver/metadata/validate-metadata.ts'
import type { Resource } from '#apiserver/resource.ts'

/** The rules for the metadata of a kind's objects. */
export const metadataRulesOf = (resource: Resource): MetadataRules => ({
  namespaced: resource.namespaced,
  nameRule: resource.behaviour.nameRule ?? 'subdomain',
  isCustom: resource.isCustom,
})
