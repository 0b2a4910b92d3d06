import { resolve, sep } from 'node:path'
import { type Static, Type } from 'typebox'
import type { Clock } from '#base/clock.ts'
import { shareRuns } from '#base/share-runs.ts'
import type { Credentials } from './access.ts'
import { type Program, type Ran, runProgram } from './exec-credentials-run.ts'
import type { Source } from './followed-files.ts'
import { clientCertificate } from './kubeconfig-pem.ts'
import { type ExecPlugin, parseAs } from './kubeconfig-schema.ts'
import { tokenIn } from './token-file.ts'

const API_VERSIONS = ['client.authentication.k8s.io/v1', 'client.authentication.k8s.io/v1beta1']
const TIMEOUT_MS = 60_000
// So that credentials do not expire between here and the server.
const MARGIN_MS = 10_000
const MOST_HINT_CHARACTERS = 1_000

const ExecCredential = Type.Object({
  apiVersion: Type.Optional(Type.String()),
  kind: Type.Optional(Type.String()),
  status: Type.Optional(
    Type.Object({
      token: Type.Optional(Type.String()),
      clientCertificateData: Type.Optional(Type.String()),
      clientKeyData: Type.Optional(Type.String()),
      expirationTimestamp: Type.Optional(Type.String()),
    }),
  ),
})

/** What a plugin is told of the cluster if it wants to know, in the words of a kubeconfig. */
export interface ClusterForPlugin {
  server?: string
  'tls-server-name'?: string
  'insecure-skip-tls-verify'?: boolean
  'certificate-authority-data'?: string
  'proxy-url'?: string
  config?: unknown
}

interface Options {
  plugin: ExecPlugin
  /** Whose plugin it is, for errors: `user "admin" of /etc/kube/config`. */
  what: string
  /** The kubeconfig's: a command with a path in it is relative to it. */
  folder: string
  cluster: ClusterForPlugin
  env: Record<string, string | undefined>
  clock: Clock
  timeoutMs?: number
}

interface Kept {
  credentials: Credentials
  /** Left out: good until the server refuses them. */
  expiresAt?: Date
}

/**
 * Credentials that a program prints (client.authentication.k8s.io). It runs when they are asked for
 * and none are kept, once for all who ask meanwhile; they are kept until shortly before they
 * expire. Throws at once for a plugin that cannot be used; its failures say its last lines.
 */
export function execCredentials(options: Options): Source<Credentials> {
  const { clock, timeoutMs = TIMEOUT_MS } = options
  const { apiVersion, program } = programOf(options)
  const who = `the exec plugin ${JSON.stringify(program.command)} of ${options.what}`
  let kept: Kept | undefined

  const run = shareRuns(async (signal) => {
    const ran = await runProgram(program, { clock, deadlineMs: timeoutMs, signal })
    if (!ran.ok) throw failure(ran, who, options.plugin)
    return keptOf(ran.stdout, apiVersion, who)
  })
  const isGood = ({ expiresAt }: Kept) =>
    !expiresAt || clock.now().getTime() < expiresAt.getTime() - MARGIN_MS

  return async ({ renew, signal }) => {
    signal.throwIfAborted()
    if (renew) kept = undefined
    if (!kept || !isGood(kept)) kept = await run(signal)
    return kept.credentials
  }
}

function programOf(options: Options): { apiVersion: string; program: Program } {
  const { plugin, what, folder, cluster, env } = options
  const { apiVersion = '', command, args = [], interactiveMode, provideClusterInfo } = plugin
  if (!command) throw new Error(`${what} has an exec plugin without a command`)
  if (!API_VERSIONS.includes(apiVersion)) {
    throw new Error(
      `the exec plugin of ${what} needs an apiVersion of ${API_VERSIONS.join(' or ')}; ` +
        'have the kubeconfig written anew by a newer version of the tool that made it',
    )
  }
  if (interactiveMode === 'Always') {
    throw new Error(
      `the exec plugin of ${what} has interactiveMode Always, but nobody is here to answer it; ` +
        'use one that works without questions',
    )
  }
  const task = {
    apiVersion,
    kind: 'ExecCredential',
    spec: { interactive: false, ...(provideClusterInfo && { cluster }) },
  }
  const own = (plugin.env ?? []).map(({ name, value = '' }) => [name, value])
  return {
    apiVersion,
    program: {
      command: command.includes(sep) ? resolve(folder, command) : command,
      args,
      env: { ...env, ...Object.fromEntries(own), KUBERNETES_EXEC_INFO: JSON.stringify(task) },
    },
  }
}

function failure(
  ran: Extract<Ran, { ok: false }>,
  who: string,
  { installHint }: ExecPlugin,
): Error {
  const hint =
    ran.isMissing && installHint ? `:\n${installHint.slice(0, MOST_HINT_CHARACTERS)}` : ''
  const advice = ran.isMissing ? `; install it${hint}` : '; run it by hand to see why'
  const said = ran.lastLines ? `. It said:\n${ran.lastLines}` : ''
  return new Error(`${who} ${ran.problem}${advice}${said}`)
}

function keptOf(stdout: string, apiVersion: string, who: string): Kept {
  const answer = parseAs(ExecCredential, jsonIn(stdout, who), `what ${who} printed`)
  if (answer.kind !== 'ExecCredential' || answer.apiVersion !== apiVersion) {
    throw new Error(
      `${who} did not print an ExecCredential of ${apiVersion}; ` +
        'set the apiVersion that it speaks in the kubeconfig',
    )
  }
  const { status = {} } = answer
  const credentials = { ...certificateIn(status, who), ...tokenOf(status, who) }
  if (Object.keys(credentials).length === 0) {
    throw new Error(`${who} printed neither a token nor a client certificate; is it logged in?`)
  }
  const expiresAt = expiryIn(status, who)
  return { credentials, ...(expiresAt && { expiresAt }) }
}

function jsonIn(stdout: string, who: string): unknown {
  try {
    return JSON.parse(stdout)
  } catch {
    // The parser's own error quotes what it read.
    throw new Error(`${who} did not print JSON; run it by hand to see what it prints`)
  }
}

type Status = NonNullable<Static<typeof ExecCredential>['status']>

const tokenOf = ({ token }: Status, who: string): Credentials =>
  token ? { token: tokenIn(token, `status.token of ${who}`) } : {}

function certificateIn(status: Status, who: string): Credentials {
  const { clientCertificateData: certificate = '', clientKeyData: key = '' } = status
  if (!certificate && !key) return {}
  const names = {
    certificate: `status.clientCertificateData of ${who}`,
    key: `status.clientKeyData of ${who}`,
  }
  return { certificate: clientCertificate({ certificate, key }, names) }
}

function expiryIn({ expirationTimestamp }: Status, who: string): Date | undefined {
  if (!expirationTimestamp) return undefined
  const expiresAt = new Date(expirationTimestamp)
  if (/^\d{4}-\d\d-\d\d[Tt]/.test(expirationTimestamp) && !Number.isNaN(expiresAt.getTime())) {
    return expiresAt
  }
  throw new Error(`status.expirationTimestamp of ${who} is not a time like 2030-01-01T00:00:00Z`)
}
