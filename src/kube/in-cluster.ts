import { join } from 'node:path'
import type { Clock } from '#base/clock.ts'
import type { ApiAccess } from './access.ts'
import { followAuthority } from './authority-file.ts'
import { readSmallFile } from './followed-files.ts'
import { proxyFromEnvironment } from './proxy.ts'
import { followToken } from './token-file.ts'

const LARGEST_BYTES = 1024 * 1024

interface Options {
  env: Record<string, string | undefined>
  folder?: string | undefined
  clock: Clock
  signal?: AbortSignal | undefined
}

/**
 * Access as the service account of the pod we run in; undefined where we run in none. Throws where
 * Kubernetes has announced its API but the account's files are missing or broken.
 */
export async function inClusterAccess({
  env,
  folder = '/var/run/secrets/kubernetes.io/serviceaccount',
  clock,
  signal = new AbortController().signal,
}: Options): Promise<ApiAccess | undefined> {
  const server = serverIn(env)
  if (!server) return undefined

  const read = (name: string) =>
    readSmallFile(join(folder, name), { mostBytes: LARGEST_BYTES, signal })
  const caPath = join(folder, 'ca.crt')
  const [ca, namespace] = await Promise.all([read('ca.crt'), read('namespace')])
  if (ca === undefined) {
    throw new Error(
      `this pod's service account has no ${caPath}; is automountServiceAccountToken false?`,
    )
  }
  const authority = followAuthority(caPath, caPath, clock)
  const token = followToken(join(folder, 'token'), 'the token of the service account', clock)
  await Promise.all([authority, token].map((source) => source({ renew: false, signal })))
  const proxy = proxyFromEnvironment(server, env)
  return {
    origin: `the service account of this pod (${folder})`,
    server,
    authority,
    skipVerify: false,
    ...(proxy && { proxy }),
    namespace: namespace?.trim() || 'default',
    credentials: async (options) => ({ token: await token(options) }),
  }
}

function serverIn(env: Options['env']): URL | undefined {
  const host = env.KUBERNETES_SERVICE_HOST
  const port = env.KUBERNETES_SERVICE_PORT
  if (!host || !port) return undefined
  const url = `https://${host.includes(':') ? `[${host}]` : host}:${port}`
  if (!URL.canParse(url)) {
    throw new Error(
      'KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT are no host and port; ' +
        'unset them to run outside of a cluster',
    )
  }
  return new URL(url)
}
