import type { Secret } from '#base/secret.ts'
import type { CertificateAndKey } from './bundle.ts'
import { adminCertificate } from './certificates.ts'

/** How a cluster is reached, and as whom. */
export interface TalosContext {
  /** Hosts, `host:port` or URLs. */
  readonly endpoints: readonly string[]
  /** The machines that are asked when none is named. */
  readonly nodes: readonly string[]
  /** Certificates of the authority, PEM. */
  readonly ca?: string
  /** The client's certificate, PEM. */
  readonly certificate?: string
  readonly key?: Secret<string>
  readonly basic?: { readonly username: string; readonly password: Secret<string> }
  /** For Omni: by whom requests are signed. */
  readonly siderov1?: { readonly identity: string }
  readonly cluster?: string
  /** May hold a password. */
  readonly proxyUrl?: Secret<string>
}

/** What talosctl keeps in `~/.talos/config`. */
export interface Talosconfig {
  /** The name of the one that is used; '' if none is. */
  readonly context: string
  readonly contexts: ReadonlyMap<string, TalosContext>
}

export interface TalosconfigOptions {
  readonly clusterName: string
  readonly endpoints: readonly string[]
  readonly nodes?: readonly string[]
  /** Of the Talos API. */
  readonly ca: CertificateAndKey
  /** Left out: `os:admin`. */
  readonly roles?: readonly string[]
  /** Left out: a year. */
  readonly lifetimeMs?: number
  readonly now: Date
}

/** A talosconfig with one context, named after the cluster, and a new certificate. */
export async function talosconfigFor(options: TalosconfigOptions): Promise<Talosconfig> {
  const { clusterName, endpoints, nodes = [], ca, roles = ['os:admin'] } = options
  const { certificate, key } = await adminCertificate({ ...options, roles })
  const context = { endpoints, nodes, ca: ca.certificate, certificate, key }
  return { context: clusterName, contexts: new Map([[clusterName, context]]) }
}

interface Merged {
  readonly config: Talosconfig
  /** Names that were taken already, with the ones that they were given. */
  readonly renamed: ReadonlyMap<string, string>
}

/** Both in one; the context of the second is used, under the name that it has now. */
export function mergeTalosconfigs(first: Talosconfig, second: Talosconfig): Merged {
  const contexts = new Map(first.contexts)
  const names = new Map<string, string>()
  for (const [name, context] of second.contexts) {
    const free = freeName(name, contexts)
    names.set(name, free)
    contexts.set(free, context)
  }
  const context = second.context === '' ? first.context : (names.get(second.context) ?? '')
  const renamed = new Map([...names].filter(([name, free]) => name !== free))
  return { config: { context, contexts }, renamed }
}

function freeName(name: string, taken: ReadonlyMap<string, unknown>): string {
  if (!taken.has(name)) return name
  let number = 1
  while (taken.has(`${name}-${number}`)) number += 1
  return `${name}-${number}`
}
