import { expect, test } from 'vitest'
import { diskEncryptionProblems, diskProblems } from './disks.ts'

const WHOLE =
  'partition for disk "/dev/sdb" is set to occupy full disk, but it\'s not the last partition in the list'

test('only the last partition takes the rest of a disk', () => {
  const disk = (...partitions: ({ size?: string | number } | null)[]) => ({
    disks: [{ device: '/dev/sdb', partitions }],
  })
  expect([...diskProblems(disk({ size: '1 GB' }, {}))]).toEqual([])
  expect([...diskProblems(disk({}, { size: 0 }, { size: '0 B' }, { size: 5 }))]).toEqual([
    WHOLE,
    WHOLE,
    WHOLE,
  ])
  expect([...diskProblems(disk(null))]).toEqual(['machine.disks[0].partitions[0] is null'])
  expect([...diskProblems({ disks: [{}, null] })]).toEqual(['machine.disks[1] is null'])
})

test('an encrypted partition has keys, each in a slot of its own', () => {
  const judged = (systemDiskEncryption: object) => [
    ...diskEncryptionProblems(JSON.parse(JSON.stringify({ systemDiskEncryption }))),
  ]
  expect(judged({})).toEqual([])
  expect(judged({ state: { keys: [{ nodeID: {} }, { slot: 1, tpm: {} }] } })).toEqual([])
  expect(judged({ state: {}, ephemeral: { keys: [] } })).toEqual([
    'partition "EPHEMERAL": no encryption keys provided',
    'partition "STATE": no encryption keys provided',
  ])
  expect(judged({ state: { keys: [{ kms: {} }, { static: {} }, { slot: 2 }, null] } })).toEqual([
    'partition "STATE": encryption key slot 0 is already in use',
    'partition "STATE": encryption key at slot 2 doesn\'t have the configuration parameters',
    'partition "STATE": encryption key slot 0 is already in use',
    'partition "STATE": encryption key at slot 0 doesn\'t have the configuration parameters',
  ])
})
