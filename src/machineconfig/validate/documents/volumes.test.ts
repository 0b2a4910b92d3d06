import { describe, expect, test } from 'vitest'
import { conflictOf, errorsOf } from './verdicts.cases.ts'

const disk = { diskSelector: { match: 'disk.transport == "nvme"' } }
const sized = { ...disk, maxSize: '50GiB' }
const key = { slot: 0, static: { passphrase: 'throw-away' } }
const luks = { provider: 'luks2', keys: [key] }
const CHARACTERS =
  'name can only contain lowercase and uppercase ASCII letters, digits, and hyphens'
const LENGTH = 'name must be between 1 and 34 characters long'

describe('volumes of the system', () => {
  test('are three', () => {
    expect(errorsOf('VolumeConfig', { name: 'META' })).toEqual([
      'only ["STATE" "EPHEMERAL" "IMAGECACHE"] volumes are supported',
    ])
    expect(errorsOf('VolumeConfig', { name: 'EPHEMERAL', provisioning: sized })).toEqual([])
  })

  test('STATE is where it is, and keeps no key in itself', () => {
    const encryption = {
      ...luks,
      keys: [
        { ...key, lockToState: true },
        { ...key, slot: 1 },
      ],
    }
    expect(errorsOf('VolumeConfig', { name: 'STATE', provisioning: sized, encryption })).toEqual([
      'provisioning config is not allowed for the "STATE" volume',
      'state-locked key is not allowed for the "STATE" volume',
    ])
    expect(errorsOf('VolumeConfig', { name: 'STATE', provisioning: { diskSelector: {} } })).toEqual(
      [],
    )
    for (const provisioning of [{ grow: false }, { minSize: '1GB' }, { maxSize: '1GB' }, disk]) {
      expect(errorsOf('VolumeConfig', { name: 'STATE', provisioning })).toHaveLength(1)
    }
  })

  test('since v1.14 only EPHEMERAL says how it is mounted', () => {
    const errors = (name: string, mount = {}) =>
      errorsOf('VolumeConfig', { name, mount }, 'v1.14.0')
    const refused = ['mount config is not allowed for the "IMAGECACHE" volume']
    expect(errors('IMAGECACHE', { secure: true })).toEqual(refused)
    expect(errors('STATE', { secure: true })).toHaveLength(1)
    expect(errors('EPHEMERAL', { secure: true })).toEqual([])
    expect(errors('STATE')).toEqual([])
    expect(errorsOf('VolumeConfig', { name: 'STATE', mount: { secure: true } })).toEqual([])
  })

  test('are trimmed forwards in time', () => {
    const trimmed = (interval: string) => ({ name: 'EPHEMERAL', trim: { interval } })
    expect(errorsOf('VolumeConfig', trimmed('-1s'), 'v1.14.0')).toEqual([
      'trim interval cannot be negative',
    ])
    expect(errorsOf('VolumeConfig', trimmed('1s'), 'v1.14.0')).toEqual([])
  })
})

describe('sizes', () => {
  const errors = (provisioning: object) =>
    errorsOf('VolumeConfig', { name: 'EPHEMERAL', provisioning: { ...provisioning } })

  test('the least is not above the most', () => {
    expect(errors({ minSize: '10GiB', maxSize: '1GiB' })).toEqual([
      'min size is greater than max size',
    ])
    expect(errors({ minSize: '1GiB', maxSize: '1GiB' })).toEqual([])
  })

  test('a share of the disk or what is to be left has no size to compare', () => {
    expect(errors({ minSize: '10GiB', maxSize: '5%' })).toEqual([])
    expect(errors({ minSize: '10GiB', maxSize: '-5GiB' })).toEqual([])
    expect(errors({ maxSize: '5GiB' })).toEqual([])
  })

  test('the least is not negative, and is compared all the same', () => {
    expect(errors({ minSize: '-2GiB', maxSize: '1GiB' })).toEqual([
      'min size is greater than max size',
      'min size cannot be negative',
    ])
  })

  test('what is no size is left to the reading', () => {
    expect(errors({ minSize: 'x', maxSize: '1GiB' })).toEqual([])
    expect(errors({ minSize: '1GiB', maxSize: 'x' })).toEqual([])
  })

  test('a selector must be one', () => {
    expect(errors({ diskSelector: { match: 'disk.model' } })).toEqual([
      'disk selector is invalid: expression output type is string, expected bool',
    ])
  })
})

