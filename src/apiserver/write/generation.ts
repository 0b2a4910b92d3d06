import type { Fields } from '#apiserver/objects.ts'
import { isDeepEqual } from '#apiserver/ownership/compare.ts'
import type { Resource } from '#apiserver/resource.ts'
import type { Steps } from '#apiserver/steps.ts'

/** Whether a change counts as one of what users want. */
export function* specChanged(resource: Resource, live: Fields, next: Fields): Steps<boolean> {
  const { countsAsChange } = resource.behaviour
  if (countsAsChange) return countsAsChange(next, live)
  const hasStatus = resource.subresources.some(({ name }) => name === 'status')
  const keys = new Set([...Object.keys(live), ...Object.keys(next)])
  keys.delete('metadata')
  keys.delete('apiVersion')
  keys.delete('kind')
  if (hasStatus) keys.delete('status')
  for (const key of keys) if (!(yield* isDeepEqual(live[key], next[key]))) return true
  return false
}
