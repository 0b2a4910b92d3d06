import { resolveScalar } from '#base/yaml/resolve-scalar.ts'
import type { YamlEntry, YamlMap, YamlNode } from '#base/yaml/yaml-node.ts'
import { ConfigError } from '#machineconfig/config-error.ts'
import type { Problems } from './decode-problems.ts'

/** The entries of a map with those that `<<` brings in: what is written wins, then what comes first. */
export function mergedEntries(
  map: YamlMap,
  problems: Pick<Problems, 'fatal'> = PLAIN,
): readonly YamlEntry[] {
  if (!map.entries.some(({ key }) => isMerge(key))) return map.entries
  const taken = new Set<string>()
  const merged: YamlEntry[] = []
  addEntries(map, { taken, merged, problems })
  return merged
}

const PLAIN = { fatal: (why: string): ConfigError => new ConfigError(why) }

interface Merging {
  readonly taken: Set<string>
  readonly merged: YamlEntry[]
  readonly problems: Pick<Problems, 'fatal'>
}

function addEntries({ entries }: YamlMap, merging: Merging): void {
  const { taken, merged } = merging
  const own = entries.filter(({ key }) => !isMerge(key) && !taken.has(nameOf(key)))
  for (const entry of own) {
    taken.add(nameOf(entry.key))
    merged.push(entry)
  }
  const last = entries.findLast(({ key }) => isMerge(key))
  for (const source of last ? sourcesOf(last.value, merging) : []) addEntries(source, merging)
}

function sourcesOf(node: YamlNode, { problems }: Merging): readonly YamlMap[] {
  const nodes = node.kind === 'list' ? node.items : [node]
  const maps = nodes.flatMap((one) => (one.kind === 'map' ? [one] : []))
  if (maps.length === nodes.length) return maps
  throw problems.fatal('yaml: map merge requires map or sequence of maps as the value')
}

const isMerge = (key: YamlNode): boolean =>
  key.kind === 'scalar' && key.text === '<<' && resolveScalar(key).tag === '!!merge'

const nameOf = (key: YamlNode): string => (key.kind === 'scalar' ? key.text : '')
