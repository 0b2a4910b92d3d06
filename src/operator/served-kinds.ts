import { apiVersionOf, type Kind } from '#api/meta.ts'
import { delayMs } from '#base/backoff.ts'
import { type Clock, sleep } from '#base/clock.ts'
import { messageOf } from '#base/operator-error.ts'
import type { KubeClient } from '#kube/client.ts'
import { Discovery } from '#kube/discovery.ts'

const BACKOFF = { firstMs: 500, mostMs: 15_000, jitter: 0.3 }

interface Options {
  client: KubeClient
  clock: Clock
  signal: AbortSignal
  /** Told each time that it has to wait: why, in a sentence with what to do. */
  onWait: (why: string) => void
}

/** Resolves when the API serves all the kinds. Rejects with the signal's reason if it aborts first. */
export async function whenServed(kinds: readonly Kind[], options: Options): Promise<void> {
  for (let tries = 1; ; tries++) {
    const why = await whyNot(kinds, options)
    if (why === undefined) return
    options.onWait(why)
    await sleep(options.clock, delayMs(BACKOFF, tries), options.signal)
  }
}

async function whyNot(
  kinds: readonly Kind[],
  { client, clock, signal }: Options,
): Promise<string | undefined> {
  // Made anew, because one that is kept would not look again so soon.
  const discovery = new Discovery({ client, clock })
  try {
    const missing = await missingOf(kinds, discovery, signal)
    if (missing.length === 0) return undefined
    const names = missing.map(({ plural, group }) => `${plural}.${group}`).join(', ')
    return `the API does not serve ${names}; install our CRDs: talos-operator manifests | kubectl apply --server-side -f -`
  } catch (error) {
    signal.throwIfAborted()
    return messageOf(error)
  }
}

async function missingOf(
  kinds: readonly Kind[],
  discovery: Discovery,
  signal: AbortSignal,
): Promise<Kind[]> {
  const served = await Promise.all(
    kinds.map((kind) =>
      discovery.kindOf({ apiVersion: apiVersionOf(kind), kind: kind.kind }, signal),
    ),
  )
  return kinds.filter((_, index) => !served[index])
}
