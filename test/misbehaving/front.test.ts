import { access } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { connect } from '#test/conformance/kubernetes/https-json.ts'
import { callRaw } from '#test/small-api/raw-client.ts'
import { startSmallApi } from '#test/small-api/small-api.ts'
import { until } from '#test/until.ts'
import { startFront } from './front.ts'

const MAPS = '/api/v1/namespaces/default/configmaps'

test('everything is handed on as it is, both ways', async () => {
  await using backing = await startSmallApi()
  await using front = await startFront(backing)
  const contentType = 'application/apply-patch+yaml'
  const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'one' }, data: { ä: '→' } }
  const path = `${MAPS}/one?fieldManager=me&force=true`

  const applied = await front.send({ method: 'PATCH', path, contentType, body })

  expect(applied).toMatchObject({ status: 201, body: { data: { ä: '→' } } })
  expect(await front.send({ method: 'GET', path: `${MAPS}/one` })).toEqual(
    await backing.send({ method: 'GET', path: `${MAPS}/one` }),
  )
  expect(await front.send({ method: 'GET', path: `${MAPS}/two` })).toEqual(
    await backing.send({ method: 'GET', path: `${MAPS}/two` }),
  )
  expect(backing.log[0]).toMatchObject({ method: 'PATCH', path })
})

test('whoever goes around it is not disturbed', async () => {
  await using backing = await startSmallApi()
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
  await using backing = await startSmallApi()
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
  await using backing = await startSmallApi()
  await using front = await startFront(backing)
  const watch = () => callRaw(front.kubeconfig, { path: `${MAPS}?watch=true` })

  const ended = await watch()
  backing.faults.endWatches()
  expect(await ended.ended).toBe('complete')

  const broken = await watch()
  backing.faults.dropWatches()
  expect(await broken.ended).toBe('broken')
})

test('a stranger gets no connection', async () => {
  await using backing = await startSmallApi()
  await using front = await startFront(backing)
  const send = connect(front.url, front.ca, backing.admin)

  await expect(send({ method: 'GET', path: MAPS })).rejects.toThrow()
  expect(front.log).toEqual([])
})

test('nothing of it is left when it is disposed of', async () => {
  await using backing = await startSmallApi()
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
