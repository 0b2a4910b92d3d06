import { ConfigError } from '#machineconfig/config-error.ts'
import type { ConfigDocument } from '#machineconfig/document.ts'

const LINKS = [
  'BondConfig',
  'BridgeConfig',
  'DummyLinkConfig',
  'LinkConfig',
  'VLANConfig',
  'VRFConfig',
  'WireguardConfig',
]

/** Kinds of which there may not be one of the same name. */
const RIVALS: ReadonlyMap<string, readonly string[]> = new Map([
  ...LINKS.map((kind) => [kind, LINKS.filter((other) => other !== kind)] as const),
  ['HCloudVIPConfig', ['Layer2VIPConfig']],
  ['Layer2VIPConfig', ['HCloudVIPConfig']],
  ['ExistingVolumeConfig', ['UserVolumeConfig']],
  ['UserVolumeConfig', ['ExistingVolumeConfig']],
])

/** Throws a ConfigError if documents are there twice or shut one another out. */
export function checkDocuments(documents: readonly ConfigDocument[]): void {
  const seen = new Set<string>()
  const rivals = new Map<string, string>()
  for (const { kind, fields } of documents.filter((document) => document.kind.kind !== '')) {
    const name = fields.name ?? ''
    const id = `${kind.kind}/${name}`
    if (seen.has(id)) throw new ConfigError(`duplicate document: ${id}`)
    seen.add(id)
    const rival = rivals.get(id)
    if (rival !== undefined) throw new ConfigError(`conflicting documents: ${rival} and ${id}`)
    for (const other of RIVALS.get(kind.kind) ?? []) rivals.set(`${other}/${name}`, id)
  }
}
