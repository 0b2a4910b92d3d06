import { parseAllDocuments } from 'yaml'

/** An object of a manifest, as far as suites look at it by name. */
interface Manifest {
  kind: string
  metadata: { name: string; namespace?: string; labels?: Record<string, string> }
  rules?: unknown[]
}

/** The objects of a text, by what they are called: `Role team-a/talos-operator`. */
export function objectsIn(text: string) {
  const all = parseAllDocuments(text)
    .map((document) => document.toJS())
    .filter(Boolean)
  return new Map(all.map((one) => [titleOf(one), one]))
}

const titleOf = ({ kind, metadata: { name, namespace } }: Manifest): string =>
  `${kind} ${namespace === undefined ? '' : `${namespace}/`}${name}`

// What Helm writes on everything, for itself and for people.
const OF_HELM = ['helm.sh/chart', 'app.kubernetes.io/managed-by', 'app.kubernetes.io/version']

/** The same objects as text that is equal where two installations are: in any order, and without what Helm adds. */
export function installed(text: string): Record<string, unknown> {
  const entries = [...objectsIn(text)].map(([title, one]) => [title, plain(one)] as const)
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)))
}

function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value !== 'object' || value === null) return value
  const fields = Object.entries(value)
    .filter(([key]) => !OF_HELM.includes(key))
    .map(([key, inner]) => [key, key === 'rules' ? inOrder(inner) : plain(inner)])
  return Object.fromEntries(fields)
}

const inOrder = (rules: unknown[]): string[] => rules.map((rule) => JSON.stringify(rule)).sort()
