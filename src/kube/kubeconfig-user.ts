import { dirname, resolve } from 'node:path'
import type { Clock } from '#base/clock.ts'
import type { ApiAccess, Credentials } from './access.ts'
import { type ClusterForPlugin, execCredentials } from './exec-credentials.ts'
import { followFiles, type Source } from './followed-files.ts'
import type { Entry } from './kubeconfig-files.ts'
import { clientCertificate, decodeBase64 } from './kubeconfig-pem.ts'
import { parseAs, User } from './kubeconfig-schema.ts'
import { followToken, tokenIn } from './token-file.ts'

interface Surroundings {
  cluster: ClusterForPlugin
  env: Record<string, string | undefined>
  clock: Clock
}

/**
 * Who a user of a kubeconfig is and how it proves that. Throws, naming it, for what is missing,
 * broken or not supported. An exec plugin does not run before credentials are asked for.
 */
export async function identityOf(
  { file, content }: Entry,
  what: string,
  { signal, ...surroundings }: Surroundings & { signal: AbortSignal },
): Promise<Pick<ApiAccess, 'credentials' | 'impersonate'>> {
  const user = parseAs(User, content, what)
  refuseOldWays(user, what)
  const own = { what, folder: dirname(file), ...surroundings }
  const impersonate = impersonationOf(user, what)
  const plugin = pluginOf(user, own)
  const written = [certificateOf(user, own), tokenOf(user, own)]
  // A file that is missing or broken is told at the start, and not with the first request.
  await Promise.all(written.map((source) => source?.({ renew: false, signal })))
  return {
    credentials: all([plugin, ...written]),
    ...(impersonate && { impersonate }),
  }
}

interface Own extends Surroundings {
  what: string
  folder: string
}

function refuseOldWays(user: User, what: string): void {
  if (user.username || user.password) {
    throw new Error(
      `${what} has a username or password, which Kubernetes accepts no more; ` +
        'use a token, a client certificate or an exec plugin',
    )
  }
  if (user['auth-provider']) {
    throw new Error(
      `${what} has an auth-provider, which kubectl dropped in favour of exec plugins; ` +
        'have its kubeconfig written anew by the tool that made it',
    )
  }
}

/** What is written down goes before what a plugin says, as with kubectl. */
const all =
  (sources: (Source<Credentials> | undefined)[]): Source<Credentials> =>
  async (options) => {
    const found = await Promise.all(sources.map((source) => source?.(options)))
    const [plugin, certificate, token] = found
    return { ...plugin, ...certificate, ...token }
  }

function pluginOf(user: User, { what, ...own }: Own): Source<Credentials> | undefined {
  return user.exec && execCredentials({ plugin: user.exec, what, ...own })
}

function tokenOf(user: User, { what, folder, clock }: Own): Source<Credentials> | undefined {
  if (user.tokenFile) {
    const follow = followToken(resolve(folder, user.tokenFile), `tokenFile of ${what}`, clock)
    return async (options) => ({ token: await follow(options) })
  }
  if (!user.token) return undefined
  const token = tokenIn(user.token, `token of ${what}`)
  return async () => ({ token })
}

type Part = 'client-certificate' | 'client-key'

function certificateOf(user: User, { what, folder, clock }: Own): Source<Credentials> | undefined {
  const certificate = partOf(user, 'client-certificate', { what, folder })
  const key = partOf(user, 'client-key', { what, folder })
  if (!certificate && !key) return undefined
  if (!certificate || !key) {
    throw new Error(`${what} needs both, a client-certificate and its client-key`)
  }
  const parts = [certificate, key]
  const names = { certificate: certificate.name, key: key.name }
  const parse = (texts: string[]) => {
    const [first = '', second = ''] = parts.map(({ inline }) => inline ?? texts.shift() ?? '')
    return clientCertificate({ certificate: first, key: second }, names)
  }
  const paths = parts.flatMap(({ path }) => path ?? [])
  if (paths.length === 0) {
    const both = parse([])
    return async () => ({ certificate: both })
  }
  const follow = followFiles({ paths, parse, clock })
  return async (options) => ({ certificate: await follow(options) })
}

function partOf(user: User, key: Part, { what, folder }: { what: string; folder: string }) {
  const inline = user[`${key}-data`]
  const file = user[key]
  if (inline) {
    const name = `${key}-data of ${what}`
    return { name, inline: decodeBase64(inline, name) }
  }
  if (!file) return undefined
  const path = resolve(folder, file)
  return { name: `${key} (${path}) of ${what}`, path }
}

function impersonationOf(user: User, what: string): ApiAccess['impersonate'] {
  const groups = user['as-groups'] ?? []
  if (user['as-uid'] || Object.keys(user['as-user-extra'] ?? {}).length > 0) {
    // Left out silently, the API server would see somebody else.
    throw new Error(
      `${what} has as-uid or as-user-extra, which is not supported; use as, as-groups`,
    )
  }
  if (!user.as && groups.length > 0) {
    throw new Error(`${what} has as-groups without as; say which user to act as, too`)
  }
  return user.as ? { user: user.as, groups } : undefined
}
