import { type Fields, fieldsAt, isFields, listAt } from '#apiserver/objects.ts'
import type { Entry, Transcript } from './transcript.ts'

export interface Known {
  /** What the case is called on this API, wherever it occurs. */
  id: string
  group: string
  host: string
}

/**
 * Replaces what cannot be equal on two servers: names of the case, uids, resourceVersions, times,
 * random suffixes, addresses, ports and hashes. What is related stays so: one uid has one
 * placeholder, and the resourceVersions of objects keep their order.
 */
export function normalised(transcript: Transcript, known: Known): Transcript {
  const context: Context = {
    known,
    revisions: revisionsIn(transcript),
    generated: generatedNames(transcript),
    uids: new Map(),
  }
  return transcript.map((entry) => normalisedEntry(entry, context))
}

interface Context {
  known: Known
  /** Each resourceVersion of an object, and its rank. */
  revisions: Map<string, string>
  /** Names that a server made up. */
  generated: Map<string, string>
  uids: Map<string, string>
}

function normalisedEntry(entry: Entry, context: Context): Entry {
  const { step, warnings, headers, body, ...rest } = entry
  return {
    step: inText(step, context),
    ...rest,
    ...(warnings && { warnings: warnings.map((text) => inText(text, context)) }),
    ...(headers && { headers: textsIn(headers, context) }),
    ...('body' in entry && { body: inValue(body, context) }),
  }
}

const textsIn = (texts: Record<string, string>, context: Context): Record<string, string> =>
  Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, inText(text, context)]))

function inValue(value: unknown, context: Context): unknown {
  if (typeof value === 'string') return inText(value, context)
  if (Array.isArray(value)) return value.map((item) => inValue(item, context))
  if (!isFields(value)) return value
  const changed = withSortedCauses(Object.fromEntries(inFields(value, context)))
  const { resourceVersion } = fieldsAt(value, 'metadata')
  if (isCollection(value) && typeof resourceVersion === 'string' && Number(resourceVersion) > 0) {
    changed.metadata = { ...fieldsAt(changed, 'metadata'), resourceVersion: '<rv of the list>' }
  }
  return changed
}

/** Kubernetes finds what is wrong with the keys of a map in random order. */
function withSortedCauses(status: Fields): Fields {
  const { message } = status
  const details = fieldsAt(status, 'details')
  const causes = listAt(details, 'causes').filter(isFields)
  if (causes.length < 2 || typeof message !== 'string') return status
  const told = [...new Set(causes.map(({ field, message: why }) => `${field}: ${why}`))].toSorted()
  return {
    ...status,
    message: withSortedSentences(message, told),
    details: {
      ...details,
      causes: causes.toSorted((one, other) => (sentenceOf(one) < sentenceOf(other) ? -1 : 1)),
    },
  }
}

/** Changes a message only if it tells exactly these sentences. */
function withSortedSentences(message: string, sentences: readonly string[]): string {
  let rest = message
  // The longest first, for one may be a part of another.
  for (const sentence of sentences.toSorted((one, other) => other.length - one.length)) {
    if (!rest.includes(sentence)) return message
    rest = rest.replace(sentence, '')
  }
  return /is invalid: \[[, ]*\]$/.test(rest)
    ? rest.replace(/\[[, ]*\]$/, () => `[${sentences.join(', ')}]`)
    : message
}

const sentenceOf = ({ field, message, reason }: Fields): string =>
  [field, message, reason].join(': ')

const inFields = (fields: Fields, context: Context): [string, unknown][] =>
  // In order, for things are numbered as they are found.
  Object.entries(fields)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([key, value]) => [
      inText(key, context),
      replacementOf(key, value, context) ??
        inValue(key === 'managedFields' ? sorted(value) : value, context),
    ])

/** Owners of fields are ordered by the second in which they wrote, which is chance. */
const sorted = (entries: unknown): unknown =>
  Array.isArray(entries)
    ? entries.toSorted((one, other) => (rankOf(one) < rankOf(other) ? -1 : 1))
    : entries

const rankOf = (entry: unknown): string => {
  const { operation, manager, subresource, apiVersion } = isFields(entry) ? entry : {}
  return [operation, manager, subresource, apiVersion].join('/')
}

/** What stands instead of a value that is known by its key. */
function replacementOf(key: string, value: unknown, { revisions }: Context): string | undefined {
  if (key === 'nodePort' && typeof value === 'number') return '<port>'
  if (key === 'healthCheckNodePort' && typeof value === 'number') return '<port>'
  if (typeof value !== 'string' || value === '') return undefined
  if (key === 'resourceVersion') return revisions.get(value)
  if (key === 'storageVersionHash') return '<hash>'
  if (key === 'continue') return '<continue>'
  return undefined
}