describe('encryption', () => {
  const errors = (encryption: object) =>
    errorsOf('VolumeConfig', { name: 'EPHEMERAL', encryption: { ...encryption } })

  test('without provider and keys there is none', () => {
    expect(errors({ cipher: 'aes' })).toEqual([])
    expect(errors({ provider: 'none', keys: [] })).toEqual([])
  })

  test('needs a provider and keys', () => {
    expect(errors({ keys: [key] })).toEqual(['unsupported encryption provider: none'])
    expect(errors({ provider: 'luks2' })).toEqual(['encryption keys are required'])
    expect(errors(luks)).toEqual([])
  })

  test('has one key for a slot, and each is of a type', () => {
    expect(errors({ ...luks, keys: [{ slot: 1 }, { slot: 1, nodeID: {} }] })).toEqual([
      'at least one encryption key type must be specified for slot 1',
      'duplicate key slot 1',
    ])
    expect(errors({ ...luks, keys: [{ kms: {} }, { slot: 1, tpm: {} }] })).toEqual([])
  })

  test('seals with registers that a TPM has', () => {
    const sealed = (pcrs: number[]) => ({ ...luks, keys: [{ tpm: { options: { pcrs } } }] })
    expect(errors(sealed([-1, 0, 23, 24]))).toEqual([
      'TPM PCR -1 is out of range (0-23)',
      'TPM PCR 24 is out of range (0-23)',
    ])
  })

  test('is said once of a partition', () => {
    const legacy = { machine: { systemDiskEncryption: { state: {}, ephemeral: {} } } }
    const conflict = (name: string, encryption: object) =>
      conflictOf(['VolumeConfig', { name, encryption: { ...encryption } }], legacy)
    expect(conflict('STATE', luks)).toBe(
      'system disk encryption for "STATE" is configured in both v1alpha1.Config and VolumeConfig',
    )
    expect(conflict('EPHEMERAL', luks)).toContain('"EPHEMERAL"')
    expect(conflict('IMAGECACHE', luks)).toBeUndefined()
    expect(conflict('STATE', {})).toBeUndefined()
    const without = { machine: { systemDiskEncryption: { ephemeral: {} } } }
    expect(
      conflictOf(['VolumeConfig', { name: 'STATE', encryption: luks }], without),
    ).toBeUndefined()
  })
})

