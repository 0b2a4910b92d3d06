import { expect, test } from 'vitest'
import { readConfig } from './read-config.ts'

const reading = (text: string, talosVersion: string) => () => readConfig(text, { talosVersion })

test.each([
  ['machine: {files: [null]}', '"machine.files[0]" (line 1)'],
  [
    'machine:\n  network:\n    interfaces:\n    - interface: a\n      vlans: [~]\n',
    '"machine.network.interfaces[0].vlans[0]" (line 5)',
  ],
  ['machine: {registries: {mirrors: {a.b: }}}', '"machine.registries.mirrors.a.b" (line 1)'],
  ['machine: {acceptedCAs: [{}, null]}', '"machine.acceptedCAs[1]" (line 1)'],
])('%j has a null that v1.14 refuses and v1.13 does not', (text, place) => {
  const message = `error decoding document /v1alpha1/ (line 1): null value is not allowed at ${place}`

  expect(reading(text, 'v1.14.1')).toThrow(message)
  expect(reading(text, 'v1.13.0')).not.toThrow()
})

test('all such nulls are told', () => {
  const text = 'machine:\n  files: [null]\n  disks: [null]\n'

  expect(reading(text, 'v1.14.1')).toThrow(
    'null value is not allowed at "machine.files[0]" (line 2)\nnull value is not allowed at "machine.disks[0]" (line 3)',
  )
})

test.each([
  'machine: {certSANs: [null], sysctls: {a: null}, pods: [null], network: null}',
  'machine: {kubelet: {extraMounts: [null], extraConfig: {a: [null]}}}',
])('%j has no null that v1.14 refuses', (text) => {
  expect(reading(text, 'v1.14.1')).not.toThrow()
})

test('v1.14 tells what is wrong on one line', () => {
  const text = 'machine:\n  type: [a]\n  token: {b: c}\n'
  const head = 'error decoding  to *v1alpha1.Config: yaml: construct errors:'
  const [one, two] = ['line 2: cannot construct !!seq into', 'line 3: cannot construct !!map into']

  expect(reading(text, 'v1.14.1')).toThrow(`${head} ${one} string; ${two} string`)
  expect(reading(text, 'v1.13.0')).toThrow(`${head}\n  ${one} string\n  ${two} string`)
})
