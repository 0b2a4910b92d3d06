import type { Clock } from '#base/clock.ts'
import type { ApiAccess } from './access.ts'
import { clusterOf } from './kubeconfig-cluster.ts'
import { type Entry, type Kubeconfigs, type Places, readKubeconfigs } from './kubeconfig-files.ts'
import { Context, parseAs } from './kubeconfig-schema.ts'
import { identityOf } from './kubeconfig-user.ts'

const MOST_NAMES = 10

interface Options extends Places {
  /** Left out: the current context. */
  context?: string | undefined
  /** Whether insecure-skip-tls-verify is accepted. */
  allowInsecure?: boolean | undefined
  clock: Clock
  signal?: AbortSignal | undefined
}

/**
 * Access as a context of a kubeconfig says: the file at `path`, or those of KUBECONFIG merged as
 * kubectl does, or the one at home. Reads and checks everything but exec plugins, which run when
 * credentials are asked for. Errors name the entry and the file, and show no secret.
 */
export async function kubeconfigAccess(options: Options): Promise<ApiAccess> {
  const { env, clock, allowInsecure = false } = options
  const signal = options.signal ?? new AbortController().signal
  const all = await readKubeconfigs(options, signal)
  const { origin, cluster, user, namespace = 'default' } = choose(all, options.context)

  const { endpoint, forPlugin } = await clusterOf(cluster.entry, cluster.what, {
    allowInsecure,
    env,
    clock,
    signal,
  })
  const identity = user
    ? await identityOf(user.entry, user.what, { cluster: forPlugin, env, clock, signal })
    : { credentials: async () => ({}) }
  return { origin, namespace, ...endpoint, ...identity }
}

function choose(all: Kubeconfigs, wanted: string | undefined) {
  const name = wanted || all.currentContext
  if (!name) {
    throw new Error(
      `no context chosen, and ${all.files.join(', ')} has no current-context; ${choiceOf(
        all.contexts,
      )}`,
    )
  }
  const context = find(all.contexts, name, { what: 'context', wantedBy: all.files.join(', ') })
  const { cluster, user, namespace } = parseAs(Context, context.entry.content, context.what)
  const wantedBy = context.what
  if (!cluster) throw new Error(`${context.what} names no cluster`)
  return {
    origin: context.what,
    namespace,
    cluster: find(all.clusters, cluster, { what: 'cluster', wantedBy }),
    user: user ? find(all.users, user, { what: 'user', wantedBy }) : undefined,
  }
}

/** An entry by its name, with the words that say which one it is. */
function find(
  entries: Map<string, Entry>,
  name: string,
  { what, wantedBy }: { what: string; wantedBy: string },
) {
  const entry = entries.get(name)
  const quoted = `${what} ${JSON.stringify(name)}`
  if (!entry) throw new Error(`${wantedBy} has no ${quoted}; ${choiceOf(entries)}`)
  return { entry, what: `${quoted} of ${entry.file}` }
}

function choiceOf(entries: Map<string, Entry>): string {
  const names = [...entries.keys()]
  if (names.length === 0) return 'there is none at all'
  const shown = names.slice(0, MOST_NAMES).map((name) => JSON.stringify(name))
  return `there is ${shown.join(', ')}${names.length > MOST_NAMES ? ' and more' : ''}`
}
