import { expect, test } from 'vitest'
import { issuerProblems, trustProblems, workerKeyProblems } from './authorities.ts'

test('every machine trusts someone', () => {
  expect([...trustProblems({ ca: {} })]).toEqual([])
  expect([...trustProblems({ acceptedCAs: [{ crt: 'QQ==' }] })]).toEqual([])
  expect([...trustProblems({ acceptedCAs: [] })]).toEqual([
    'issuing CA or some accepted CAs are required (.machine.ca, machine.acceptedCAs)',
  ])
})

test('a control plane has the key', () => {
  expect([...issuerProblems({ ca: { key: 'QQ==' } })]).toEqual([])
  expect([...issuerProblems({})]).toEqual(['issuing CA is required (.machine.ca)'])
  expect([...issuerProblems({ ca: { crt: 'QQ==', key: '' } })]).toEqual([
    'issuing CA key is required for controlplane nodes (.machine.ca.key)',
  ])
})

test('a worker has no key, and knows whom to trust', () => {
  expect([...workerKeyProblems({ ca: { crt: 'QQ==' } }, { ca: { crt: 'QQ==' } })]).toEqual([])
  expect([...workerKeyProblems({}, undefined)]).toEqual([])
  expect([...workerKeyProblems({ ca: {}, acceptedCAs: [{ crt: 'QQ==' }] }, {})]).toEqual([])
  expect([...workerKeyProblems({ ca: { key: '******' } }, { ca: { key: 'QQ==' } })]).toEqual([
    'issuing Talos API CA key is not allowed on non-controlplane nodes (.machine.ca)',
    'trusted CA certificates are required on non-controlplane nodes (.machine.ca.crt, .machine.acceptedCAs)',
    'issuing Kubernetes API CA key is not allowed on non-controlplane nodes (.cluster.ca)',
  ])
})
