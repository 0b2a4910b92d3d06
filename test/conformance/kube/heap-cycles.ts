import { getEventListeners } from 'node:events'
import { setImmediate as turn } from 'node:timers/promises'
import { ConfigMap } from '#api/foreign.ts'
import { systemClock } from '#base/clock.ts'
import { KubeClient, type Ref } from '#kube/client.ts'
import { Informer } from '#kube/informer.ts'
import { kubeconfigAccess } from '#kube/kubeconfig.ts'

// A program of its own, run with --expose-gc, so that nobody else's garbage is measured. It follows the
// namespaces of an API until it has seen so many changes, and reads some of what has changed.
const [kubeconfig = '', cycles = '', ...namespaces] = process.argv.slice(2)
const SAMPLE_EVERY = 2_000
const READ_EVERY = 4
const MOST_IN_A_ROW = 20

/** What the program prints of itself now and then, one line of JSON each time. */
export interface Sample {
  changes: number
  calls: number
  failures: number
  /** After everything that nobody holds was collected. */
  heapBytes: number
  sockets: number
  timers: number
  /** Who waits for the program to be stopped. */
  listeners: number
}

const DONE = 'done'
const stop = new AbortController()
const clock = systemClock
const client = new KubeClient({
  access: await kubeconfigAccess({ path: kubeconfig, env: {}, homeFolder: '/nowhere', clock }),
  clock,
  userAgent: 'heap-cycles',
  // Far more than there will be: nothing is to be learnt from waiting.
  limit: { perSecond: 1e6, burst: 1e6, atOnce: 32 },
})
const informer = new Informer({
  ...{ client, clock, kind: ConfigMap, namespaces, labelSelector: 'watched=yes' },
  timing: { shortestWatchMs: 0, backoff: { firstMs: 1, mostMs: 1 } },
  onState: (state) => {
    if (state.state !== 'failed') return
    failures += 1
    // A server that goes wrong now and then is what this is about; one that is not there is not.
    if (state.failures > MOST_IN_A_ROW) stop.abort(state.error)
  },
})
let changes = 0
let calls = 0
let failures = 0
informer.cache.listen(({ type, object }) => {
  if (type === 'changed') void count(object.metadata)
})
await informer.run(stop.signal)
client.close()
if (stop.signal.reason !== DONE) throw stop.signal.reason

async function count(ref: Ref): Promise<void> {
  changes += 1
  const isDue = changes % SAMPLE_EVERY === 0
  const isLast = changes === Number(cycles)
  if (changes % READ_EVERY === 0) await read(ref)
  if (isDue) await sample()
  if (isLast) stop.abort(DONE)
}

async function read({ namespace = '', name }: Ref): Promise<void> {
  const { signal } = stop
  await client.get(ConfigMap, { namespace, name }, { signal }).catch((error) => {
    // Some are still under way at the end.
    if (!signal.aborted) throw error
  })
  calls += 1
}

async function sample(): Promise<void> {
  for (let round = 0; round < 3; round++) {
    await turn()
    globalThis.gc?.()
  }
  const resources = process.getActiveResourcesInfo()
  const found = (name: RegExp) => resources.filter((resource) => name.test(resource)).length
  const taken: Sample = {
    ...{ changes, calls, failures },
    heapBytes: process.memoryUsage().heapUsed,
    sockets: found(/^(TCP|TLS)/),
    timers: found(/^Timeout/),
    listeners: getEventListeners(stop.signal, 'abort').length,
  }
  process.stdout.write(`${JSON.stringify(taken)}\n`)
}
