import { describe, expect, test } from 'vitest'
import { type Schematic, schematicId, writeSchematic } from './schematic.ts'

describe('the id of a schematic is the one that the image factory gives', () => {
  test.each<[string, Schematic, string]>([
    ['without anything', {}, '376567988ad370138ad8b2698212367b8edcb69b5fd68c80be1f2ec7d603b4ba'],
    [
      'with kernel arguments',
      { customization: { extraKernelArgs: ['noapic', 'nolapic'] } },
      '9cba8e32753f91a16c1837ab8abf356af021706ef284aef07380780177d9a06c',
    ],
    [
      'with META',
      { customization: { meta: [{ key: 10, value: 'foo' }] } },
      'd308a2a5ee2277bed5fbaa104fcbc8d59122abfa737df987a95b4ca763459a7f',
    ],
    [
      'with an overlay',
      { overlay: { image: 'siderolabs/sbc-raspberrypi', name: 'rpi_generic' } },
      'ee21ef4a5ef808a9b7484cc0dda0f25075021691c8c09a276591eedb638ea1f9',
    ],
    [
      'with SecureBoot',
      { customization: { secureboot: { includeWellKnownCertificates: true } } },
      'fa8e05f142a851d3ee568eb0a8e5841eaf6b0ebc8df9a63df16ac5ed2c04f3e6',
    ],
  ])('%s', (_title, schematic, id) => {
    expect(schematicId(schematic)).toBe(id)
  })
})

test('empty parts do not change the id', () => {
  const empty: Schematic = {
    customization: {
      extraKernelArgs: [],
      meta: [],
      systemExtensions: { officialExtensions: [] },
      secureboot: { includeWellKnownCertificates: false },
    },
  }

  expect(schematicId(empty)).toBe(schematicId({}))
})

test('the order of extensions changes the id', () => {
  const of = (...officialExtensions: string[]) =>
    schematicId({ customization: { systemExtensions: { officialExtensions } } })

  expect(of('siderolabs/gvisor', 'siderolabs/amdgpu')).not.toBe(
    of('siderolabs/amdgpu', 'siderolabs/gvisor'),
  )
})

test('fields come in the order of the image factory, and texts are quoted as Go does it', () => {
  const schematic: Schematic = {
    customization: {
      diskImage: { sectorSize: 4096 },
      secureboot: { enrollKeys: 'force', includeWellKnownCertificates: true },
      bootloader: 'dual-boot',
      systemExtensions: { officialExtensions: ['siderolabs/gvisor'] },
      meta: [{ key: 0, value: '' }],
      extraKernelArgs: ['-selinux', 'a: b', '42', 'on'],
      embeddedMachineConfiguration: 'apiVersion: v1alpha1\nkind: HostnameConfig\n',
    },
    overlay: { options: { b: 1, a: { deep: true } }, name: '', image: 'x' },
    owner: 'me',
  }

  expect(writeSchematic(schematic)).toBe(`owner: me
overlay:
    image: x
    name: ""
    options:
        a:
            deep: true
        b: 1
customization:
    embeddedMachineConfiguration: |
        apiVersion: v1alpha1
        kind: HostnameConfig
    extraKernelArgs:
        - -selinux
        - 'a: b'
        - "42"
        - "on"
    meta:
        - key: 0
          value: ""
    systemExtensions:
        officialExtensions:
            - siderolabs/gvisor
    bootloader: dual-boot
    secureboot:
        enrollKeys: force
        includeWellKnownCertificates: true
    diskImage:
        sectorSize: 4096
`)
})
