import { MADE_AS } from '#api/labels.ts'
import type { KubeObject } from '#api/meta.ts'
import { sameJson } from '#base/same-json.ts'

// What kubectl notes for itself, and what we do.
const NOTES = ['kubectl.kubernetes.io/', MADE_AS]
const PLAIN_KEY = /^[A-Za-z_][\w-]*$/

/** Where two states of an object say different things: `spec.metalSpec.machines`. Never what they say. */
export function fieldsThatDiffer(before: KubeObject, after: KubeObject): string[] {
  const [old, next] = [said(before), said(after)]
  return pathsIn(old, next, '')
}

function said({ metadata, ...object }: KubeObject): object {
  const { labels = {}, annotations = {} } = metadata
  const own = Object.entries(annotations).filter(
    ([key]) => !NOTES.some((note) => key.startsWith(note)),
  )
  return {
    ...('spec' in object && { spec: object.spec }),
    metadata: { labels, annotations: Object.fromEntries(own) },
  }
}

function pathsIn(before: unknown, after: unknown, path: string): string[] {
  if (sameJson(before, after)) return []
  if (!isMap(before) || !isMap(after)) return [path]
  const keys = new Set([...Object.keys(before), ...Object.keys(after)])
  return [...keys].sort().flatMap((key) => pathsIn(before[key], after[key], joined(path, key)))
}

function joined(path: string, key: string): string {
  if (!PLAIN_KEY.test(key)) return `${path}[${JSON.stringify(key)}]`
  return path === '' ? key : `${path}.${key}`
}

const isMap = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
