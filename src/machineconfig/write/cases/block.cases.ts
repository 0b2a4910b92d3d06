import type { WrittenCase } from './written-case.cases.ts'

export const blockCases: readonly WrittenCase[] = [
  {
    text: `apiVersion: v1alpha1
kind: ExistingVolumeConfig
name: my-existing-volume
discovery: {volumeSelector: {match: volume.partition_label == "MY-DATA"}}
mount: {readOnly: true, secure: false}
`,
    written: `apiVersion: v1alpha1
kind: ExistingVolumeConfig
name: my-existing-volume
discovery:
    volumeSelector:
        match: volume.partition_label == "MY-DATA"
mount:
    readOnly: true
    secure: false
`,
  },
  {
    text: `apiVersion: v1alpha1
kind: ExternalVolumeConfig
name: shared
filesystemType: virtiofs
mount: {disableAccessTime: true, virtiofs: {tag: Data}}
`,
    written: `apiVersion: v1alpha1
kind: ExternalVolumeConfig
name: shared
filesystemType: virtiofs
mount:
    disableAccessTime: true
    virtiofs:
        tag: Data
`,
  },
  {
    text: `apiVersion: v1alpha1
kind: RawVolumeConfig
name: raw
provisioning: {diskSelector: {match: disk.transport == "nvme" && !system_disk}, grow: true, minSize: 10GiB, maxSize: 80%}
encryption: {provider: luks2, keys: [{slot: 0, static: {passphrase: not a secret}}, {slot: 1, nodeID: {}}, {slot: 2, kms: {endpoint: "https://kms.example:4050"}}, {slot: 3, tpm: {options: {pcrs: [7, 11]}, checkSecurebootStatusOnEnroll: true}, lockToState: true}], cipher: aes-xts-plain64, keySize: 4096, blockSize: 4096, options: [no_read_workqueue]}
`,
    written: `apiVersion: v1alpha1
kind: RawVolumeConfig
name: raw
provisioning:
    diskSelector:
        match: disk.transport == "nvme" && !system_disk
    grow: true
    minSize: 10GiB
    maxSize: 80%
encryption:
    provider: luks2
    keys:
        - slot: 0
          static:
            passphrase: not a secret
        - slot: 1
          nodeID: {}
        - slot: 2
          kms:
            endpoint: https://kms.example:4050
        - slot: 3
          tpm:
            options:
                pcrs:
                    - 7
                    - 11
            checkSecurebootStatusOnEnroll: true
          lockToState: true
    cipher: aes-xts-plain64
    keySize: 4096
    blockSize: 4096
    options:
        - no_read_workqueue
`,
  },
  {
    text: `apiVersion: v1alpha1
kind: SwapVolumeConfig
name: swap1
provisioning: {diskSelector: {match: disk.transport == "nvme" && !system_disk}, grow: true, minSize: 512 MiB, maxSize: -1GB}
encryption: {provider: luks2, keys: [{slot: 0, static: {passphrase: not a secret}}, {slot: 1, nodeID: {}}, {slot: 2, kms: {endpoint: "https://kms.example:4050"}}, {slot: 3, tpm: {options: {pcrs: [7, 11]}, checkSecurebootStatusOnEnroll: true}, lockToState: true}], cipher: aes-xts-plain64, keySize: 4096, blockSize: 4096, options: [no_read_workqueue]}
`,
    written: `apiVersion: v1alpha1
kind: SwapVolumeConfig
name: swap1
provisioning:
    diskSelector:
        match: disk.transport == "nvme" && !system_disk
    grow: true
    minSize: 512 MiB
    maxSize: -1GB
encryption:
    provider: luks2
    keys:
        - slot: 0
          static:
            passphrase: not a secret
        - slot: 1
          nodeID: {}
        - slot: 2
          kms:
            endpoint: https://kms.example:4050
        - slot: 3
          tpm:
            options:
                pcrs:
                    - 7
                    - 11
            checkSecurebootStatusOnEnroll: true
          lockToState: true
    cipher: aes-xts-plain64
    keySize: 4096
    blockSize: 4096
    options:
        - no_read_workqueue
`,
  },
  {
    text: `apiVersion: v1alpha1
kind: UserVolumeConfig
name: ceph-data
volumeType: partition
provisioning: {diskSelector: {match: disk.transport == "nvme" && !system_disk}, grow: true, minSize: 10GiB, maxSize: 80%}
encryption: {provider: luks2, keys: [{slot: 0, static: {passphrase: not a secret}}, {slot: 1, nodeID: {}}, {slot: 2, kms: {endpoint: "https://kms.example:4050"}}, {slot: 3, tpm: {options: {pcrs: [7, 11]}, checkSecurebootStatusOnEnroll: true}, lockToState: true}], cipher: aes-xts-plain64, keySize: 4096, blockSize: 4096, options: [no_read_workqueue]}
filesystem: {type: ext4, projectQuotaSupport: true}
mount: {disableAccessTime: true, secure: false}
`,
    written: `apiVersion: v1alpha1
kind: UserVolumeConfig
name: ceph-data
volumeType: partition
provisioning:
    diskSelector:
        match: disk.transport == "nvme" && !system_disk
    grow: true
    minSize: 10GiB
    maxSize: 80%
filesystem:
    type: ext4
    projectQuotaSupport: true
encryption:
    provider: luks2
    keys:
        - slot: 0
          static:
            passphrase: not a secret
        - slot: 1
          nodeID: {}
        - slot: 2
          kms:
            endpoint: https://kms.example:4050
        - slot: 3
          tpm:
            options:
                pcrs:
                    - 7
                    - 11
            checkSecurebootStatusOnEnroll: true
          lockToState: true
    cipher: aes-xts-plain64
    keySize: 4096
    blockSize: 4096
    options:
        - no_read_workqueue
mount:
    disableAccessTime: true
    secure: false
`,
  },
  {
    text: `apiVersion: v1alpha1
kind: UserVolumeConfig
name: dir
volumeType: directory
filesystem: {}
encryption: {cipher: dropped}
`,
    written: `apiVersion: v1alpha1
kind: UserVolumeConfig
name: dir
volumeType: directory
`,
  },
  {
    text: `apiVersion: v1alpha1
kind: VolumeConfig
name: EPHEMERAL
provisioning: {diskSelector: {match: disk.transport == "nvme" && !system_disk}, grow: true, minSize: 10GiB, maxSize: 80%}
encryption: {provider: luks2, keys: [{slot: 0, static: {passphrase: not a secret}}, {slot: 1, nodeID: {}}, {slot: 2, kms: {endpoint: "https://kms.example:4050"}}, {slot: 3, tpm: {options: {pcrs: [7, 11]}, checkSecurebootStatusOnEnroll: true}, lockToState: true}], cipher: aes-xts-plain64, keySize: 4096, blockSize: 4096, options: [no_read_workqueue]}
mount: {secure: true}
`,
    written: `apiVersion: v1alpha1
kind: VolumeConfig
name: EPHEMERAL
provisioning:
    diskSelector:
        match: disk.transport == "nvme" && !system_disk
    grow: true
    minSize: 10GiB
    maxSize: 80%
encryption:
    provider: luks2
    keys:
        - slot: 0
          static:
            passphrase: not a secret
        - slot: 1
          nodeID: {}
        - slot: 2
          kms:
            endpoint: https://kms.example:4050
        - slot: 3
          tpm:
            options:
                pcrs:
                    - 7
                    - 11
            checkSecurebootStatusOnEnroll: true
          lockToState: true
    cipher: aes-xts-plain64
    keySize: 4096
    blockSize: 4096
    options:
        - no_read_workqueue
mount:
    secure: true
`,
  },
  {
    text: `apiVersion: v1alpha1
kind: VolumeConfig
name: IMAGECACHE
provisioning: {diskSelector: {match: ""}, maxSize: 0, minSize: ""}
mount: {}
`,
    written: `apiVersion: v1alpha1
kind: VolumeConfig
name: IMAGECACHE
provisioning:
    maxSize: "0"
`,
  },
  {
    text: `apiVersion: v1alpha1
kind: ZswapConfig
maxPoolPercent: 25
shrinkerEnabled: true
`,
    written: `apiVersion: v1alpha1
kind: ZswapConfig
maxPoolPercent: 25
shrinkerEnabled: true
`,
  },
]
