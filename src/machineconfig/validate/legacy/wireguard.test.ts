import { expect, test } from 'vitest'
import { wireguardProblems } from './wireguard.ts'

const KEY = Buffer.alloc(32, 1).toString('base64')

test('a private key is never shown', () => {
  expect([...wireguardProblems({ privateKey: KEY })]).toEqual([])
  expect([...wireguardProblems({ privateKey: 'QUFB' })]).toEqual([
    'private key is invalid: wrong key "******" length: 3',
  ])
  expect([...wireguardProblems({})]).toEqual(['private key is invalid: wrong key "" length: 0'])
  expect([...wireguardProblems({ privateKey: 'secret!' })]).toEqual([
    'private key is invalid: illegal base64 data at input byte 6',
  ])
})

test('what is wrong with peers', () => {
  const peers = [
    { publicKey: KEY, endpoint: 'a.example:51820', allowedIPs: ['::/0'] },
    { publicKey: 'QUFB' },
    { publicKey: KEY, endpoint: 'a.example', allowedIPs: ['::1'] },
  ]
  expect([...wireguardProblems({ privateKey: KEY, peers })]).toEqual([
    'public key invalid: wrong key "QUFB" length: 3',
    'peer endpoint "a.example" is invalid',
    'peer allowed IP "::1" is invalid: invalid CIDR address: ::1',
  ])
})
