import { quote } from '#machineconfig/quote.ts'
import {
  numberAt,
  type Section,
  sectionAt,
  sectionsAt,
  textAt,
  valueAt,
} from '#machineconfig/validate/checks/fields.ts'

const KEY_SOURCES = ['nodeID', 'static', 'kms', 'tpm']

/** What is wrong with the disks that are to be divided. */
export function* diskProblems(machine: Section): Generator<string> {
  for (const [index, disk] of sectionsAt(machine, 'disks').entries()) {
    if (disk) yield* partitionProblems(disk, index)
    else yield `machine.disks[${index}] is null`
  }
}

function* partitionProblems(disk: Section, diskIndex: number): Generator<string> {
  const partitions = sectionsAt(disk, 'partitions')
  for (const [index, partition] of partitions.entries()) {
    if (!partition) yield `machine.disks[${diskIndex}].partitions[${index}] is null`
    else if (isWhole(partition) && index < partitions.length - 1) {
      yield `partition for disk ${quote(textAt(disk, 'device'))} is set to occupy full disk, but it's not the last partition in the list`
    }
  }
}

const isWhole = (partition: Section): boolean =>
  [undefined, 0, '0', '0 B'].some((size) => valueAt(partition, 'size') === size)

/** What is wrong with the encryption of Talos' own partitions. */
export function* diskEncryptionProblems(machine: Section): Generator<string> {
  const encryption = sectionAt(machine, 'systemDiskEncryption')
  for (const [key, label] of [
    ['ephemeral', 'EPHEMERAL'],
    ['state', 'STATE'],
  ] as const) {
    const partition = sectionAt(encryption, key)
    if (!partition) continue
    for (const problem of keyProblems(partition)) yield `partition "${label}": ${problem}`
  }
}

function* keyProblems(partition: Section): Generator<string> {
  const keys = sectionsAt(partition, 'keys')
  if (keys.length === 0) yield 'no encryption keys provided'
  const slots = new Set<number>()
  for (const key of keys) {
    const slot = numberAt(key, 'slot')
    if (slots.has(slot)) yield `encryption key slot ${slot} is already in use`
    slots.add(slot)
    if (!KEY_SOURCES.some((source) => sectionAt(key, source))) {
      yield `encryption key at slot ${slot} doesn't have the configuration parameters`
    }
  }
}
