import { dirname, resolve } from 'node:path'
import type { Clock } from '#base/clock.ts'
import type { ApiAccess } from './access.ts'
import { followAuthority } from './authority-file.ts'
import type { ClusterForPlugin } from './exec-credentials.ts'
import type { Source } from './followed-files.ts'
import type { Entry } from './kubeconfig-files.ts'
import { certificatesIn, decodeBase64 } from './kubeconfig-pem.ts'
import { Cluster, parseAs } from './kubeconfig-schema.ts'
import { parseProxy, proxyFromEnvironment } from './proxy.ts'

// Under this name a cluster carries what its exec plugin wants to know.
const PLUGIN_EXTENSION = 'client.authentication.k8s.io/exec'

/** Where a cluster's API is and how its certificate is checked, and the same as plugins are told. */
export interface Reached {
  endpoint: Pick<ApiAccess, 'server' | 'authority' | 'serverName' | 'skipVerify' | 'proxy'>
  forPlugin: ClusterForPlugin
}

interface Surroundings {
  allowInsecure: boolean
  env: Record<string, string | undefined>
  clock: Clock
  signal: AbortSignal
}

/** Reads a cluster of a kubeconfig; throws, naming it, where it cannot be used or is not safe. */
export async function clusterOf(
  { file, content }: Entry,
  what: string,
  { allowInsecure, env, clock, signal }: Surroundings,
): Promise<Reached> {
  const cluster = parseAs(Cluster, content, what)
  const skipVerify = cluster['insecure-skip-tls-verify'] ?? false
  if (skipVerify && !allowInsecure) {
    throw new Error(
      `${what} has insecure-skip-tls-verify, with which anybody can pretend to be the server; ` +
        'give its certificate-authority-data instead, or allow it explicitly',
    )
  }
  const server = serverOf(cluster, what)
  const { 'proxy-url': proxyUrl, 'tls-server-name': serverName } = cluster
  const proxy = proxyUrl
    ? parseProxy(proxyUrl, `${what} needs a proxy-url`)
    : proxyFromEnvironment(server, env)
  const authority = authorityOf(cluster, { what, folder: dirname(file), clock })
  // A file that is missing or broken is told at the start, and not with the first request.
  const ca = await authority?.({ renew: false, signal })
  return {
    endpoint: {
      server,
      skipVerify,
      ...(authority && { authority }),
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

function authorityOf(
  cluster: Cluster,
  { what, folder, clock }: { what: string; folder: string; clock: Clock },
): Source<string> | undefined {
  const inline = cluster['certificate-authority-data']
  if (inline) {
    const key = `certificate-authority-data of ${what}`
    const ca = certificatesIn(decodeBase64(inline, key), key)
    return async () => ca
  }
  const name = cluster['certificate-authority']
  if (!name) return undefined
  const path = resolve(folder, name)
  return followAuthority(path, `certificate-authority (${path}) of ${what}`, clock)
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
