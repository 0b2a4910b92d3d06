/** What is known of the API that a text comes from. */
export interface Origin {
  /** The namespace of the case, and a part of each name outside of it. */
  id: string
  /** Where the API listens. */
  server: string
  /** The folder of the case. */
  folder: string
}

/**
 * Replaces what cannot be equal on two servers (ages, times, uids, resourceVersions, addresses, ports,
 * tokens, keys, random suffixes), and the widths of columns, which follow from those.
 */
export function normalisedText(text: string, { id, server, folder }: Origin): string {
  let changed = text.replaceAll(id, '<id>').replaceAll(server, '<server>')
  changed = changed.replaceAll(new URL(server).host, '<host>').replaceAll(folder, '<folder>')
  for (const [pattern, shown] of PATTERNS) changed = changed.replace(pattern, shown)
  return changed
}

const PATTERNS: readonly [RegExp, string][] = [
  [/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g, '<uid>'],
  [/\b20\d\d-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?(Z| [+-]\d{4})/g, '<time>'],
  [/\b[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} 20\d\d \d\d:\d\d:\d\d [+-]\d{4}/g, '<time>'],
  [/X509SHA256=[0-9a-f]{64}/g, 'X509SHA256=<hash>'],
  [/-----BEGIN [^-]+-----[\s\S]+?-----END [^-]+-----\n?/g, '<PEM>'],
  [/\beyJ[\w-]+\.[\w-]+\.[\w-]+/g, '<token>'],
  [/\b10\.96\.\d+\.\d+\b/g, '<cluster IP>'],
  [/(resourceVersion"?: ?")[1-9]\d*/g, '$1<rv>'],
  [/(resourceVersion=)[1-9]\d*/g, '$1<rv>'],
  [/(Resource Version:\s+)\d+/g, '$1<rv>'],
  [/(nodePort"?:? +)\d+/gi, '$1<port>'],
  [/:3\d{4}\/(TCP|UDP)/g, ':<port>/$1'],
  [/\b127\.0\.0\.1:\d{4,5}\b/g, '<listening>'],
  [/\/tmp\/(LIVE|MERGED|kubectl-edit)-\d+/g, '/tmp/$1-<n>'],
  [/^(CreationTimestamp|Age|AGE): .*$/gm, '$1: <age>'],
  // An age stands in a column of its own, or after a dash in the words of a describe.
  [/(?<=\s{2}|\t|^)(\d+d)?(\d+h)?(\d+m)?\d+(ms|s|m|h|d)(?=\s|$)/gm, '<age>'],
  [/(?<=\()(x\d+ over )?\d+s(?=\))/g, '<age>'],
  [/(?<=\S) {2,}/g, '  '],
  [/ +$/gm, ''],
]
