import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { createAuthority } from '#test/conformance/kubernetes/certificates.ts'
import { FakeClock } from '#test/fake-clock.ts'
import { inClusterAccess } from './in-cluster.ts'

const env = { KUBERNETES_SERVICE_HOST: '10.96.0.1', KUBERNETES_SERVICE_PORT: '6443' }
const asIs = { renew: false, signal: new AbortController().signal }
let ca = ''

beforeAll(async () => {
  ca = (await createAuthority()).certificate
})

async function anAccount(changes: Record<string, string | undefined> = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'in-cluster-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const files = { 'ca.crt': ca, token: 'first\n', namespace: 'talos-system\n', ...changes }
  for (const [name, text] of Object.entries(files)) {
    if (text !== undefined) await writeFile(join(folder, name), text)
  }
  return folder
}

test('outside of a pod there is none', async () => {
  const clock = new FakeClock()

  expect(await inClusterAccess({ env: {}, clock })).toBeUndefined()
  expect(await inClusterAccess({ env: { KUBERNETES_SERVICE_HOST: 'x' }, clock })).toBeUndefined()
  expect(
    await inClusterAccess({ env: { ...env, KUBERNETES_SERVICE_PORT: '' }, clock }),
  ).toBeUndefined()
})

test('in a pod it is that of the service account', async () => {
  const folder = await anAccount()

  const access = await inClusterAccess({ env, folder, clock: new FakeClock() })

  expect(access).toMatchObject({
    origin: `the service account of this pod (${folder})`,
    server: new URL('https://10.96.0.1:6443'),
    skipVerify: false,
    namespace: 'talos-system',
  })
  expect(await access?.authority?.(asIs)).toBe(ca)
  expect((await access?.credentials(asIs))?.token?.open()).toBe('first')
})

test('a rotated token is taken over', async () => {
  const folder = await anAccount()
  const clock = new FakeClock()
  const access = await inClusterAccess({ env, folder, clock })

  await writeFile(join(folder, 'token'), 'second')
  await clock.advance(5_000)

  expect((await access?.credentials(asIs))?.token?.open()).toBe('second')
})

test('a rotated CA is taken over', async () => {
  const folder = await anAccount()
  const clock = new FakeClock()
  const access = await inClusterAccess({ env, folder, clock })
  const both = `${ca}${(await createAuthority()).certificate}`

  await writeFile(join(folder, 'ca.crt'), both)
  await clock.advance(5_000)

  expect(await access?.authority?.(asIs)).toBe(both)
})

test('the proxy of the environment is used, unless it excepts the API', async () => {
  const folder = await anAccount()
  const proxied = { ...env, HTTPS_PROXY: 'http://proxy:3128' }
  const hostOf = async (more: object) =>
    (await inClusterAccess({ env: { ...proxied, ...more }, folder, clock: new FakeClock() }))?.proxy
      ?.host

  expect(await hostOf({})).toBe('proxy:3128')
  expect(await hostOf({ NO_PROXY: '10.96.0.0/12' })).toBeUndefined()
})

test('an IPv6 host stands in brackets', async () => {
  const access = await inClusterAccess({
    env: { KUBERNETES_SERVICE_HOST: 'fd00::1', KUBERNETES_SERVICE_PORT: '443' },
    folder: await anAccount(),
    clock: new FakeClock(),
  })

  expect(access?.server.href).toBe('https://[fd00::1]/')
})

test.each([
  [{ 'ca.crt': undefined }, /has no .*ca\.crt; is automountServiceAccountToken false/],
  [{ 'ca.crt': 'hunter2' }, /ca\.crt is not a certificate in PEM form/],
  [{ token: undefined }, /cannot read .*token: there is no such file/],
  [{ token: '' }, /the token of the service account .* is empty/],
])('an account that lacks something is told: %j', async (changes, message) => {
  const folder = await anAccount(changes)

  await expect(inClusterAccess({ env, folder, clock: new FakeClock() })).rejects.toThrow(message)
})

test('without a namespace file it is the default namespace', async () => {
  const folder = await anAccount({ namespace: undefined })

  const access = await inClusterAccess({ env, folder, clock: new FakeClock() })

  expect(access?.namespace).toBe('default')
})

test('a host or port that is none is told', async () => {
  const wrong = { ...env, KUBERNETES_SERVICE_PORT: 'tcp://10.96.0.1:443' }

  await expect(inClusterAccess({ env: wrong, clock: new FakeClock() })).rejects.toThrow(
    'KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT are no host and port',
  )
})

test('it can be given up', async () => {
  const signal = AbortSignal.abort(new Error('enough'))
  const folder = await anAccount()

  await expect(inClusterAccess({ env, folder, clock: new FakeClock(), signal })).rejects.toThrow(
    'enough',
  )
})
