import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { Node } from '#api/foreign.ts'
import { type Clock, systemClock } from '#base/clock.ts'
import type { ApiAccess } from '#kube/access.ts'
import type { KubeClient } from '#kube/client.ts'
import { kubeconfigAccess } from '#kube/kubeconfig.ts'
import { anApi } from '#test/an-api.ts'
import { startAnsweringServer } from '#test/answering-server.ts'
import { clientOf } from '#test/conformance/kube/client-of.ts'
import { createAuthority } from '#test/conformance/kubernetes/certificates.ts'
import { FakeClock } from '#test/fake-clock.ts'
import { type MisbehavingApi, startMisbehaving } from '#test/misbehaving/front.ts'
import { quietLog } from '#test/quiet-log.ts'
import { until } from '#test/until.ts'
import { ClusterNodes } from './cluster-nodes.ts'

const CLUSTER = 'prod/a'
const READY = { type: 'Ready', status: 'True', reason: 'KubeletReady' }
const NOT_READY = { type: 'Ready', status: 'False', reason: 'KubeletNotReady' }

let closing: (() => unknown)[] = []
let changes: string[] = []
beforeEach(() => {
  changes = []
})
afterEach(async () => {
  for (const close of closing.reverse()) await close()
  closing = []
})

function clusterNodes(clock: Clock = systemClock): ClusterNodes {
  const nodes = new ClusterNodes({ clock, log: quietLog(), userAgent: 'test' })
  nodes.onChange((cluster) => changes.push(cluster))
  closing.push(() => nodes.close())
  return nodes
}

const untilApi = (nodes: ClusterNodes, is: string, reason?: string) =>
  until(
    `the API to be ${is} ${reason ?? ''}`,
    async () => nodes.seen(CLUSTER).api,
    (api) =>
      api.is === is && (reason === undefined || (api.is === 'silent' && api.reason === reason)),
  )

const untilNodes = (nodes: ClusterNodes, names: string) =>
  until(
    `the nodes ${names}`,
    async () =>
      nodes
        .seen(CLUSTER)
        .nodes.map(({ name }) => name)
        .join(),
    (seen) => seen === names,
  )

