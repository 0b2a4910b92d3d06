import { isDeepStrictEqual } from 'node:util'
import type { Fields } from '#apiserver/objects.ts'
import type { Resource } from '#apiserver/resource.ts'

/** Whether a change counts as one of what users want. */
export function specChanged(resource: Resource, live: Fields, next: Fields): boolean {
  const { countsAsChange } = resource.behaviour
  if (countsAsChange) return countsAsChange(next, live)
  const hasStatus = resource.subresources.some(({ name }) => name === 'status')
  const keys = new Set([...Object.keys(live), ...Object.keys(next)])
  keys.delete('metadata')
  keys.delete('apiVersion')
  keys.delete('kind')
  if (hasStatus) keys.delete('status')
  return [...keys].some((key) => !isDeepStrictEqual(live[key], next[key]))
}
