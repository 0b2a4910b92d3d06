import { expect, test } from 'vitest'
import { readConfig } from '#machineconfig/read/read-config.ts'
import { applyPatches } from './apply-patches.ts'
import { loadPatch } from './load-patch.ts'

const bond = (address: string) =>
  `apiVersion: v1alpha1\nkind: BondConfig\nname: b\nlinks: [a]\nhardwareAddr: ${address}\n`
const registry = (ca: string) =>
  `machine: {registries: {config: {a: {tls: {ca: ${ca}, insecureSkipVerify: true}}}}}\n`

const patched = (text: string, patch: string) =>
  applyPatches(readConfig(text), [loadPatch({ name: 'p', text: patch })]).documents.map(
    ({ fields }) => fields,
  )

test('a patch with no bytes removes those that are there', () => {
  const [fields] = patched(bond("'00:11:22:33:44:55'"), bond("''"))
  expect(fields).toEqual({
    apiVersion: 'v1alpha1',
    kind: 'BondConfig',
    name: 'b',
    links: ['a', 'a'],
  })

  expect(patched(registry('QUJD'), registry("''"))).toEqual([
    { machine: { registries: { config: { a: { tls: { insecureSkipVerify: true } } } } } },
  ])
})

test('what a patch adds is in normal form, too', () => {
  const [, added] = patched('machine: {type: worker}\n', bond("''"))
  expect(added).not.toHaveProperty('hardwareAddr')

  expect(patched('machine: {type: worker}\n', registry("''"))[0]).toEqual({
    machine: {
      type: 'worker',
      registries: { config: { a: { tls: { insecureSkipVerify: true } } } },
    },
  })
})

test('a null says nothing, and neither does a configuration without bytes', () => {
  expect(patched(bond("'00:11'"), bond('null'))[0]).toHaveProperty('hardwareAddr', '00:11')
  expect(patched(bond("''"), bond('null'))[0]).not.toHaveProperty('hardwareAddr')
})