describe('of a cluster that answers', () => {
  let api: MisbehavingApi
  let client: KubeClient
  let access: ApiAccess
  beforeAll(async () => {
    api = await startMisbehaving(() => anApi())
    client = await clientOf(api)
    access = await accessTo(api.kubeconfig)
  })
  beforeEach(() => {
    api.log.length = 0
  })
  afterEach(async () => {
    const { items } = await client.list(Node)
    for (const { metadata } of items) await client.remove(Node, { name: metadata.name })
  })
  afterAll(async () => {
    client.close()
    await api[Symbol.asyncDispose]()
  })

  const accessTo = (path: string) =>
    kubeconfigAccess({ path, env: {}, homeFolder: '/nowhere', clock: systemClock })

  const makeNode = (name: string) => client.create(Node, { metadata: { name } })
  const report = (name: string, status: object) =>
    client.patch(Node, { name, subresource: 'status' }, { type: 'merge', body: { status } })

  /** Follows the cluster until its API answers. */
  async function following(): Promise<ClusterNodes> {
    const nodes = clusterNodes()
    nodes.follow(CLUSTER, { access, identity: 'a' })
    await untilApi(nodes, 'answering')
    return nodes
  }

  test('nodes and version are seen, and what becomes of them', async () => {
    await makeNode('n2')
    await makeNode('n1')
    const nodes = await following()

    const { api: answering, nodes: seen } = nodes.seen(CLUSTER)
    expect(answering).toEqual({ is: 'answering', version: expect.stringMatching(/^v1\.\d+\.\d+/) })
    expect(seen.map(({ name, ready }) => [name, ready])).toEqual([
      ['n1', false],
      ['n2', false],
    ])
    await report('n1', { conditions: [READY], nodeInfo: { kubeletVersion: 'v1.34.0' } })
    await until(
      'n1 to be ready',
      async () => nodes.seen(CLUSTER).nodes[0],
      (node) => node?.ready === true && node.kubeletVersion === 'v1.34.0',
    )
    await client.remove(Node, { name: 'n2' })
    await untilNodes(nodes, 'n1')
    await makeNode('n3')
    await untilNodes(nodes, 'n1,n3')
  })

  test('what a heartbeat changes is told to nobody', async () => {
    await makeNode('n1')
    await report('n1', { conditions: [{ ...READY, lastHeartbeatTime: '2030-01-01T00:00:00Z' }] })
    const nodes = await following()
    changes = []

    await report('n1', { conditions: [{ ...READY, lastHeartbeatTime: '2030-01-01T00:05:00Z' }] })
    await client.patch(
      Node,
      { name: 'n1' },
      { type: 'merge', body: { metadata: { labels: { a: 'b' } } } },
    )
    await makeNode('n2')
    await untilNodes(nodes, 'n1,n2')
    expect(changes).toEqual([CLUSTER])

    await report('n1', { conditions: [NOT_READY] })
    await until(
      'the change',
      async () => changes,
      (told) => told.length === 2,
    )
    expect(nodes.seen(CLUSTER).nodes[0]).toMatchObject({ ready: false, reason: 'KubeletNotReady' })
  })

  test('followed again it is the same watch; with another identity it is begun anew', async () => {
    const nodes = await following()
    const lists = () => api.log.filter(({ path }) => /nodes\?limit/.test(path)).length
    expect(lists()).toBe(1)

    nodes.follow(CLUSTER, { access: { ...access }, identity: 'a' })
    expect(nodes.seen(CLUSTER).api.is).toBe('answering')
    nodes.follow(CLUSTER, { access, identity: 'b' })
    expect(nodes.seen(CLUSTER)).toEqual({ api: { is: 'connecting' }, nodes: [] })
    await untilApi(nodes, 'answering')

    expect(lists()).toBe(2)
    await until(
      'the first watch to end',
      async () => api.watchers,
      (count) => count === 1,
    )
  })

  test('a connection that breaks once is made again, and told to nobody', async () => {
    await makeNode('n1')
    const nodes = await following()
    changes = []

    api.faults.dropWatches()
    await makeNode('n2')
    await untilNodes(nodes, 'n1,n2')

    expect(nodes.seen(CLUSTER).api.is).toBe('answering')
    expect(changes).toEqual([CLUSTER])
  })

  test('an API that is gone is silent since then, with what was seen last, until it is back', async () => {
    await makeNode('n1')
    const nodes = await following()

    await api.faults.refuseConnections(true)
    const silent = await untilApi(nodes, 'silent')
    expect(silent).toMatchObject({ reason: 'Unreachable', since: expect.any(Date) })
    expect(nodes.seen(CLUSTER).nodes).toHaveLength(1)
    await api.faults.refuseConnections(false)

    await untilApi(nodes, 'answering')
  })

  test.each([401, 403])('a %i is a refusal', async (status) => {
    const off = api.faults.answer({ status })
    const nodes = clusterNodes()
    nodes.follow(CLUSTER, { access, identity: 'a' })

    await untilApi(nodes, 'silent', 'Refused')
    off()
    await untilApi(nodes, 'answering')
  })

  test('what shows a certificate of another authority is another cluster, and is told nothing', async () => {
    const authority = async () => createAuthority().certificate
    const nodes = clusterNodes()

    nodes.follow(CLUSTER, { access: { ...access, authority }, identity: 'a' })
    const silent = await untilApi(nodes, 'silent')

    expect(silent).toMatchObject({ reason: 'Untrusted' })
    expect(api.log).toEqual([])
  })

  test('forgotten and closed, it ends its watch and tells no more', async () => {
    const nodes = await following()
    await until(
      'the watch',
      async () => api.watchers,
      (count) => count === 1,
    )
    changes = []

    nodes.forget(CLUSTER)
    await until(
      'the end of the watch',
      async () => api.watchers,
      (count) => count === 0,
    )
    await nodes.close()
    nodes.follow(CLUSTER, { access, identity: 'a' })

    expect(nodes.seen(CLUSTER).api).toEqual({ is: 'connecting' })
    expect(changes).toEqual([])
  })

  describe('a node', () => {
    const { signal } = new AbortController()

    test('is read as it is now', async () => {
      await makeNode('n1')
      const nodes = await following()
      await report('n1', { conditions: [READY] })

      expect(await nodes.readNode(CLUSTER, 'n1', signal)).toMatchObject({ name: 'n1', ready: true })
      expect(await nodes.readNode(CLUSTER, 'n2', signal)).toBeUndefined()
    })

    test('is deleted by its uid, and not another one of that name', async () => {
      const { uid = '' } = (await makeNode('n1')).metadata
      const nodes = await following()

      expect(await nodes.deleteNode(CLUSTER, { name: 'n1', uid: 'other' }, signal)).toBe('replaced')
      expect(await nodes.deleteNode(CLUSTER, { name: 'n1', uid }, signal)).toBe('deleted')
      expect(await nodes.deleteNode(CLUSTER, { name: 'n1', uid }, signal)).toBe('gone')
      await expect(nodes.deleteNode(CLUSTER, { name: 'n1', uid: '' }, signal)).rejects.toThrow(
        'has no uid',
      )
      await untilNodes(nodes, '')
    })

    test('of a cluster that is not followed cannot be asked for', async () => {
      const nodes = clusterNodes()

      await expect(nodes.readNode(CLUSTER, 'n1', signal)).rejects.toThrow('is not followed')
    })
  })
})

