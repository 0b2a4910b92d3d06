import type { ValueMap } from '#machineconfig/document.ts'
import { quote } from '#machineconfig/quote.ts'
import {
  isOn,
  isSection,
  numberAt,
  type Section,
  sectionAt,
  sectionsAt,
  textAt,
  valueAt,
} from '#machineconfig/validate/checks/fields.ts'
import { expressionProblem } from '#machineconfig/validate/expressions/expression.ts'
import { encryptionErrors, isEncrypted, isUnencrypted } from './encryption.ts'
import type { RuleContext, RulesByKind } from './kind-rules.ts'
import { isUnprovisioned, provisioningErrors } from './provisioning.ts'
import { scrubErrors } from './scrub.ts'

// A partition label holds 36 characters, of which Talos takes two for its own prefix.
const LONGEST_NAME = 34
const STATE = 'STATE'
const IMAGE_CACHE = 'IMAGECACHE'
const SYSTEM_VOLUMES = [STATE, 'EPHEMERAL', IMAGE_CACHE]
// Since v1.14: folders of EPHEMERAL, unless they are given partitions of their own.
const LATER_VOLUMES = ['ETCD', 'CRI', 'KUBELET', 'LOG']
const LEGACY_ENCRYPTION = new Map([
  [STATE, 'state'],
  ['EPHEMERAL', 'ephemeral'],
])

/** Disks, partitions and what is mounted. */
export const volumeRules: RulesByKind = {
  VolumeConfig: { errors: systemVolumeErrors, legacyConflict: encryptionConflict },
  UserVolumeConfig: { errors: userVolumeErrors },
  ExistingVolumeConfig: { errors: existingVolumeErrors },
  RawVolumeConfig: { errors: partitionErrors },
  SwapVolumeConfig: { errors: partitionErrors },
  ExternalVolumeConfig: { errors: externalVolumeErrors },
  ZswapConfig: { errors: zswapErrors },
}

function* systemVolumeErrors(fields: ValueMap, { minor }: RuleContext): Iterable<string> {
  const name = textAt(fields, 'name')
  const known = minor >= 14 ? [...SYSTEM_VOLUMES, ...LATER_VOLUMES] : SYSTEM_VOLUMES
  if (!known.includes(name)) {
    yield `only [${known.map(quote).join(' ')}] volumes are supported`
    return
  }
  const provisioning = sectionAt(fields, 'provisioning')
  if (name === STATE) yield* stateErrors(fields)
  if (minor >= 14) yield* placeErrors(fields, name)
  yield* provisioningErrors(provisioning, { required: false, sized: true })
  yield* encryptionErrors(sectionAt(fields, 'encryption'))
  yield* upkeepErrors(fields)
}

/** What a volume cannot be told, for where it is or how Talos makes it. */
function* placeErrors(fields: ValueMap, name: string): Iterable<string> {
  const isMounted = isFilled(fields, 'mount')
  const isFixed = name === STATE || name === IMAGE_CACHE
  if (isMounted && isFixed) yield `mount config is not allowed for the ${quote(name)} volume`
  if (name === IMAGE_CACHE && isFilled(fields, 'filesystem')) {
    yield `filesystem config is not allowed for the ${quote(name)} volume`
  }
  const isFolder = LATER_VOLUMES.includes(name) && !isFilled(fields, 'provisioning')
  if (isMounted && isFolder) {
    yield `mount config for the ${quote(name)} volume is only supported when it is provisioned onto a dedicated partition`
  }
}

const isFilled = (fields: ValueMap, key: string): boolean =>
  Object.keys(sectionAt(fields, key) ?? {}).length > 0

function* stateErrors(fields: ValueMap): Iterable<string> {
  if (!isUnprovisioned(sectionAt(fields, 'provisioning'))) {
    yield `provisioning config is not allowed for the "${STATE}" volume`
  }
  for (const key of sectionsAt(sectionAt(fields, 'encryption'), 'keys')) {
    if (isOn(key, 'lockToState')) yield `state-locked key is not allowed for the "${STATE}" volume`
  }
}

/** Since v1.14 volumes have it. */
function* upkeepErrors(fields: ValueMap): Iterable<string> {
  const isNegative = textAt(sectionAt(fields, 'trim'), 'interval').startsWith('-')
  if (isNegative) yield 'trim interval cannot be negative'
  yield* scrubErrors(sectionAt(fields, 'scrub'))
}

function encryptionConflict(fields: ValueMap, legacy: ValueMap): string | undefined {
  const name = textAt(fields, 'name')
  const partition = LEGACY_ENCRYPTION.get(name)
  if (partition === undefined || !isEncrypted(sectionAt(fields, 'encryption'))) return
  const disks = sectionAt(sectionAt(legacy, 'machine'), 'systemDiskEncryption')
  if (sectionAt(disks, partition) === undefined) return
  return `system disk encryption for ${quote(name)} is configured in both v1alpha1.Config and VolumeConfig`
}

