import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { expect, test } from 'vitest'
import { Secret } from '#base/secret.ts'
import { firstPemBlock, pemText } from './pem.ts'
import {
  familyOf,
  type KeyFamily,
  newPrivateKey,
  plainPem,
  privateKeyOf,
  talosPem,
} from './private-key.ts'

const spkiOf = (key: KeyObject) => key.export({ type: 'pkcs8', format: 'der' }).toString('hex')

const rsa = () => generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey

test.each<[KeyFamily, string]>([
  ['ed25519', 'ED25519 PRIVATE KEY'],
  ['ecdsa', 'EC PRIVATE KEY'],
  ['rsa', 'RSA PRIVATE KEY'],
])('a key of the family %s is written as %s, and read again', async (family, label) => {
  const key = family === 'rsa' ? rsa() : await newPrivateKey(family)

  const pem = talosPem(key)
  expect(firstPemBlock(pem.open())?.label).toBe(label)
  expect(pem.open().endsWith(`-----END ${label}-----\n`)).toBe(true)
  expect(familyOf(privateKeyOf(pem))).toBe(family)
  expect(spkiOf(privateKeyOf(pem))).toBe(spkiOf(key))
  expect(spkiOf(privateKeyOf(plainPem(key)))).toBe(spkiOf(key))
})

test('a new ECDSA key is on P-256', async () => {
  expect((await newPrivateKey('ecdsa')).asymmetricKeyDetails?.namedCurve).toBe('prime256v1')
})

const relabelled = (key: KeyObject, label: string): string => {
  const der = key.export({ type: 'pkcs8', format: 'der' })
  return pemText({ label, der })
}
const ecdsa = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey

test.each([
  ['nothing', '', 'failed to parse PEM block'],
  ['a block without an end', '-----BEGIN PRIVATE KEY-----\nAAAA\n', 'failed to parse PEM block'],
  ['another thing', relabelled(ecdsa, 'CERTIFICATE'), 'unsupported key type: "CERTIFICATE"'],
  ['a wrong label', relabelled(ecdsa, 'RSA PRIVATE KEY'), 'failed to parse RSA key: '],
  ['a newer form', relabelled(rsa(), 'RSA PRIVATE KEY'), 'failed to parse RSA key: '],
  ['a wrong form', relabelled(ecdsa, 'EC PRIVATE KEY'), 'failed to parse ECDSA key: '],
  [
    'rubbish',
    '-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----',
    'failed to parse key',
  ],
  [
    'another family',
    relabelled(ecdsa, 'ED25519 PRIVATE KEY'),
    'failed parsing Ed25519 key, got wrong key type',
  ],
])('%s is no private key', (_, pem, message) => {
  expect(() => privateKeyOf(new Secret(pem))).toThrow(message)
})

test('a key is found after other text', () => {
  const text = `a comment\n${plainPem(ecdsa).open()}`
  expect(spkiOf(privateKeyOf(new Secret(text)))).toBe(spkiOf(ecdsa))
})

test('keys that nothing is signed with have no family', () => {
  expect(() => familyOf(generateKeyPairSync('x25519').privateKey)).toThrow('x25519')
})
