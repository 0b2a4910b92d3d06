import type { Resource } from '#apiserver/resource.ts'
import { compareVersions } from './version-order.ts'

/** What discovery needs to know of a resource. */
export type Discovered = Pick<
  Resource,
  | 'group'
  | 'version'
  | 'plural'
  | 'singular'
  | 'kind'
  | 'namespaced'
  | 'shortNames'
  | 'categories'
  | 'verbs'
  | 'subresources'
  | 'stored'
  | 'isCustom'
>

export interface GroupVersions {
  /** Empty for the core group. */
  name: string
  /** The preferred one first. */
  versions: readonly { version: string; resources: readonly Discovered[] }[]
}

/**
 * The groups that are served, in the order in which Kubernetes lists them: the built-in ones as they are given, then
 * those of CRDs by name. The core group is among them.
 */
export function groupsOf(resources: readonly Discovered[]): GroupVersions[] {
  const builtin = resources.filter(({ isCustom }) => !isCustom).map(({ group }) => group)
  const custom = resources.filter(({ isCustom }) => isCustom).map(({ group }) => group)
  return [...new Set([...builtin, ...custom.toSorted()])].map((name) => ({
    name,
    versions: versionsOf(resources.filter(({ group }) => group === name)),
  }))
}

function versionsOf(resources: readonly Discovered[]): GroupVersions['versions'] {
  return [...new Set(resources.map(({ version }) => version))]
    .toSorted(compareVersions)
    .map((version) => ({
      version,
      resources: resources.filter((one) => one.version === version),
    }))
}

/** `v1` for the core group, `apps/v1` for others. */
export const groupVersionOf = (group: string, version: string): string =>
  group === '' ? version : `${group}/${version}`
