import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { TLSSocket } from 'node:tls'
import { expect, test } from 'vitest'
import type { RestServer } from '#apiserver/rest/server.ts'
import { systemClock } from '#base/clock.ts'
import { createAuthority, createKey, issueCertificate } from '#base/x509.ts'
import type { CarriedRequest } from '#kube/access.ts'
import { quietLog } from '#test/quiet-log.ts'
import { InProcessDoors } from './in-process-doors.ts'

const HOUR_MS = 3_600_000
const validity = {
  notBefore: new Date(Date.now() - HOUR_MS),
  notAfter: new Date(Date.now() + HOUR_MS),
}
const anAuthority = () => createAuthority('a cluster', createKey(), validity)
const own = anAuthority()
const other = anAuthority()
const clientOf = (authority: typeof own) =>
  issueCertificate(authority, { commonName: 'admin', usage: 'client', validity })

/** Says who asks, and for a watch no more than that it begins. */
const rest = {
  async handle({ url = '', socket }: IncomingMessage, response: ServerResponse) {
    const { authorized } = socket as TLSSocket // what the API takes it for
    response.writeHead(200, { 'content-type': 'text/plain' })
    if (!url.includes('watch')) response.end(`${authorized}`)
  },
} as RestServer // as far as it is asked

const doors = new InProcessDoors(systemClock)
const opened = await doors.open({
  ...{ rest, address: { host: '127.80.41.1', port: 6443 }, log: quietLog() },
  authority: own.certificate,
  identity: () => Promise.reject(new Error('nobody looks at it')),
})

const asking = (asked: Partial<CarriedRequest>) =>
  doors.carry({
    ...{ method: 'GET', url: new URL('https://127.80.41.1:6443/'), headers: {}, credentials: {} },
    ...{ authority: own.certificate, signal: new AbortController().signal },
    ...asked,
  })

async function textOf(asked: Partial<CarriedRequest>): Promise<string> {
  let text = ''
  for await (const chunk of (await asking(asked)).body) text += chunk
  return text
}

test('only who has a certificate of the cluster is known', async () => {
  expect(await textOf({ credentials: { certificate: clientOf(own) } })).toBe('true')
  expect(await textOf({ credentials: { certificate: clientOf(other) } })).toBe('false')
  expect(await textOf({})).toBe('false')
})

test('a cluster of another authority is not believed', async () => {
  await expect(asking({ authority: other.certificate })).rejects.toMatchObject({
    code: 'SELF_SIGNED_CERT_IN_CHAIN',
  })
  expect(await textOf({ authority: `${other.certificate}\n${own.certificate}` })).toBe('false')
})

test('where no door is, nobody listens', async () => {
  await expect(asking({ url: new URL('https://127.80.41.2:6443/') })).rejects.toMatchObject({
    code: 'ECONNREFUSED',
  })
})

test('a watch ends when its caller goes, and when the door is shut', async () => {
  const url = new URL('https://127.80.41.1:6443/?watch=1')
  const leaving = new AbortController()
  const first = await asking({ url, signal: leaving.signal })
  const second = await asking({ url })

  leaving.abort()
  expect(first.body.destroyed).toBe(true)
  expect(second.body.destroyed).toBe(false)
  const ended = expect(once(second.body, 'end')).rejects.toMatchObject({ code: 'ECONNRESET' })
  await opened[Symbol.asyncDispose]()

  await ended
  await expect(asking({})).rejects.toMatchObject({ code: 'ECONNREFUSED' })
})
