import { describe, expect, test } from 'vitest'
import { diskProblem, pickDisk } from './install-disk.ts'
import { type DiskSeen, diskSeen, legacyDiskSeen } from './install-disk-seen.ts'

const GIB = 1024 ** 3

const disk = (path: string, changes: Partial<DiskSeen> = {}): DiskSeen => ({
  path,
  sizeBytes: 100 * GIB,
  isReadOnly: false,
  isCd: false,
  isUsb: false,
  isFlash: true,
  symlinks: [],
  ...changes,
})

describe('of the disks', () => {
  test.each<[string, DiskSeen[], string]>([
    ['the only one', [disk('/dev/vda')], '/dev/vda'],
    [
      'the one that can be written',
      [disk('/dev/sda', { isReadOnly: true }), disk('/dev/sdb')],
      '/dev/sdb',
    ],
    ['the one that is no CD', [disk('/dev/sda', { isCd: true }), disk('/dev/sdb')], '/dev/sdb'],
    [
      'the one that is a disk',
      [disk('/dev/loop0'), disk('/dev/zram0'), disk('/dev/dm-1'), disk('/dev/sdb')],
      '/dev/sdb',
    ],
    [
      'the one that is large enough',
      [disk('/dev/sda', { sizeBytes: 6 * GIB - 1 }), disk('/dev/sdb', { sizeBytes: 6 * GIB })],
      '/dev/sdb',
    ],
    [
      'the one that is not on USB, even if it rotates',
      [disk('/dev/sda', { isUsb: true }), disk('/dev/sdb', { isFlash: false })],
      '/dev/sdb',
    ],
    ['the one on USB if there is no other', [disk('/dev/sda', { isUsb: true })], '/dev/sda'],
    [
      'the one that does not rotate',
      [disk('/dev/sda', { isFlash: false, sizeBytes: 10 * GIB }), disk('/dev/nvme0n1')],
      '/dev/nvme0n1',
    ],
    ['the smallest', [disk('/dev/sda'), disk('/dev/sdb', { sizeBytes: 20 * GIB })], '/dev/sdb'],
    ['the first by path', [disk('/dev/nvme10n1'), disk('/dev/nvme2n1')], '/dev/nvme2n1'],
  ])('%s is picked', (_, disks, path) => {
    expect(pickDisk(disks)).toEqual({ path })
    expect(pickDisk(disks.toReversed())).toEqual({ path })
  })

  test('none is picked when there is none, and the sentence says what there is', () => {
    expect(pickDisk([])).toEqual({
      problem: {
        reason: 'NoInstallDisk',
        message:
          'The machine has no disk that Talos can be installed on: it has none. Attach a writable disk of at least 6 GiB, or set machineSpec.installDisk.',
      },
    })
    expect(pickDisk([disk('/dev/sda', { isReadOnly: true }), disk('/dev/loop0')])).toMatchObject({
      problem: { message: expect.stringContaining('it has /dev/sda (100 GiB, read-only).') },
    })
  })

  test('none is picked when all are too small, and the sentence has their sizes', () => {
    const disks = [
      disk('/dev/sdb', { sizeBytes: 4 * GIB }),
      disk('/dev/sda', { sizeBytes: 5.99 * GIB }),
    ]

    expect(pickDisk(disks)).toEqual({
      problem: {
        reason: 'InstallDiskTooSmall',
        message:
          'No disk of the machine is large enough for Talos, which needs 6 GiB: it has /dev/sda (5.9 GiB), /dev/sdb (4 GiB). Attach a larger disk.',
      },
    })
  })

  test('not more are told than a message holds', () => {
    const disks = Array.from({ length: 40 }, (_, i) => disk(`/dev/sd${i}`, { sizeBytes: GIB }))

    expect(pickDisk(disks)).toMatchObject({
      problem: { message: expect.stringContaining('30 more') },
    })
  })
})

describe('a disk that the spec names', () => {
  const disks = [
    disk('/dev/sda', { symlinks: ['/dev/disk/by-id/one'] }),
    disk('/dev/sdb', { isReadOnly: true }),
    disk('/dev/sdc', { sizeBytes: GIB }),
    disk('/dev/sr0', { isCd: true }),
  ]

  test.each(['/dev/sda', '/dev/disk/by-id/one'])('may be %s', (wanted) => {
    expect(diskProblem(wanted, disks)).toBeUndefined()
  })

  test.each([
    [
      '/dev/vda',
      'InstallDiskMissing',
      'The machine has no disk /dev/vda: it has /dev/sda (100 GiB)',
    ],
    ['/dev/sda1', 'InstallDiskMissing', 'no disk /dev/sda1'],
    ['/dev/disk/by-id/two', 'InstallDiskMissing', 'no disk /dev/disk/by-id/two'],
    ['/dev/sdb', 'InstallDiskReadOnly', '/dev/sdb cannot be written'],
    ['/dev/sr0', 'InstallDiskReadOnly', '/dev/sr0 cannot be written'],
    ['/dev/sdc', 'InstallDiskTooSmall', '/dev/sdc has 1 GiB, and Talos needs 6 GiB'],
  ])('may not be %s', (wanted, reason, message) => {
    expect(diskProblem(wanted, disks)).toMatchObject({
      reason,
      message: expect.stringContaining(message),
    })
  })

  test('is not judged by a path that an old Talos does not tell', () => {
    const old = [disk('/dev/sda', { symlinks: undefined })]

    expect(diskProblem('/dev/disk/by-id/two', old)).toBeUndefined()
    expect(diskProblem('/dev/sdb', old)).toHaveProperty('reason', 'InstallDiskMissing')
  })
})

test('disks are read as Talos v1.8 tells them', () => {
  const nvme = {
    id: 'nvme0n1',
    dev_path: '/dev/nvme0n1',
    size: GIB,
    transport: 'nvme',
    symlinks: ['/a'],
  }

  expect(diskSeen(nvme)).toEqual(disk('/dev/nvme0n1', { sizeBytes: GIB, symlinks: ['/a'] }))
  expect(
    diskSeen({
      ...nvme,
      transport: 'sata',
      rotational: true,
      readonly: true,
      cdrom: true,
      symlinks: null,
    }),
  ).toEqual(disk('/dev/nvme0n1', { sizeBytes: GIB, isFlash: false, isReadOnly: true, isCd: true }))
  expect(diskSeen({ ...nvme, transport: 'usb' })).toMatchObject({ isUsb: true, isFlash: false })
  expect(diskSeen({ ...nvme, transport: 'mmc' })).toMatchObject({ isUsb: false, isFlash: false })
  expect(diskSeen({ ...nvme, bus_path: '/pci0000:00/0000:00:14.0/usb1/1-1' })).toMatchObject({
    isUsb: true,
  })
})

test('disks are read as older versions tell them', () => {
  const legacy = {
    path: '/dev/sda',
    sizeBytes: GIB,
    type: 'ssd',
    model: '',
    serial: '',
    wwid: '',
    busPath: '/pci0000:00/usb2/2-1',
    isSystemDisk: false,
    isReadOnly: true,
  }

  expect(legacyDiskSeen(legacy)).toEqual(
    disk('/dev/sda', { sizeBytes: GIB, isUsb: true, isReadOnly: true, symlinks: undefined }),
  )
  expect(legacyDiskSeen({ ...legacy, type: 'hdd', busPath: '/pci' })).toMatchObject({
    isFlash: false,
    isUsb: false,
  })
  expect(legacyDiskSeen({ ...legacy, type: 'cd' })).toMatchObject({ isCd: true })
})
