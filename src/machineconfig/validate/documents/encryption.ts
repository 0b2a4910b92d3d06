import {
  isSection,
  numberAt,
  type Section,
  sectionAt,
  sectionsAt,
  textAt,
  valueAt,
} from '#machineconfig/validate/checks/fields.ts'

const LAST_PCR = 23
const KEY_TYPES = ['static', 'nodeID', 'kms', 'tpm']

/** Whether Talos takes the section for absent: other settings than these do not count. */
export const isUnencrypted = (encryption: Section): boolean =>
  !isEncrypted(encryption) && sectionsAt(encryption, 'keys').length === 0

/** Whether a provider is named. */
export const isEncrypted = (encryption: Section): boolean =>
  !['', 'none'].includes(textAt(encryption, 'provider'))

/** What is wrong with how a volume is encrypted. */
export function* encryptionErrors(encryption: Section): Iterable<string> {
  if (isUnencrypted(encryption)) return
  if (!isEncrypted(encryption)) yield 'unsupported encryption provider: none'
  const keys = sectionsAt(encryption, 'keys')
  if (keys.length === 0) yield 'encryption keys are required'
  const used = new Set<number>()
  for (const key of keys) {
    const slot = numberAt(key, 'slot')
    if (used.has(slot)) yield `duplicate key slot ${slot}`
    used.add(slot)
    yield* keyErrors(key, slot)
  }
}

function* keyErrors(key: Section, slot: number): Iterable<string> {
  if (!KEY_TYPES.some((type) => isSection(valueAt(key, type)))) {
    yield `at least one encryption key type must be specified for slot ${slot}`
  }
  const pcrs = valueAt(sectionAt(sectionAt(key, 'tpm'), 'options'), 'pcrs')
  for (const pcr of Array.isArray(pcrs) ? pcrs : []) {
    if (pcr < 0 || pcr > LAST_PCR) yield `TPM PCR ${pcr} is out of range (0-${LAST_PCR})`
  }
}
