import { access } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { anApi } from '#test/an-api.ts'
import { createAuthority } from '#test/conformance/kubernetes/certificates.ts'
import { connect } from '#test/conformance/kubernetes/https-json.ts'
import { callRaw } from '#test/raw-client.ts'
import { until } from '#test/until.ts'
import { startFront, startMisbehaving } from './front.ts'

const MAPS = '/api/v1/namespaces/default/configmaps'

test('everything is handed on as it is, both ways', async () => {
  await using backing = await startMisbehaving(anApi)
  await using front = await startFront(backing)
  const contentType = 'application/apply-patch+yaml'
  const body = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'one' },
    data: { a: 'ä →' },
  }
  const path = `${MAPS}/one?fieldManager=me&force=true`

  const applied = await front.send({ method: 'PATCH', path, contentType, body })

  expect(applied).toMatchObject({ status: 201, body: { data: { a: 'ä →' } } })
  expect(await front.send({ method: 'GET', path: `${MAPS}/one` })).toEqual(
    await backing.send({ method: 'GET', path: `${MAPS}/one` }),
  )
  expect(await front.send({ method: 'GET', path: `${MAPS}/two` })).toEqual(
    await backing.send({ method: 'GET', path: `${MAPS}/two` }),
  )
  expect(backing.log[0]).toMatchObject({ method: 'PATCH', path })
})

test('whoever goes around it is not disturbed', async () => {
  await using backing = await startMisbehaving(anApi)
  await using front = await startFront(backing)
  const watch = await callRaw(backing.kubeconfig, { path: `${MAPS}?watch=true` })
  front.faults.answer({ status: 500 })
  front.faults.dropWatches()

  expect((await front.send({ method: 'GET', path: MAPS })).status).toBe(500)
  expect((await backing.send({ method: 'GET', path: MAPS })).status).toBe(200)
  expect(backing.watchers).toBe(1)
  watch.close()
})

test('a watch that the client leaves is left behind it too', async () => {
  await using backing = await startMisbehaving(anApi)
  await using front = await startFront(backing)
  const watch = await callRaw(front.kubeconfig, { path: `${MAPS}?watch=true` })
  expect([front.watchers, backing.watchers]).toEqual([1, 1])

  watch.close()

  await until(
    'no watch',
    async () => front.watchers + backing.watchers,
    (count) => count === 0,
  )
})

test('a watch ends as it ends behind it', async () => {
  await using backing = await startMisbehaving(anApi)
  await using front = await startFront(backing)
  const watch = () => callRaw(front.kubeconfig, { path: `${MAPS}?watch=true` })

  const ended = await watch()
  backing.faults.endWatches()
  expect(await ended.ended).toBe('complete')

  const broken = await watch()
  backing.faults.dropWatches()
  expect(await broken.ended).toBe('broken')
})

test('a stranger does not get through', async () => {
  await using backing = await startMisbehaving(anApi)
  await using front = await startFront(backing)
  const stranger = createAuthority().issueClient('admin', 'system:masters')
  const send = connect(front.url, front.ca, stranger)
  const { status } = await callRaw(front.kubeconfig, { path: MAPS, token: 'made-up' })

  expect(await send({ method: 'GET', path: MAPS })).toMatchObject({ status: 401 })
  expect(status).toBe(401)
  expect(backing.log.map(({ user }) => user)).toEqual(['made-up'])
})

test('nothing of it is left when it is disposed of', async () => {
  await using backing = await startMisbehaving(anApi)
  const front = await startFront(backing)
  await callRaw(front.kubeconfig, { path: `${MAPS}?watch=true` })

  await front[Symbol.asyncDispose]()

  await expect(front.send({ method: 'GET', path: MAPS })).rejects.toThrow('ECONNREFUSED')
  await expect(access(front.kubeconfig)).rejects.toThrow('ENOENT')
  await until(
    'no watch',
    async () => backing.watchers,
    (count) => count === 0,
  )
})