function* userVolumeErrors(fields: ValueMap, context: RuleContext): Iterable<string> {
  yield* labelErrors(fields)
  const type = textAt(fields, 'volumeType') || 'partition'
  if (type === 'directory') yield* directoryErrors(fields, context)
  else if (type === 'disk' || type === 'partition') {
    yield* provisioningErrors(sectionAt(fields, 'provisioning'), {
      required: true,
      sized: type === 'partition',
    })
    yield* filesystemErrors(sectionAt(fields, 'filesystem'))
    yield* encryptionErrors(sectionAt(fields, 'encryption'))
  } else yield `unsupported volume type ${quote(type)}`
  yield* upkeepErrors(fields)
}

function* directoryErrors(fields: ValueMap, { minor }: RuleContext): Iterable<string> {
  const isSet: readonly (readonly [string, boolean])[] = [
    ['provisioning', !isUnprovisioned(sectionAt(fields, 'provisioning'))],
    ['encryption', !isUnencrypted(sectionAt(fields, 'encryption'))],
    ['filesystem', isFilled(fields, 'filesystem')],
    ['mount', minor < 14 && isFilled(fields, 'mount')],
  ]
  for (const [section, is] of isSet) {
    if (is) yield `${section} spec is invalid for volumeType directory`
  }
  const { disableAccessTime } = sectionAt(fields, 'mount') ?? {}
  if (minor >= 14 && disableAccessTime !== undefined) {
    yield 'mount.disableAccessTime is invalid for volumeType directory'
  }
}

function* filesystemErrors(filesystem: Section): Iterable<string> {
  const type = textAt(filesystem, 'type') || 'none'
  // Versions before v1.14 have no `btrfs` to write here.
  if (!['none', 'xfs', 'ext4', 'btrfs'].includes(type)) yield `unsupported filesystem type: ${type}`
  else if (isOn(filesystem, 'projectQuotaSupport') && type !== 'none' && type !== 'xfs') {
    yield 'project quota support is only available for xfs filesystem'
  } else if (sectionAt(filesystem, 'xfs') && type !== 'none' && type !== 'xfs') {
    yield 'xfs options are only available for xfs filesystem'
  }
}

function* existingVolumeErrors(fields: ValueMap): Iterable<string> {
  yield* nameErrors(fields, Number.POSITIVE_INFINITY)
  const selector = sectionAt(sectionAt(fields, 'discovery'), 'volumeSelector')
  const match = textAt(selector, 'match')
  if (match === '') yield 'volume selector is required'
  const problem = match === '' ? undefined : expressionProblem(match, 'volume')
  if (problem !== undefined) yield `volume selector is invalid: ${problem}`
  yield* upkeepErrors(fields)
}

function* partitionErrors(fields: ValueMap): Iterable<string> {
  yield* labelErrors(fields)
  yield* provisioningErrors(sectionAt(fields, 'provisioning'), { required: true, sized: true })
  yield* encryptionErrors(sectionAt(fields, 'encryption'))
}

function* externalVolumeErrors(fields: ValueMap): Iterable<string> {
  yield* labelErrors(fields)
  const type = textAt(fields, 'filesystemType') || 'none'
  if (type !== 'virtiofs') {
    yield `invalid filesystem type: ${type}`
    return
  }
  const virtiofs = valueAt(sectionAt(fields, 'mount'), 'virtiofs')
  if (!isSection(virtiofs)) yield 'virtiofs mount spec is required'
  else if (textAt(virtiofs, 'tag') === '') yield 'virtiofs tag is required'
}

function* zswapErrors(fields: ValueMap): Iterable<string> {
  const percent = numberAt(fields, 'maxPoolPercent')
  if (percent < 0 || percent > 100) yield 'maxPoolPercent must be between 0 and 100'
}

const labelErrors = (fields: ValueMap): Iterable<string> => nameErrors(fields, LONGEST_NAME)

function* nameErrors(fields: ValueMap, longest: number): Iterable<string> {
  const name = textAt(fields, 'name')
  const isBounded = Number.isFinite(longest)
  if (name === '') yield 'name is required'
  if (isBounded && (name === '' || Buffer.byteLength(name) > longest)) {
    yield `name must be between 1 and ${longest} characters long`
  }
  if (/[^a-zA-Z0-9-]/.test(name)) {
    yield 'name can only contain lowercase and uppercase ASCII letters, digits, and hyphens'
  }
}
