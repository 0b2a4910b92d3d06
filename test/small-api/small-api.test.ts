import { once } from 'node:events'
import { access } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { Agent, request } from 'node:https'
import { TLSSocket } from 'node:tls'
import { expect, test } from 'vitest'
import { createAuthority } from '#test/conformance/kubernetes/certificates.ts'
import { connect } from '#test/conformance/kubernetes/https-json.ts'
import { callRaw } from './raw-client.ts'
import { defaultResources } from './resources.ts'
import { startSmallApi } from './small-api.ts'

const MAPS = '/api/v1/namespaces/default/configmaps'
const UNAUTHORIZED = {
  ...{ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure' },
  ...{ message: 'Unauthorized', reason: 'Unauthorized', code: 401 },
}

test('every default resource is served, and found by discovery', async () => {
  await using api = await startSmallApi()

  for (const { group, version, plural, kind } of defaultResources) {
    const root = group ? `/apis/${group}/${version}` : `/api/${version}`
    const { status, body } = await api.send({ method: 'GET', path: `${root}/${plural}` })
    expect({ status, kind: Object(body).kind }).toEqual({ status: 200, kind: `${kind}List` })
    expect((await api.send({ method: 'GET', path: root })).body).toMatchObject({
      resources: expect.arrayContaining([expect.objectContaining({ name: plural, kind })]),
    })
  }
})

test('versions grow over all resources together', async () => {
  await using api = await startSmallApi()
  const paths = [MAPS, MAPS.replace('configmaps', 'secrets'), '/api/v1/namespaces', MAPS]

  const versions: number[] = []
  for (const [index, path] of paths.entries()) {
    const body = { metadata: { name: `n${index}` } }
    const answer = await api.send({ method: 'POST', path, body })
    versions.push(Number(Object(answer.body).metadata.resourceVersion))
  }
  const [first = 0] = versions
  expect(versions).toEqual([first, first + 1, first + 2, first + 3])
})

test('a token is good for as long as the test says so', async () => {
  await using api = await startSmallApi()
  api.tokens.add('good')
  const statusFor = async (token: string) =>
    (await callRaw(api.kubeconfig, { path: MAPS, token })).status

  expect(await statusFor('good')).toBe(200)
  expect(await statusFor('bad')).toBe(401)
  api.tokens.delete('good')
  expect(await statusFor('good')).toBe(401)
})

test('a certificate of somebody else is none', async () => {
  await using api = await startSmallApi()
  const stranger = await (await createAuthority()).issueClient('admin', 'system:masters')
  const send = connect(api.url, api.ca, stranger)

  expect(await send({ method: 'GET', path: MAPS })).toMatchObject({
    status: 401,
    body: UNAUTHORIZED,
  })
  expect((await send({ method: 'GET', path: '/readyz' })).status).toBe(200)
})

test('nobody gets in by resuming a session that had no certificate', async () => {
  await using api = await startSmallApi()
  const agent = new Agent({ ca: api.ca, maxVersion: 'TLSv1.3' })
  const visit = async () => {
    const outgoing = request(new URL(MAPS, api.url), { agent }).end()
    const [incoming]: IncomingMessage[] = await once(outgoing, 'response')
    const { socket } = outgoing
    const isResumed = socket instanceof TLSSocket && socket.isSessionReused()
    incoming?.resume()
    await once(outgoing, 'close')
    return { status: incoming?.statusCode, isResumed }
  }

  expect(await visit()).toEqual({ status: 401, isResumed: false })
  expect(await visit()).toEqual({ status: 401, isResumed: true })
})

test('every request is on record', async () => {
  await using api = await startSmallApi()
  const start = Date.now()
  await api.send({ method: 'GET', path: `${MAPS}?limit=5` })
  await api.send({ method: 'DELETE', path: `${MAPS}/one` })

  expect(api.log).toEqual([
    { method: 'GET', path: `${MAPS}?limit=5`, user: 'admin', when: expect.any(Number) },
    { method: 'DELETE', path: `${MAPS}/one`, user: 'admin', when: expect.any(Number) },
  ])
  expect(api.log[0]?.when).toBeGreaterThanOrEqual(start)
})

test('an apply may be written in YAML', async () => {
  await using api = await startSmallApi()
  const path = `${MAPS}/one?fieldManager=me`
  const outgoing = request(new URL(path, api.url), {
    method: 'PATCH',
    ca: api.ca,
    cert: api.admin.certificate,
    key: api.admin.key,
    headers: { 'content-type': 'application/apply-patch+yaml' },
  })
  outgoing.end('apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: one\ndata:\n  a: b\n')
  const [incoming]: IncomingMessage[] = await once(outgoing, 'response')

  expect(incoming?.statusCode).toBe(201)
  const { body } = await api.send({ method: 'GET', path: `${MAPS}/one` })
  expect(body).toMatchObject({ data: { a: 'b' } })
})

test('nothing of it is left when it is disposed of', async () => {
  const api = await startSmallApi()
  await callRaw(api.kubeconfig, { path: `${MAPS}?watch=true` })

  await api[Symbol.asyncDispose]()

  await expect(api.send({ method: 'GET', path: '/readyz' })).rejects.toThrow('ECONNREFUSED')
  await expect(access(api.kubeconfig)).rejects.toThrow('ENOENT')
})
