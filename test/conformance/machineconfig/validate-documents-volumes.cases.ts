import type { DocumentCases } from './validate-documents-case.ts'

const disk = { diskSelector: { match: 'disk.transport == "nvme"' } }
const sized = { ...disk, maxSize: '50GiB' }
const key = { slot: 0, static: { passphrase: 'throw-away' } }
const luks = { provider: 'luks2', keys: [key] }

/** Disks, partitions and what is mounted: good ones and bad ones. */
export const volumeCases: DocumentCases = {
  VolumeConfig: [
    { name: 'EPHEMERAL' },
    { name: 'EPHEMERAL', provisioning: sized, encryption: luks },
    { name: 'EPHEMERAL', provisioning: { minSize: '10GiB', maxSize: '1GiB' } },
    { name: 'EPHEMERAL', provisioning: { minSize: '-10GiB' } },
    { name: 'EPHEMERAL', provisioning: { minSize: '10GiB', maxSize: '-1GiB' } },
    { name: 'EPHEMERAL', provisioning: { minSize: '10GiB', maxSize: '5%' } },
    { name: 'EPHEMERAL', provisioning: { minSize: '-1GiB', maxSize: '1MiB', grow: false } },
    { name: 'IMAGECACHE', provisioning: { diskSelector: { match: 'disk.size > 1' } } },
    { name: 'STATE' },
    { name: 'STATE', provisioning: { grow: true } },
    { name: 'STATE', encryption: { ...luks, keys: [{ ...key, lockToState: true }] } },
    {
      name: 'STATE',
      provisioning: disk,
      encryption: { provider: 'luks2' },
      mount: { secure: false },
    },
    { name: 'META' },
    { name: '' },
    { name: 'EPHEMERAL', encryption: { keys: [key] } },
    { name: 'EPHEMERAL', encryption: { cipher: 'aes' } },
    { name: 'EPHEMERAL', encryption: { provider: 'none', keys: [key, key] } },
    { name: 'EPHEMERAL', encryption: { provider: 'luks2', keys: [{ slot: 1 }, { slot: 1 }, key] } },
    {
      name: 'EPHEMERAL',
      encryption: { ...luks, keys: [{ slot: 3, tpm: { options: { pcrs: [0, 23, 24, -1] } } }] },
    },
    {
      name: 'EPHEMERAL',
      encryption: {
        ...luks,
        keys: [
          { slot: 3, nodeID: {} },
          { slot: 4, tpm: {} },
        ],
      },
    },
    { name: 'EPHEMERAL', encryption: { ...luks, keys: [{ slot: 3, kms: { endpoint: '' } }] } },
  ],
  UserVolumeConfig: [
    { name: 'data', provisioning: sized },
    { name: 'data', provisioning: sized, filesystem: { type: 'ext4' }, encryption: luks },
    { name: 'data', provisioning: sized, filesystem: { type: 'ext4', projectQuotaSupport: true } },
    { name: 'data', provisioning: sized, filesystem: { projectQuotaSupport: true } },
    { name: 'data', provisioning: sized, filesystem: { type: 'vfat', projectQuotaSupport: true } },
    { name: 'data', provisioning: sized, filesystem: { type: 'swap' } },
    { name: 'data' },
    { name: 'data', provisioning: disk },
    { name: 'data', provisioning: { maxSize: '1GB' } },
    { name: 'data', volumeType: 'disk', provisioning: disk },
    { name: 'data', volumeType: 'disk', provisioning: sized },
    { name: 'data', volumeType: 'disk', provisioning: { ...disk, grow: false } },
    { name: 'data', volumeType: 'disk', filesystem: { type: 'vfat' }, encryption: { keys: [key] } },
    { name: 'data', volumeType: 'directory' },
    {
      name: 'data',
      volumeType: 'directory',
      provisioning: sized,
      encryption: luks,
      filesystem: { type: 'xfs' },
      mount: { secure: true },
    },
    { name: 'data', volumeType: 'directory', encryption: { cipher: 'aes' }, mount: {} },
    { name: 'data', volumeType: 'tmpfs' },
    { name: 'data', volumeType: 'nothing' },
    { name: '' },
    { name: 'with_underscore', provisioning: sized },
    { name: 'x'.repeat(34), provisioning: sized },
    { name: 'x'.repeat(35), provisioning: sized },
    { name: 'é'.repeat(18), provisioning: sized },
  ],
  ExistingVolumeConfig: [
    {
      name: 'old',
      discovery: { volumeSelector: { match: 'volume.partition_label == "MY-DATA"' } },
    },
    {
      name: 'x'.repeat(60),
      discovery: { volumeSelector: { match: 'disk.serial == "A" && volume.size > 1u' } },
    },
    { name: 'old' },
    { name: '', mount: { readOnly: true } },
    { name: 'a b', discovery: { volumeSelector: { match: 'system_disk' } } },
    { name: 'old', discovery: { volumeSelector: { match: 'glob("a", volume.name)' } } },
    { name: 'old', discovery: { volumeSelector: { match: 'volume.label' } } },
  ],
  RawVolumeConfig: [
    { name: 'raw', provisioning: sized },
    { name: 'raw' },
    { name: '', provisioning: sized, encryption: { provider: 'luks2' } },
    { name: 'r'.repeat(35), provisioning: { ...disk, minSize: '1GB' } },
  ],
  SwapVolumeConfig: [
    { name: 'swap', provisioning: { ...disk, minSize: '3GiB', maxSize: '4GiB' }, encryption: luks },
    { name: 'swap.1', provisioning: { ...disk, minSize: '5GiB', maxSize: '4GiB' } },
  ],
  ExternalVolumeConfig: [
    { name: 'ext', filesystemType: 'virtiofs', mount: { virtiofs: { tag: 'Data' } } },
    { name: 'ext', filesystemType: 'virtiofs' },
    { name: 'ext', filesystemType: 'virtiofs', mount: { virtiofs: {} } },
    { name: 'ext', filesystemType: 'xfs' },
    { name: 'ext' },
    { name: '', filesystemType: 'virtiofs', mount: { readOnly: true } },
  ],
  ZswapConfig: [
    {},
    { maxPoolPercent: 25, shrinkerEnabled: true },
    { maxPoolPercent: 0 },
    { maxPoolPercent: 101 },
    { maxPoolPercent: -1 },
  ],
}
