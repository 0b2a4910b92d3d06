import type { Release, SourceField, SourceType } from './shapes-sources.ts'

/** A field as all versions together have it. */
export interface MergedField extends SourceField {
  since: number
  /** The type that it had through an older version, where that reads other texts. */
  before?: { until: number; type: string }
}

export interface MergedType extends Omit<SourceType, 'fields'> {
  fields: MergedField[] | null
  /** The first version that has each value of an enumeration. */
  valuesSince?: number[]
}

export interface MergedDocument {
  kind: string
  type: string
  named: boolean
  since: number
}

const BASE = 13

// What v1.14 moved to another package without changing it.
const MOVED: Record<string, string> = {
  'meta.Addr': 'network.Addr',
  'meta.AddrPort': 'network.AddrPort',
  'meta.Prefix': 'network.Prefix',
  'meta.Args': 'v1alpha1.Args',
  'meta.ArgValue': 'v1alpha1.ArgValue',
  'meta.Unstructured': 'v1alpha1.Unstructured',
}

// What a struct of another module brought along, by the names that YAML had for it.
const EMBEDDED: Record<string, string[]> = {
  'specs.Mount': ['destination', 'type', 'source', 'options'],
}

// Types that read what they hold in their own way, which their Go type does not tell.
const READ_AS: Record<string, string> = {
  'v1alpha1.ClusterInlineManifest.contents': 'v1alpha1.ManifestContents',
  'x509.PEMEncodedCertificate.crt': 'x509.Certificate',
  'x509.PEMEncodedCertificateAndKey.crt': 'x509.Certificate',
  'x509.PEMEncodedCertificateAndKey.key': 'x509.Key',
  'x509.PEMEncodedKey.key': 'x509.Key',
}

const minorOf = ({ version }: Release): number => Number(version.split('.')[1])

/**
 * Lays the versions over each other: the types of v1.13 with what is new in v1.14, and since when each part
 * is there. Throws where an older version has a field that v1.13 has not: nothing was ever removed.
 */
export function mergeReleases(given: readonly Release[]): {
  documents: MergedDocument[]
  types: Map<string, MergedType>
} {
  const releases = given.map(withMovedNames)
  const base = releases.find((one) => minorOf(one) === BASE)
  const newest = releases.at(-1)
  if (!base || !newest) throw new Error('there is no v1.13 to start from')
  const history = historyOf(releases, base, newest)
  const names = [...new Set([...Object.keys(base.types), ...Object.keys(newest.types)])].sort()
  return {
    documents: newest.documents.map((one) => ({
      ...one,
      since: minorOf(releases.find((release) => hasKind(release, one.kind)) ?? newest),
    })),
    types: new Map(
      names.map((name) => [name, mergedType(name, history.get(name) ?? [], { base, newest })]),
    ),
  }
}

const hasKind = ({ documents }: Release, wanted: string): boolean =>
  documents.some(({ kind }) => kind === wanted)

function withMovedNames(release: Release): Release {
  const text = JSON.stringify(release)
  return JSON.parse(text.replaceAll(/\bmeta\.\w+/g, (name) => MOVED[name] ?? name))
}

/** The types of one version that stand where a type of ours stands. */
interface Counterpart {
  release: Release
  name: string
  type: SourceType
}

type History = Map<string, Counterpart[]>

/** Walks every version side by side with ours, so that a type that was renamed is still found. */
function historyOf(releases: readonly Release[], base: Release, newest: Release): History {
  const history: History = new Map()
  for (const release of releases) {
    const ours = minorOf(release) > BASE ? newest : base
    for (const { kind, type } of ours.documents) {
      const theirs = release.documents.find((one) => one.kind === kind)
      if (theirs) pair({ history, release, ours }, type, theirs.type)
    }
  }
  return history
}

interface Walk {
  history: History
  release: Release
  ours: Release
}

