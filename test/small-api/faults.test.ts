import { afterEach, beforeEach, expect, test } from 'vitest'
import { until } from '#test/until.ts'
import { callRaw, type RawAnswer } from './raw-client.ts'
import { type SmallApi, startSmallApi } from './small-api.ts'

const MAPS = '/api/v1/namespaces/default/configmaps'

let api: SmallApi
beforeEach(async () => {
  api = await startSmallApi()
})
afterEach(() => api[Symbol.asyncDispose]())

const get = (path: string) => api.send({ method: 'GET', path })
const watch = (query = '') =>
  callRaw(api.kubeconfig, { path: `${MAPS}?watch=true&allowWatchBookmarks=true&${query}` })
const seenIn = ({ lines }: RawAnswer): unknown[] =>
  lines.map((line) => {
    const { type, object } = Object(line)
    return type ? `${type} ${object.metadata?.name ?? object.reason}` : line
  })
const untilSeen = (stream: RawAnswer, ...seen: string[]) =>
  until(
    `${seen}`,
    async () => seenIn(stream),
    (now) => `${now}` === `${seen}`,
  )

test('a version that is too old can be refused with a status, and not as an event', async () => {
  const from = `resourceVersion=${Object((await get(MAPS)).body).metadata.resourceVersion}`
  await api.faults.compact()
  api.faults.refuseWatches({ as: 'status' })

  const refused = await watch(from)
  await refused.ended

  expect(refused.status).toBe(410)
  expect(JSON.parse(refused.text)).toMatchObject({ kind: 'Status', reason: 'Expired', code: 410 })
})

test('a version from the future can be gone too, as after a restored backup', async () => {
  api.faults.refuseWatches({ future: 'gone' })

  await untilSeen(await watch('resourceVersion=999999'), 'ERROR Expired')
})

test('the history is bounded', async () => {
  await using small = await startSmallApi({ historyLimit: 2 })
  const versions: string[] = []
  for (const name of ['a', 'b', 'c']) {
    const { body } = await small.send({ method: 'POST', path: MAPS, body: { metadata: { name } } })
    versions.push(Object(body).metadata.resourceVersion)
  }
  await small.send({ method: 'DELETE', path: `${MAPS}/a` })
  const from = (version = '') =>
    callRaw(small.kubeconfig, { path: `${MAPS}?watch=true&resourceVersion=${version}` })

  await untilSeen(await from(versions[0]), 'ERROR Expired')
  await untilSeen(await from(versions[1]), 'ADDED c', 'DELETED a')
})