describe('volumes of the user', () => {
  test('need a name that fits into a label', () => {
    expect(errorsOf('UserVolumeConfig', { provisioning: sized })).toEqual([
      'name is required',
      LENGTH,
    ])
    expect(errorsOf('UserVolumeConfig', { name: 'a_b', provisioning: sized })).toEqual([CHARACTERS])
    expect(errorsOf('UserVolumeConfig', { name: 'x'.repeat(34), provisioning: sized })).toEqual([])
    expect(errorsOf('UserVolumeConfig', { name: 'x'.repeat(35), provisioning: sized })).toEqual([
      LENGTH,
    ])
  })

  test('a partition needs a disk and a size', () => {
    expect(errorsOf('UserVolumeConfig', { name: 'a' })).toEqual([
      'disk selector is required',
      'min size or max size is required',
    ])
  })

  test('a disk needs no size', () => {
    const whole = { name: 'a', volumeType: 'disk' }
    expect(errorsOf('UserVolumeConfig', { ...whole, provisioning: disk })).toEqual([])
    for (const size of [{ minSize: '1GB' }, { maxSize: '1GB' }, { grow: false }]) {
      expect(
        errorsOf('UserVolumeConfig', { ...whole, provisioning: { ...disk, ...size } }),
      ).toEqual(['min size, max size and grow are not supported'])
    }
  })

  test('a directory has nothing of a disk', () => {
    const directory = { name: 'a', volumeType: 'directory' }
    const set = { provisioning: sized, encryption: luks, filesystem: { type: 'xfs' } }
    const errors = errorsOf('UserVolumeConfig', { ...directory, ...set, mount: { secure: true } })
    expect(errors).toEqual(
      ['provisioning', 'encryption', 'filesystem', 'mount'].map(
        (section) => `${section} spec is invalid for volumeType directory`,
      ),
    )
    expect(errorsOf('UserVolumeConfig', directory)).toEqual([])
  })

  test('are of no other type', () => {
    expect(errorsOf('UserVolumeConfig', { name: 'a', volumeType: 'tmpfs' })).toEqual([
      'unsupported volume type "tmpfs"',
    ])
  })

  test('have a file system that can be made', () => {
    const errors = (filesystem: object) =>
      errorsOf('UserVolumeConfig', {
        name: 'a',
        provisioning: sized,
        filesystem: { ...filesystem },
      })
    expect(errors({ type: 'vfat' })).toEqual(['unsupported filesystem type: vfat'])
    expect(errors({ type: 'ext4', projectQuotaSupport: true })).toEqual([
      'project quota support is only available for xfs filesystem',
    ])
    expect(errors({ type: 'xfs', projectQuotaSupport: true })).toEqual([])
    expect(errors({ projectQuotaSupport: true })).toEqual([])
  })
})

describe('other volumes', () => {
  test('one that exists is looked for', () => {
    const existing = (match: string) => ({ name: 'a', discovery: { volumeSelector: { match } } })
    expect(errorsOf('ExistingVolumeConfig', { name: 'x'.repeat(60) })).toEqual([
      'volume selector is required',
    ])
    expect(errorsOf('ExistingVolumeConfig', existing('volume.name == "xfs"'))).toEqual([])
    expect(errorsOf('ExistingVolumeConfig', existing('volume.name'))).toEqual([
      'volume selector is invalid: expression output type is string, expected bool',
    ])
    expect(errorsOf('ExistingVolumeConfig', { ...existing('true'), name: '' })).toEqual([
      'name is required',
    ])
  })

  test.each(['RawVolumeConfig', 'SwapVolumeConfig'])('%s is a partition', (kind) => {
    expect(errorsOf(kind, { name: 'a', provisioning: sized })).toEqual([])
    expect(errorsOf(kind, { name: 'a b', encryption: { provider: 'luks2' } })).toEqual([
      CHARACTERS,
      'disk selector is required',
      'min size or max size is required',
      'encryption keys are required',
    ])
  })

  test('one from outside is a virtiofs', () => {
    const shared = { name: 'a', filesystemType: 'virtiofs' }
    const errors = (fields: object) => errorsOf('ExternalVolumeConfig', { ...fields })
    expect(errors({ name: 'a' })).toEqual(['invalid filesystem type: none'])
    expect(errors(shared)).toEqual(['virtiofs mount spec is required'])
    expect(errors({ ...shared, mount: { virtiofs: {} } })).toEqual(['virtiofs tag is required'])
    expect(errors({ ...shared, mount: { virtiofs: { tag: 'a' } } })).toEqual([])
  })

  test('compressed memory is a share of the whole', () => {
    const wrong = ['maxPoolPercent must be between 0 and 100']
    expect(errorsOf('ZswapConfig', {})).toEqual([])
    expect(errorsOf('ZswapConfig', { maxPoolPercent: 100 })).toEqual([])
    expect(errorsOf('ZswapConfig', { maxPoolPercent: 101 })).toEqual(wrong)
    expect(errorsOf('ZswapConfig', { maxPoolPercent: -1 })).toEqual(wrong)
  })
})
