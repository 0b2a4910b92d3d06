import type { MetadataRules } from '#apiserver/metadata/validate-metadata.ts'
import type { Resource } from '#apiserver/resource.ts'

// Kubernetes checks the finalizers of these as it does those of custom resources.
const LENIENT = new Set(['admissionregistration.k8s.io', 'apiextensions.k8s.io'])

/** The rules for the metadata of a kind's objects. */
export const metadataRulesOf = (resource: Resource): MetadataRules => ({
  namespaced: resource.namespaced,
  nameRule: resource.behaviour.nameRule ?? 'subdomain',
  takesAnyFinalizer: resource.isCustom || LENIENT.has(resource.group),
})
