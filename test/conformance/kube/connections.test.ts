import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer as createHttpsServer } from 'node:https'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { networkInterfaces, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createAuthority, createKey, issueCertificate } from '#base/x509.ts'
import { toYaml } from '#base/yaml.ts'
import type { KubeClient } from '#kube/client.ts'
import { until } from '#test/until.ts'
import { clientOf } from './client-of.ts'

let folder: string
let closing: (() => unknown)[]
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'talos-operator-connections-'))
  closing = [() => rm(folder, { recursive: true })]
})
afterEach(async () => {
  for (const close of closing.reverse()) await close()
})

async function listen(server: Server, host = '127.0.0.1'): Promise<number> {
  await once(server.listen(0, host), 'listening')
  closing.push(() => new Promise((resolve) => server.close(resolve)))
  return (server.address() as AddressInfo).port // it listens on TCP
}

/** A client as a kubeconfig with this cluster has it. */
async function clientFor(cluster: object): Promise<KubeClient> {
  const kubeconfig = join(folder, 'kubeconfig')
  const config = {
    clusters: [{ name: 'c', cluster }],
    contexts: [{ name: 'x', context: { cluster: 'c' } }],
    'current-context': 'x',
  }
  await writeFile(kubeconfig, toYaml(config))
  const client = await clientOf({ kubeconfig })
  closing.push(() => client.close())
  return client
}

describe('a connection that leads nowhere', () => {
  /** Takes connections, and may say something on the first thing that it hears, but no more. */
  async function listenInSilence(word: string) {
    const open = new Set<Socket>()
    const server = createServer((socket) => {
      open.add(socket.on('error', () => {}))
      socket.once('close', () => open.delete(socket))
      socket.once('data', () => word && socket.write(word))
    })
    return { port: await listen(server), open }
  }

  const viaProxy = (port: number) => ({
    server: 'https://192.0.2.1:6443',
    'proxy-url': `http://127.0.0.1:${port}`,
  })
  const direct = (port: number) => ({ server: `https://127.0.0.1:${port}` })

  test.each([
    ['a server that takes it and says nothing', direct, ''],
    ['a proxy that takes it and says nothing', viaProxy, ''],
    ['a proxy that agrees and then says nothing', viaProxy, 'HTTP/1.1 200 OK\r\n\r\n'],
  ])('to %s is given up at the deadline', async (_, cluster, word) => {
    const { port, open } = await listenInSilence(word)
    const client = await clientFor(cluster(port))

    const reading = client.read('/version', { deadlineMs: 300 })

    await expect(reading).rejects.toMatchObject({ status: 0, reason: 'Timeout' })
    client.close()
    await until(
      'the connection to end',
      async () => open.size,
      (count) => count === 0,
    )
  })
})

// Some containers have none.
const hasIpv6 = Object.values(networkInterfaces()).some((addresses) =>
  addresses?.some(({ address }) => address === '::1'),
)

describe.runIf(hasIpv6)('a server with an IPv6 address', () => {
  /** A certificate for `[::1]`, and the one to know it by. */
  function certificateForSix() {
    const now = Date.now()
    const validity = { notBefore: new Date(now - 60_000), notAfter: new Date(now + 600_000) }
    const authority = createAuthority('who knows six', createKey(), validity)
    const request = { commonName: 'six', usage: 'server' as const, hosts: ['::1'], validity }
    const { certificate: cert, key } = issueCertificate(authority, request)
    return { ca: authority.certificate, cert, key: key.open() }
  }

  async function startSix() {
    const { ca, cert, key } = certificateForSix()
    const server = createHttpsServer({ cert, key }, (request, response) =>
      response.end(`you asked ${request.headers.host} for ${request.url}`),
    )
    const port = await listen(server, '::1')
    const cluster = {
      server: `https://[::1]:${port}`,
      'certificate-authority-data': Buffer.from(ca).toString('base64'),
    }
    return { port, cluster }
  }

  test('is reached, and its certificate verified for that address', async () => {
    const { port, cluster } = await startSix()
    const client = await clientFor(cluster)

    expect(await client.read('/version')).toBe(`you asked [::1]:${port} for /version`)
    const other = await clientFor({ ...cluster, 'tls-server-name': 'prod.example' })
    await expect(other.read('/version')).rejects.toMatchObject({ reason: 'Unreachable' })
  })

  test('is reached through a proxy that has one, too', async () => {
    const { port, cluster } = await startSix()
    const heard: string[] = []
    const proxy = createServer((socket) => {
      socket.once('data', (chunk) => {
        heard.push(String(chunk).split('\r\n')[0] ?? '')
        const onward = connect(port, '::1', () => {
          socket.write('HTTP/1.1 200 OK\r\n\r\n')
          onward.pipe(socket).pipe(onward)
        })
        onward.on('error', () => socket.destroy())
        socket.on('error', () => onward.destroy())
      })
    })
    const proxyPort = await listen(proxy, '::1')
    const client = await clientFor({ ...cluster, 'proxy-url': `http://[::1]:${proxyPort}` })

    expect(await client.read('/version')).toContain('/version')

    expect(heard).toEqual([`CONNECT [::1]:${port} HTTP/1.1`])
  })
})
