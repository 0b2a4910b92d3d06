import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ConfigMap } from '#api/foreign.ts'
import { toYaml } from '#base/yaml.ts'
import type { KubeClient } from '#kube/client.ts'
import { anApi } from '#test/an-api.ts'
import { FakeClock } from '#test/fake-clock.ts'
import { type MisbehavingApi, startMisbehaving } from '#test/misbehaving/front.ts'
import { until } from '#test/until.ts'
import { clientOf } from './client-of.ts'
import { type Follower, follow } from './follower.ts'
import { isWatch, isWrite } from './stage.ts'

// How often the files are looked at.
const LOOK_EVERY_MS = 5_000

let api: MisbehavingApi
let folder: string
let clock: FakeClock
let client: KubeClient | undefined
let follower: Follower | undefined
beforeEach(async () => {
  api = await startMisbehaving(anApi)
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

/** In whose name such requests came, those of the test itself left out. */
const usersOf = (meant: typeof isWatch) =>
  api.log
    .filter(({ method, path, user }) => meant(method, path) && user !== 'admin')
    .map(({ user }) => user)

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

const ACCOUNTS = '/api/v1/namespaces/default/serviceaccounts'

/** A token of an administrator, which is good for as long as its service account is there. */
async function tokenOf(name: string): Promise<string> {
  const create = (path: string, body: object) => api.send({ method: 'POST', path, body })
  await create(ACCOUNTS, { metadata: { name } })
  await create('/apis/rbac.authorization.k8s.io/v1/clusterrolebindings', {
    metadata: { name },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
    subjects: [{ kind: 'ServiceAccount', name, namespace: 'default' }],
  })
  const { body } = await create(`${ACCOUNTS}/${name}/token`, {})
  return Object(body).status.token
}

const endToken = (name: string) => api.send({ method: 'DELETE', path: `${ACCOUNTS}/${name}` })

test('a token that is replaced is shown from the next look on, and the watch goes on', async () => {
  const [first, second] = [await tokenOf('first'), await tokenOf('second')]
  await write('token', first)
  const { follower } = await followAs({ tokenFile: 'token' })
  await put('before')

  await write('token', second)
  await endToken('first')
  await clock.advance(LOOK_EVERY_MS)
  await put('after')
  await follower.toldOf('added after')

  expect(usersOf(isWrite)).toEqual([first, second])
  expect(usersOf(isWatch)).toEqual([first])
  api.faults.endWatches()
  await untilWatches(2)
  expect(usersOf(isWatch)).toEqual([first, second])
  expect(follower.failures).toEqual([])
})

test('a token that is refused before the next look is read anew at once', async () => {
  const [first, second] = [await tokenOf('first'), await tokenOf('second')]
  await write('token', first)
  const { follower } = await followAs({ tokenFile: 'token' })

  await write('token', second)
  await endToken('first')
  await put('after')
  await follower.toldOf('added after')

  expect(usersOf(isWrite)).toEqual([first, second])
  expect(usersOf(isWatch)).toEqual([first])
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