/** What is wrong with the fields of an applied map, too: one request that is sent 30 times gets three answers. */
const withSortedErrors = (text: string): string => {
  const [head, ...errors] = text.split('\n  ')
  return head?.endsWith(': errors:') ? [head, ...errors.toSorted()].join('\n  ') : text
}

function inText(text: string, { known, generated, uids }: Context): string {
  // Names of schemas begin with the group, read backwards.
  const backwards = known.group.split('.').toReversed().join('.')
  let changed = text.replaceAll(known.group, '<group>').replaceAll(backwards, '<puorg>')
  changed = changed.replaceAll(known.id, '<id>')
  changed = changed.replaceAll(known.host, '<host>')
  for (const [name, shown] of generated) changed = changed.replaceAll(name, shown)
  changed = changed.replace(UID, (uid) => {
    const shown = uids.get(uid) ?? `<uid ${uids.size + 1}>`
    uids.set(uid, shown)
    return shown
  })
  for (const [pattern, shown] of PATTERNS) changed = changed.replace(pattern, shown)
  return withSortedErrors(changed)
}

const UID = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g

// Times before 2020 are those that a case itself has sent.
const PATTERNS: readonly [RegExp, string][] = [
  [/\b20[2-9]\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z/g, '<time in fractions>'],
  [/\b20[2-9]\d-\d\d-\d\dT\d\d:\d\d:\d\dZ/g, '<time>'],
  [/-----BEGIN [^-]+-----[\s\S]+?-----END [^-]+-----\n?/g, '<PEM>'],
  [/\beyJ[\w-]+\.[\w-]+\.[\w-]+/g, '<token>'],
  [/\b10\.96\.\d+\.\d+\b/g, '<cluster IP>'],
  [/\bkube-api-access-[bcdfghjklmnpqrstvwxz2456789]{5}\b/g, 'kube-api-access-<suffix>'],
  [/\?hash=[0-9A-F]+/g, '?hash=<hash>'],
  [/continue=[\w%-]{20,}/g, 'continue=<continue>'],
  [/(resourceVersion\\*"?: ?\\*")[1-9]\d*/g, '$1<rv>'],
  [/resourceVersion=[1-9]\d*/g, 'resourceVersion=<rv>'],
  [/(too old resource version: \d+) \(\d+\)/gi, '$1 (<rv>)'],
  [/(in record \()\d+/g, '$1<rv>'],
  [/(too large resource version: \d+, current: )\d+/gi, '$1<rv>'],
]

/** Ranks the resourceVersions of objects. Those of lists depend on what else happens on a server. */
function revisionsIn(transcript: Transcript): Map<string, string> {
  const found = new Set<string>()
  for (const object of objectsIn(transcript)) {
    const { resourceVersion } = fieldsAt(object, 'metadata')
    if (isCollection(object) || typeof resourceVersion !== 'string') continue
    if (Number(resourceVersion) > 0) found.add(resourceVersion)
  }
  const sorted = [...found].sort((one, other) => Number(one) - Number(other))
  return new Map(sorted.map((revision, index) => [revision, `<rv ${index + 1}>`]))
}

/** Lists, tables and bookmarks: their resourceVersion is the one of the whole store. */
function isCollection(object: Fields): boolean {
  const { kind } = object
  if (kind === 'Table' || 'items' in object) return true
  const metadata = fieldsAt(object, 'metadata')
  return typeof kind === 'string' && metadata.name === undefined && metadata.uid === undefined
}

/** Without vowels, and what looks like another character. */
const SUFFIX = /^[bcdfghjklmnpqrstvwxz2456789]{5}$/

function generatedNames(transcript: Transcript): Map<string, string> {
  const names = new Map<string, string>()
  for (const object of objectsIn(transcript)) {
    const { generateName, name } = fieldsAt(object, 'metadata')
    if (typeof generateName !== 'string' || typeof name !== 'string') continue
    const suffix = name.slice(generateName.length)
    const isGenerated = name.startsWith(generateName) && SUFFIX.test(suffix)
    if (isGenerated) names.set(name, `${generateName}<suffix>`)
  }
  return names
}

function* objectsIn(value: unknown): Iterable<Fields> {
  if (typeof value !== 'object' || value === null) return
  if (isFields(value) && isFields(value.metadata)) yield value
  for (const part of Object.values(value)) yield* objectsIn(part)
}
