import type { KubeObject } from '#api/meta.ts'
import type { FileObject } from './diff-file.ts'

const NOTE = 'kubectl.kubernetes.io/last-applied-configuration'

/**
 * The merge patch that `kubectl apply` would send for an object: what it says, and away with what was applied before and
 * is not in it any more. Undefined for one that kubectl did not apply so, or leaves to the server.
 */
export function applyPatch(object: FileObject, live: KubeObject | undefined): object | undefined {
  const noted = live?.metadata.annotations?.[NOTE]
  const before = noted === undefined ? undefined : mapIn(noted)
  if (!before) return undefined
  const { metadata } = object
  // kubectl's own note is among them: they never go as a whole.
  const annotations = { ...('annotations' in metadata && Object(metadata.annotations)) }
  return withRemovals(before, { ...object, metadata: { ...metadata, annotations } })
}

function mapIn(json: string): Map | undefined {
  try {
    const value: unknown = JSON.parse(json)
    return isMap(value) ? value : undefined
  } catch {
    return undefined
  }
}

type Map = Record<string, unknown>

function withRemovals(before: Map, wanted: Map): Map {
  const kept = Object.entries(wanted).map(([key, part]) => {
    const old = Object.hasOwn(before, key) ? before[key] : undefined
    return [key, isMap(old) && isMap(part) ? withRemovals(old, part) : part]
  })
  const gone = Object.keys(before).filter((key) => !Object.hasOwn(wanted, key))
  return { ...Object.fromEntries(kept), ...Object.fromEntries(gone.map((key) => [key, null])) }
}

const isMap = (value: unknown): value is Map =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
