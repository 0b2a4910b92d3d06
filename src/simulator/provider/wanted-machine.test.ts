import { expect, test } from 'vitest'
import type { ProvidedMachine } from '#api/provided-machine.ts'
import { type WantedMachine, wantedMachine } from './wanted-machine.ts'

const GIB = 1024 ** 3
const UID = '5f0c7a52-6f3e-4f0b-9d0e-2f3b8a1c4d5e'

const aMachine = (spec: NonNullable<ProvidedMachine['spec']>, uid = UID): ProvidedMachine => ({
  ...{ apiVersion: 'vitistack.io/v1alpha1', kind: 'Machine', spec },
  metadata: { name: 'one', namespace: 'default', uid },
})

function wanted(spec: NonNullable<ProvidedMachine['spec']>, uid?: string): WantedMachine {
  const found = wantedMachine(aMachine(spec, uid), 'v1.13.0')
  if ('reason' in found) throw new Error(found.message)
  return found
}

test('a Machine that says nothing gets a small machine whose UUID is the uid of the Machine', () => {
  const { hardware, talosVersion, schematic, address } = wanted({})

  expect([talosVersion, schematic, address]).toEqual(['v1.13.0', undefined, undefined])
  expect(hardware).toMatchObject({ uuid: UID, cpus: 4, memoryMiB: 8192 })
  expect(hardware.disks.map(({ path }) => path)).toEqual(['/dev/sda', '/dev/sdb'])
})

test('the same Machine gets the same hardware, and another one gets other', () => {
  const [one, again, other] = [wanted({}), wanted({}), wanted({}, UID.replace('5f', '60'))]

  expect(again.hardware).toEqual(one.hardware)
  expect(other.hardware.macAddress).not.toBe(one.hardware.macAddress)
  expect(other.hardware.serialNumber).not.toBe(one.hardware.serialNumber)
})

test('processors, memory, disks and the address are as the spec says, the boot disk first', () => {
  const { hardware, diskNames, address } = wanted({
    cpu: { cores: 2, sockets: 3, threadsPerCore: 2 },
    memory: 2.5 * GIB,
    disks: [
      { name: 'logs', sizeGB: 5, type: 'nvme' },
      { sizeGB: 20, boot: true },
      { name: 'archive', device: '/dev/vdb', type: 'hdd' },
    ],
    network: { publicIP: '127.50.0.9' },
  })

  expect([hardware.cpus, hardware.memoryMiB, address]).toEqual([12, 2560, '127.50.0.9'])
  expect(hardware.disks.map(({ path, bytes, type }) => [path, bytes / GIB, type])).toEqual([
    ['/dev/sda', 20, 'SSD'],
    ['/dev/sdb', 5, 'NVME'],
    ['/dev/vdb', 10, 'HDD'],
  ])
  expect([...diskNames.values()]).toEqual(['disk-1', 'logs', 'archive'])
})

test('what is in an image of the factory follows from its address', () => {
  const schematic = 'a'.repeat(64)
  const isoUri = `https://factory.talos.dev/image/${schematic}/v1.12.4/nocloud-amd64.iso`

  expect(wanted({ os: { isoUri } })).toMatchObject({ talosVersion: 'v1.12.4', schematic })
  expect(wanted({ os: { version: '1.11.0' } }).talosVersion).toBe('v1.11.0')
})

test.each([
  [{ os: { distribution: 'ubuntu' } }, 'UnsupportedOperatingSystem', 'boot talos and nothing else'],
  [{ os: { version: 'v1.2.0' } }, 'UnsupportedOperatingSystem', 'only v1.5 to v1.14 are'],
  [{ disks: [{ device: 'vda' }] }, 'InvalidDisk', '"vda" cannot be the device'],
  [
    { disks: [{ device: '/dev/vda' }, { device: '/dev/vda' }] },
    'InvalidDisk',
    'that no other disk has',
  ],
  [{ disks: Array.from({ length: 27 }, () => ({})) }, 'InvalidDisk', '"" cannot be the device'],
])('%j is refused: %s', (spec, reason, words) => {
  const found = wantedMachine(aMachine(spec), 'v1.13.0')

  expect(found).toMatchObject({ reason, message: expect.stringContaining(words) })
})
