import { expect, test } from 'vitest'
import { generateBundle } from '#machineconfig/secrets/generate-bundle.ts'
import { broughtIn, differenceIn } from './brought.ts'

const NOW = new Date('2030-01-01T00:00:00Z')
const [one, other] = await Promise.all(
  [NOW, NOW].map((now) => generateBundle({ talosVersion: 'v1.6', now })),
)
const crt = one?.talos.certificate ?? ''
const key = one?.talos.key.open() ?? ''

test('a token and a CA are taken as they are, as PEM or as PEM in base64', () => {
  const inBase64 = (text: string) => Buffer.from(text).toString('base64')
  const brought = [
    broughtIn({ token: ' a-token\n', crt, key }),
    broughtIn({ token: 'a-token', crt: inBase64(crt), key: inBase64(key) }),
  ]

  for (const found of brought) {
    if (typeof found === 'string') throw new Error(found)
    expect(found.trustdToken?.open()).toBe('a-token')
    expect(found.talos?.certificate).toBe(crt)
    expect(found.talos?.key.open()).toBe(key)
  }
})

test('nothing at all is fine', () => {
  expect(broughtIn({})).toEqual({})
})

test.each([
  ['one without the other', { crt }],
  ['what is no PEM', { crt: 'a-crt-of-mine', key }],
  ['a key that is none', { crt, key: 'a-key-of-mine' }],
  ['the key of another', { crt, key: other?.talos.key.open() }],
])('%s is told, without a value', (_what, texts) => {
  const found = broughtIn(texts)

  expect(found).toBeTypeOf('string')
  expect(`${found}`).not.toMatch(/of-mine|BEGIN/)
})

test('what is another one than in a bundle is told, and what is the same is not, however it is written', () => {
  if (!one || !other) throw new Error('there are two')
  const same = broughtIn({ crt: `${crt}\n`, key })
  const token = broughtIn({ token: 'a-token', crt, key })
  const all = broughtIn({
    token: 'a-token',
    crt: other.talos.certificate,
    key: other.talos.key.open(),
  })

  const differences = [same, token, all].map((brought) =>
    typeof brought === 'string' ? brought : differenceIn(brought, one),
  )
  expect(differences).toEqual([undefined, 'token', 'token and CA'])
  expect(differenceIn({}, one)).toBeUndefined()
})
