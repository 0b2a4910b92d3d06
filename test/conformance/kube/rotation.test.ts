import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ConfigMap } from '#api/foreign.ts'
import { toYaml } from '#base/yaml.ts'
import type { KubeClient } from '#kube/client.ts'
import { FakeClock } from '#test/fake-clock.ts'
import { type SmallApi, startSmallApi } from '#test/small-api/small-api.ts'
import { until } from '#test/until.ts'
import { clientOf } from './client-of.ts'
import { type Follower, follow } from './follower.ts'
import { isWatch, isWrite } from './stage.ts'

// How often the files are looked at.
const LOOK_EVERY_MS = 5_000

let api: SmallApi
let folder: string
let clock: FakeClock
let client: KubeClient | undefined
let follower: Follower | undefined
beforeEach(async () => {
  api = await startSmallApi()
  folder = await mkdtemp(join(tmpdir(), 'talos-operator-rotation-'))
  clock = new FakeClock()
})
afterEach(async () => {
  await follower?.[Symbol.asyncDispose]()
  client?.close()
  await api[Symbol.asyncDispose]()
  await rm(folder, { recursive: true })
})

const write = (name: string, text: string) => writeFile(join(folder, name), text)

/** Follows, as a user whose credentials are in files. */
async function followAs(user: object): Promise<{ client: KubeClient; follower: Follower }> {
  const ca = Buffer.from(api.ca).toString('base64')
  const config = {
    clusters: [{ name: 'c', cluster: { server: api.url, 'certificate-authority-data': ca } }],
    users: [{ name: 'u', user }],
    contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
    'current-context': 'x',
  }
  await write('kubeconfig', toYaml(config))
  client = await clientOf({ kubeconfig: join(folder, 'kubeconfig') }, { clock })
  follower = follow(client)
  await untilWatches(1)
  return { client, follower }
}

const usersOf = (meant: typeof isWatch) =>
  api.log.filter(({ method, path }) => meant(method, path)).map(({ user }) => user)

const untilWatches = (count: number) =>
  until(
    'the watch',
    async () => usersOf(isWatch),
    ({ length }) => length === count && api.watchers === 1,
  )

const put = (name: string) =>
  client?.create(ConfigMap, {
    metadata: { namespace: 'default', name, labels: { watched: 'yes' } },
  })

test('a token that is replaced is shown from the next look on, and the watch goes on', async () => {
  await write('token', 'first')
  api.tokens.add('first').add('second')
  const { follower } = await followAs({ tokenFile: 'token' })
  await put('before')

  await write('token', 'second')
  api.tokens.delete('first')
  await clock.advance(LOOK_EVERY_MS)
  await put('after')
  await follower.toldOf('added after')

  expect(usersOf(isWrite)).toEqual(['first', 'second'])
  expect(usersOf(isWatch)).toEqual(['first'])
  api.faults.endWatches()
  await untilWatches(2)
  expect(usersOf(isWatch)).toEqual(['first', 'second'])
  expect(follower.failures).toEqual([])
})

test('a token that is refused before the next look is read anew at once', async () => {
  await write('token', 'first')
  api.tokens.add('first').add('second')
  const { follower } = await followAs({ tokenFile: 'token' })

  await write('token', 'second')
  api.tokens.delete('first')
  await put('after')
  await follower.toldOf('added after')

  expect(usersOf(isWrite)).toEqual(['first', 'second'])
  expect(usersOf(isWatch)).toEqual(['first'])
  expect(follower.failures).toEqual([])
})

test('a client certificate that is replaced is shown from the next look on, and the watch goes on', async () => {
  const writePair = async (name: string) => {
    const { certificate, key } = await api.issueAdmin(name)
    await write('client.crt', certificate)
    await write('client.key', key)
  }
  await writePair('first')
  const { follower } = await followAs({
    'client-certificate': 'client.crt',
    'client-key': 'client.key',
  })
  await put('before')

  await writePair('second')
  await clock.advance(LOOK_EVERY_MS)
  await put('after')
  await follower.toldOf('added after')

  expect(usersOf(isWrite)).toEqual(['first', 'second'])
  expect(usersOf(isWatch)).toEqual(['first'])
  api.faults.endWatches()
  await untilWatches(2)
  expect(usersOf(isWatch)).toEqual(['first', 'second'])
  expect(follower.failures).toEqual([])
})
