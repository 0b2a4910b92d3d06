import { dirname, resolve } from 'node:path'
import type { ApiAccess } from './access.ts'
import type { ClusterForPlugin } from './exec-credentials.ts'
import { readSmallFile } from './followed-files.ts'
import type { Entry } from './kubeconfig-files.ts'
import { checkCertificates, decodeBase64 } from './kubeconfig-pem.ts'
import { Cluster, parseAs } from './kubeconfig-schema.ts'

const LARGEST_BYTES = 1024 * 1024
// Under this name a cluster carries what its exec plugin wants to know.
const PLUGIN_EXTENSION = 'client.authentication.k8s.io/exec'

/** Where a cluster's API is and how its certificate is checked, and the same as plugins are told. */
export interface Reached {
  endpoint: Pick<ApiAccess, 'server' | 'ca' | 'serverName' | 'skipVerify' | 'proxy'>
  forPlugin: ClusterForPlugin
}

/** Reads a cluster of a kubeconfig; throws, naming it, where it cannot be used or is not safe. */
export async function clusterOf(
  { file, content }: Entry,
  what: string,
  { allowInsecure, signal }: { allowInsecure: boolean; signal: AbortSignal },
): Promise<Reached> {
  const cluster = parseAs(Cluster, content, what)
  const skipVerify = cluster['insecure-skip-tls-verify'] ?? false
  if (skipVerify && !allowInsecure) {
    throw new Error(
      `${what} has insecure-skip-tls-verify, with which anybody can pretend to be the server; ` +
        'give its certificate-authority-data instead, or allow it explicitly',
    )
  }
  const ca = await authorityOf(cluster, { what, folder: dirname(file), signal })
  const proxy = proxyOf(cluster, what)
  const serverName = cluster['tls-server-name']
  const server = serverOf(cluster, what)
  return {
    endpoint: {
      server,
      skipVerify,
      ...(ca && { ca }),
      ...(serverName && { serverName }),
      ...(proxy && { proxy }),
    },
    forPlugin: forPlugin(cluster, ca),
  }
}

function serverOf({ server = '' }: Cluster, what: string): URL {
  // Not shown: a URL may hold a password.
  const url = URL.canParse(server) ? new URL(server) : undefined
  if (url?.protocol !== 'https:') {
    throw new Error(`${what} needs a server of the form https://host:port`)
  }
  if (url.username || url.password) {
    throw new Error(`${what} has a user in its server's URL; put credentials into a user instead`)
  }
  url.search = ''
  url.hash = ''
  return url
}

function proxyOf({ 'proxy-url': proxy }: Cluster, what: string): URL | undefined {
  if (!proxy) return undefined
  const url = URL.canParse(proxy) ? new URL(proxy) : undefined
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url
  const why = url?.protocol.startsWith('socks') ? 'SOCKS is not supported' : 'this is another'
  throw new Error(`${what} needs a proxy-url of the form http://host:port or https://…: ${why}`)
}

async function authorityOf(
  cluster: Cluster,
  { what, folder, signal }: { what: string; folder: string; signal: AbortSignal },
): Promise<string | undefined> {
  const inline = cluster['certificate-authority-data']
  if (inline) {
    const key = `certificate-authority-data of ${what}`
    return checkCertificates(decodeBase64(inline, key), key)
  }
  const name = cluster['certificate-authority']
  if (!name) return undefined
  const path = resolve(folder, name)
  const pem = await readSmallFile(path, { mostBytes: LARGEST_BYTES, signal })
  if (pem === undefined) {
    throw new Error(`the certificate-authority of ${what} is missing: there is no ${path}`)
  }
  return checkCertificates(pem, `certificate-authority (${path}) of ${what}`)
}

function forPlugin(cluster: Cluster, ca: string | undefined): ClusterForPlugin {
  const config = cluster.extensions?.find(({ name }) => name === PLUGIN_EXTENSION)?.extension
  const { server, 'tls-server-name': serverName, 'proxy-url': proxy } = cluster
  return {
    ...(server && { server }),
    ...(serverName && { 'tls-server-name': serverName }),
    ...(cluster['insecure-skip-tls-verify'] && { 'insecure-skip-tls-verify': true }),
    ...(ca && { 'certificate-authority-data': Buffer.from(ca).toString('base64') }),
    ...(proxy && { 'proxy-url': proxy }),
    ...(config !== undefined && { config }),
  }
}
