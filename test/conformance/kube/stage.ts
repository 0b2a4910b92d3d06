import { setImmediate as turn } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest'
import { ConfigMap } from '#api/foreign.ts'
import type { KubeObject } from '#api/meta.ts'
import type { CallerOptions } from '#kube/caller.ts'
import type { KubeClient } from '#kube/client.ts'
import type { Api, RunningApi } from '#test/conformance/apis.ts'
import type { Faults, Match } from '#test/misbehaving/faults.ts'
import { type MisbehavingApi, startFront } from '#test/misbehaving/front.ts'
import { until } from '#test/until.ts'
import { clientOf } from './client-of.ts'
import { type Follower, type FollowOptions, follow } from './follower.ts'

export const isWatch: Match = (_, path) => path.includes('watch=true')
export const isList: Match = (method, path) =>
  method === 'GET' && /\/configmaps(\?|$)/.test(path) && !isWatch(method, path)
export const isWrite: Match = (method) => method !== 'GET'

/** For `test.each`: its own way to put a text into a title quotes it and cuts it off. */
export const titled = <Case extends { what: string }>(cases: Case[]): [string, Case][] =>
  cases.map((one) => [one.what, one])

interface Parts {
  front: MisbehavingApi
  /** Goes to the API itself. */
  undisturbed: KubeClient
  namespace: string
}

/**
 * For one test: a namespace of its own in an API, a server in front of that which can be made to
 * misbehave, clients and informers that go through it, and changes made by somebody who does not.
 */
export class Stage {
  readonly faults: Faults
  readonly front: MisbehavingApi
  readonly namespace: string
  /** Every answer that clients got: `watch 410`, `list 200`; 0 where there was none. */
  readonly answers: string[] = []
  readonly #undisturbed: KubeClient
  readonly #clients: KubeClient[] = []
  readonly #followers: Follower[] = []

  constructor({ front, undisturbed, namespace }: Parts) {
    this.faults = front.faults
    this.front = front
    this.namespace = namespace
    this.#undisturbed = undisturbed
  }

  /** A client that is subject to the faults. */
  async client(options: Partial<CallerOptions> = {}): Promise<KubeClient> {
    const onAnswer: CallerOptions['onAnswer'] = (verb, status) =>
      this.answers.push(`${verb} ${status}`)
    const client = await clientOf(this.front, { onAnswer, ...options })
    this.#clients.push(client)
    return client
  }

  /** An informer of the namespace that is subject to the faults. */
  async follow(options: Partial<FollowOptions> & { client?: KubeClient } = {}): Promise<Follower> {
    const { client = await this.client(), ...rest } = options
    const follower = follow(client, { namespaces: [this.namespace], ...rest })
    this.#followers.push(follower)
    return follower
  }

  /** The same, when it has listed everything and watches. */
  async #followWell(options: Parameters<Stage['follow']>[0] = {}): Promise<Follower> {
    const follower = await this.follow(options)
    await follower.toldOf({ state: 'watching' })
    return follower
  }

  /** Somebody creates or changes an object. */
  async put(name: string, value = ''): Promise<void> {
    const metadata = { namespace: this.namespace, name, labels: { watched: 'yes' } }
    const options = { fieldManager: 'somebody', force: true }
    await this.#undisturbed.apply(ConfigMap, { metadata, data: { value } }, options)
  }

  /** Somebody deletes an object. */
  async remove(name: string): Promise<void> {
    await this.#undisturbed.remove(ConfigMap, { namespace: this.namespace, name })
  }

  /** The objects as the server has them: `name version`. */
  async stored(): Promise<string[]> {
    const selection = { namespace: this.namespace, labelSelector: 'watched=yes' }
    const { items } = await this.#undisturbed.list(ConfigMap, selection)
    return versions(items)
  }

  /** Waits until a last change is in the cache, and the cache as the server is. */
  async converged({ informer, toldOf }: Follower): Promise<void> {
    await this.put('last')
    await toldOf('added last')
    const look = async () => ({
      server: await this.stored(),
      cache: versions(informer.cache.values()),
    })
    const isSame = ({ server, cache }: { server: string[]; cache: string[] }) =>
      server.join() === cache.join()
    await until('the cache to equal the server', look, isSame)
  }

  /** Follows two objects, and has seen a third one come and go. */
  async beginning(options: Parameters<Stage['follow']>[0] = {}): Promise<Follower> {
    await this.put('changing', 'before')
    await this.put('going')
    const follower = await this.#followWell(options)
    await this.put('fleeting')
    await this.remove('fleeting')
    await follower.toldOf('removed fleeting')
    return follower
  }

  /** Of the two, one is changed and one deleted; another one is new. */
  async meanwhile(): Promise<void> {
    await this.put('changing', 'after')
    await this.remove('going')
    await this.put('coming')
  }

  /** All of that was told, once, and nothing else; and the cache is as the server is. */
  async end(follower: Follower): Promise<void> {
    await this.converged(follower)
    const before = ['added changing', 'added going', 'added fleeting', 'removed fleeting']
    const since = ['added coming', 'added last', 'changed changing', 'removed going']
    expect(follower.told.slice(0, before.length)).toEqual(before)
    expect(follower.told.slice(before.length).sort()).toEqual(since)
  }

  async close(): Promise<void> {
    for (const follower of this.#followers) await follower[Symbol.asyncDispose]()
    for (const client of this.#clients) client.close()
    await this.front[Symbol.asyncDispose]()
  }
}

const versions = (objects: Iterable<KubeObject>): string[] =>
  [...objects].map(({ metadata }) => `${metadata.name} ${metadata.resourceVersion}`).sort()

/** For a block of tests: starts the API before them, and yields a stage to each of them. */
export function stageOfBlock(start: Api['start']): () => Stage {
  let api: RunningApi | undefined
  let undisturbed: KubeClient | undefined
  let stage: Stage | undefined
  let count = 0
  const unhandled: unknown[] = []
  const onUnhandled = (error: unknown) => unhandled.push(error)

  beforeAll(async () => {
    api = await start()
    undisturbed = await clientOf(api)
    process.on('unhandledRejection', onUnhandled)
  })
  afterAll(async () => {
    process.off('unhandledRejection', onUnhandled)
    undisturbed?.close()
    await api?.[Symbol.asyncDispose]()
  })
  beforeEach(async () => {
    if (!api || !undisturbed) throw new Error('the API did not start')
    const namespace = `stage-${++count}`
    const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } }
    await api.send({ method: 'POST', path: '/api/v1/namespaces', body })
    stage = new Stage({ front: await startFront(api), undisturbed, namespace })
  })
  afterEach(async () => {
    await stage?.close()
    await turn()
    expect(unhandled.splice(0), 'rejections that nobody took').toEqual([])
  })
  return () => {
    if (!stage) throw new Error('there is a stage only while a test runs')
    return stage
  }
}
