import { ConfigError } from '#machineconfig/config-error.ts'
import type { ConfigDocument } from '#machineconfig/document.ts'
import { quote } from '#machineconfig/quote.ts'
import { sectionAt, textAt } from '#machineconfig/validate/checks/fields.ts'

const LINKS = [
  'BondConfig',
  'BridgeConfig',
  'DummyLinkConfig',
  'LinkConfig',
  'VethConfig',
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
  const links = new Map<string, string>()
  for (const document of documents.filter(({ kind }) => kind.kind !== '')) {
    const { kind, fields } = document
    const name = fields.name ?? ''
    const id = `${kind.kind}/${name}`
    if (seen.has(id)) throw new ConfigError(`duplicate document: ${id}`)
    seen.add(id)
    const rival = rivals.get(id)
    if (rival !== undefined) throw new ConfigError(`conflicting documents: ${rival} and ${id}`)
    for (const other of RIVALS.get(kind.kind) ?? []) rivals.set(`${other}/${name}`, id)
    claimLinks(document, id, links)
  }
}

/** A document may make more links than the one that it is named for. */
function claimLinks({ kind, fields }: ConfigDocument, id: string, links: Map<string, string>) {
  if (!LINKS.includes(kind.kind)) return
  const peers = kind.kind === 'VethConfig' ? [textAt(sectionAt(fields, 'peer'), 'name')] : []
  for (const name of [textAt(fields, 'name'), ...peers]) {
    const owner = links.get(name)
    if (owner !== undefined) {
      throw new ConfigError(
        `conflicting link configurations: ${owner} and ${id} both configure ${quote(name)}`,
      )
    }
    links.set(name, id)
  }
}