describe('what it costs', () => {
  const LIST = JSON.stringify({ metadata: { resourceVersion: '1' }, items: [] })

  /** An API without nodes whose watches a test ends. */
  async function anEmptyApi(versions: string[]) {
    const ends: (() => void)[] = []
    const server = await startAnsweringServer(({ url = '' }, response) => {
      if (url === '/version') {
        const gitVersion = versions.length > 1 ? versions.shift() : versions[0]
        response.end(JSON.stringify({ gitVersion }))
      } else if (url.includes('watch=')) {
        response.flushHeaders()
        ends.push(() => response.end())
      } else response.end(LIST)
    })
    closing.push(() => server[Symbol.asyncDispose]())
    return { server, ends }
  }

  test('one connection, and one question for the version whenever the watch begins', async () => {
    const clock = new FakeClock()
    const { server, ends } = await anEmptyApi(['v1.34.0', 'v1.35.0'])
    const nodes = clusterNodes(clock)

    nodes.follow(CLUSTER, { access: server.access, identity: 'a' })
    expect(await untilApi(nodes, 'answering')).toMatchObject({ version: 'v1.34.0' })
    await clock.advance(10_000)
    ends[0]?.()
    await until(
      'another version',
      async () => nodes.seen(CLUSTER).api,
      (seen) => 'version' in seen && seen.version === 'v1.35.0',
    )

    expect(server.asked.map((one) => one.replace(/\?.*watch.*/, '?watch'))).toEqual([
      'GET /api/v1/nodes?limit=500',
      'GET /version',
      'GET /api/v1/nodes?watch',
      'GET /version',
      'GET /api/v1/nodes?watch',
    ])
    expect(server.connections).toBe(1)
    expect(changes).toEqual([CLUSTER, CLUSTER])
  })

  test('when a machine answers that was not heard of, its API is tried at once', async () => {
    const clock = new FakeClock()
    let isUp = false
    const server = await startAnsweringServer(({ url = '' }, response) => {
      if (!isUp) response.writeHead(503).end()
      else if (url === '/version') response.end('{"gitVersion":"v1.34.0"}')
      else if (url.includes('watch=')) response.flushHeaders()
      else response.end(LIST)
    })
    closing.push(() => server[Symbol.asyncDispose]())
    const nodes = clusterNodes(clock)
    nodes.hear(CLUSTER)
    nodes.follow(CLUSTER, { access: server.access, identity: 'a' })
    await untilApi(nodes, 'silent')
    expect(server.asked).toHaveLength(1)

    isUp = true
    nodes.hear(CLUSTER)
    nodes.hear(CLUSTER)
    // It waits its turn like everybody else.
    await clock.advance(20)
    await untilApi(nodes, 'answering')
    nodes.hear(CLUSTER)

    expect(server.asked).toHaveLength(4)
    expect(nodes.seen(CLUSTER).api.is).toBe('answering')
  })

  test('clusters that are followed all at once are not asked all at once', async () => {
    const clock = new FakeClock()
    const { server } = await anEmptyApi(['v1.34.0'])
    const nodes = clusterNodes(clock)
    const names = [...Array(5).keys()].map((at) => `c${at}`)
    const answering = () => names.filter((name) => nodes.seen(name).api.is === 'answering')

    for (const name of names) nodes.follow(name, { access: server.access, identity: 'a' })
    await until(
      'the first',
      async () => answering(),
      (some) => some.length === 1,
    )
    expect(server.connections).toBe(1)
    await clock.advance(40)
    await until(
      'two more',
      async () => answering(),
      (some) => some.length === 3,
    )

    expect(server.connections).toBe(3)
  })

  test('who takes a connection and says nothing is given up in time, and costs no socket then', async () => {
    const open = new Set<Socket>()
    const server = createServer((socket) => {
      // One that reads nothing would not hear of the end either.
      open.add(socket.resume().on('error', () => {}))
      socket.once('close', () => open.delete(socket))
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    closing.push(() => new Promise((resolve) => server.close(resolve)))
    const { port } = server.address() as AddressInfo // it listens on TCP
    const clock = new FakeClock()
    const nodes = clusterNodes(clock)

    nodes.follow(CLUSTER, {
      access: {
        ...{ origin: 'a test', server: new URL(`https://127.0.0.1:${port}`), skipVerify: false },
        ...{ namespace: 'default', credentials: async () => ({}) },
      },
      identity: 'a',
    })
    await until(
      'the connection',
      async () => open.size,
      (count) => count === 1,
    )
    expect(nodes.seen(CLUSTER).api.is).toBe('connecting')
    await clock.advance(15_000)

    expect(nodes.seen(CLUSTER).api).toMatchObject({
      ...{ is: 'silent', reason: 'Unreachable' },
      message: `127.0.0.1:${port} does not answer: nothing comes back in time`,
    })
    await until(
      'no connection',
      async () => open.size,
      (count) => count === 0,
    )
  })
})