function pair(walk: Walk, ours: string, theirs: string): void {
  const { history, release } = walk
  const known = history.get(ours) ?? []
  const type = release.types[theirs]
  if (!type || known.some((one) => one.release === release && one.name === theirs)) return
  history.set(ours, [...known, { release, name: theirs, type }])
  const own = walk.ours.types[ours]
  refuseLostFields(own, { release, name: theirs, type })
  if (own?.of && type.of) pair(walk, innermost(own.of), innermost(type.of))
  for (const field of own?.fields ?? []) {
    const old = type.fields?.find(({ name }) => name === field.name)
    if (old) pair(walk, named(field.type, walk.ours), named(old.type, walk.release))
  }
}

const innermost = (type: string): string => type.replace(/^.*[\]*]/, '')

/** The struct or text that an expression is about in the end: names for lists and maps are looked through. */
function named(type: string, release: Release): string {
  const name = innermost(type)
  const of = release.types[name]?.of
  return of && release.types[innermost(of)] ? named(of, release) : name
}

function mergedType(
  name: string,
  history: readonly Counterpart[],
  { base, newest }: { base: Release; newest: Release },
): MergedType {
  const own = base.types[name]
  const next = newest.types[name]
  const type = own ?? next ?? { fields: null }
  const values = [...new Set([...(type.values ?? []), ...(next?.values ?? [])])]
  const fields = inOrder(own?.fields ?? [], next?.fields ?? [])
  return {
    ...type,
    ...(values.length > 0 && { values, valuesSince: values.map((one) => firstWith(one, own)) }),
    fields: type.fields && fields.map((field) => mergedField(name, field, history)),
  }
}

const firstWith = (value: string, own: SourceType | undefined): number =>
  own?.values?.includes(value) === false ? BASE + 1 : 5

/** Our fields, and after the one that it follows there each new one. */
function inOrder(ours: readonly SourceField[], next: readonly SourceField[]): SourceField[] {
  const merged = [...ours]
  for (const [at, field] of next.entries()) {
    if (merged.some(({ name }) => name === field.name)) continue
    const before = merged.findIndex(({ name }) => name === next[at - 1]?.name)
    merged.splice(before + 1, 0, field)
  }
  return merged
}

function mergedField(
  struct: string,
  field: SourceField,
  history: readonly Counterpart[],
): MergedField {
  const holders = history.filter(({ type }) => hasField(type, field.name))
  const newest = holders.at(-1)
  const wanted = newest && reading(field.type, newest.release)
  const last = holders.findLast(({ release, type }) => {
    const old = type.fields?.find(({ name }) => name === field.name)?.type ?? field.type
    return old !== field.type && reading(old, release) !== wanted
  })
  const before = last?.type.fields?.find(({ name }) => name === field.name)?.type
  return {
    ...field,
    type: READ_AS[`${struct}.${field.name}`] ?? field.type,
    since: Math.min(BASE + 1, ...holders.map(({ release }) => minorOf(release))),
    ...(last && before && { before: { until: minorOf(last.release), type: before } }),
  }
}

const namesIn = ({ fields }: SourceType): string[] =>
  (fields ?? []).flatMap(({ name, type }) => (name === '' ? (EMBEDDED[type] ?? []) : name))

const hasField = (type: SourceType, name: string): boolean => namesIn(type).includes(name)

function refuseLostFields(own: SourceType | undefined, { release, name, type }: Counterpart): void {
  const lost = namesIn(type).find((one) => own?.fields && !hasField(own, one))
  if (lost) {
    throw new Error(`${release.version} has ${name}.${lost}, and v1.${BASE} has not`)
  }
}

/** What decoding makes of a type: two names for one thing are equal, and so is a pointer to it. */
function reading(type: string, release: Release): string {
  const [, outer = '', inner = ''] = /^(\*|\[\]|map\[\w+\])(.*)$/.exec(type) ?? []
  if (outer !== '') return outer.replace('*', '') + reading(inner, release)
  const known = release.types[type]
  if (known?.fields) return 'struct'
  const isItsOwn = known?.methods?.some((method) => method.startsWith('Unmarshal'))
  return known?.of && !isItsOwn ? reading(known.of, release) : type
}
