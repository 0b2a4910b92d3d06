import { afterAll, beforeAll, expect, test } from 'vitest'
import { type AnApi, anApi } from '#test/an-api.ts'
import { until } from '#test/until.ts'

const SECRETS = '/api/v1/namespaces/default/secrets'
const ACCOUNTS = '/api/v1/namespaces/default/serviceaccounts'

let api: AnApi

beforeAll(async () => {
  api = await anApi()
})
afterAll(() => api?.[Symbol.asyncDispose]())

const secretFor = (account: string) => ({
  metadata: { name: account, annotations: { 'kubernetes.io/service-account.name': account } },
  type: 'kubernetes.io/service-account-token',
})

const get = (path: string) => api.send({ method: 'GET', path })

const token = async (name: string): Promise<string> => {
  const { body } = await until(
    'the token',
    () => get(`${SECRETS}/${name}`),
    ({ body }) => Object(Object(body).data).token !== undefined,
  )
  return Buffer.from(Object(Object(body).data).token, 'base64').toString()
}

const review = async (text: string) => {
  const path = '/apis/authentication.k8s.io/v1/tokenreviews'
  const { body } = await api.send({ method: 'POST', path, body: { spec: { token: text } } })
  return Object(body).status
}

test('a Secret that asks for the token of an account gets one that is good, and goes with the account', async () => {
  await api.send({ method: 'POST', path: ACCOUNTS, body: { metadata: { name: 'robot' } } })
  await api.send({ method: 'POST', path: SECRETS, body: secretFor('robot') })

  const text = await token('robot')
  expect(await review(text)).toMatchObject({
    authenticated: true,
    user: { username: 'system:serviceaccount:default:robot' },
  })

  await api.send({ method: 'DELETE', path: `${ACCOUNTS}/robot` })
  await until(
    'the Secret to go',
    () => get(`${SECRETS}/robot`),
    ({ status }) => status === 404,
  )
  expect(await review(text)).not.toMatchObject({ authenticated: true })
})

test('a Secret may be there before its account', async () => {
  await api.send({ method: 'POST', path: SECRETS, body: secretFor('late') })
  await api.send({ method: 'POST', path: ACCOUNTS, body: { metadata: { name: 'late' } } })

  expect(await token('late')).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/)
})
