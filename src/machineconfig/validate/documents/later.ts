import type { ValueMap } from '#machineconfig/document.ts'
import { quote } from '#machineconfig/quote.ts'
import { readBase64 } from '#machineconfig/read/leaves/base64.ts'
import { REDACTED } from '#machineconfig/redacted.ts'
import { keysAt, sectionAt, textAt } from '#machineconfig/validate/checks/fields.ts'
import { qualifiedNameProblem } from '#machineconfig/validate/checks/labels.ts'
import { urlParts } from '#machineconfig/validate/checks/url-parts.ts'
import { expressionProblem } from '#machineconfig/validate/expressions/expression.ts'
import { specProblems } from '#machineconfig/validate/legacy/runtime-spec.ts'
import type { RulesByKind } from './kind-rules.ts'
import { logicalVolumeErrors, raidErrors, volumeGroupErrors } from './logical-volumes.ts'
import { scrubErrors } from './scrub.ts'

const DISCOVERY_SCHEMES = ['http', 'https', 'grpc']
const SECRET_BYTES = 32
const LEGACY_CUSTOMIZATION = 'customization'
// Below /etc, what Talos writes itself: files, and folders with all that is in them.
const OWN_FILES =
  /^(?:resolv\.conf|hosts|machine-id|extensions\.yaml|localtime|os-release|xattr\.conf)$/
const OWN_FOLDERS =
  /^(?:apparmor\.d|apparmor|ca-certificates|cni|cri|iscsi|kubernetes|lvm|nvme|pki|selinux|ssl)(?:\/|$)/

/** What v1.14 has besides Kubernetes. */
export const laterRules: RulesByKind = {
  CRIBaseRuntimeSpecConfig: { errors: (fields) => specProblems(sectionAt(fields, 'overrides')) },
  CRICustomizationConfig: { errors: customizationErrors },
  DiscoveryIdentityConfig: { errors: identityErrors },
  DiscoveryServiceConfig: { errors: discoveryErrors },
  EtcFileConfig: { errors: etcFileErrors },
  FilesystemScrubConfig: { errors: scrubErrors },
  FilesystemTrimConfig: { errors: trimErrors },
  KernelModuleConfig: { errors: moduleErrors },
  LVMLogicalVolumeConfig: { errors: logicalVolumeErrors },
  LVMVolumeGroupConfig: { errors: volumeGroupErrors },
  RAIDArrayConfig: { errors: raidErrors },
  SysctlConfig: { errors: (fields) => parameterErrors(fields, 'sysctl') },
  SysfsConfig: { errors: (fields) => parameterErrors(fields, 'sysfs') },
  UnattendedInstallConfig: { errors: installErrors, warnings: installWarnings },
}

function* identityErrors(fields: ValueMap): Iterable<string> {
  const secret = textAt(fields, 'clusterSecret')
  const read = readBase64(secret)
  if (textAt(fields, 'clusterID') === '') yield 'clusterID is required'
  else if (secret === '') yield 'clusterSecret is required'
  else if (typeof read !== 'string') {
    // Talos shows it, we do not.
    yield `invalid clusterSecret: failed to decode from base64: ${REDACTED}; ${read.why}`
  } else yield* lengthErrors(Buffer.from(read, 'base64').length)
}

function* lengthErrors(bytes: number): Iterable<string> {
  if (bytes !== SECRET_BYTES) {
    yield `invalid clusterSecret: expected ${SECRET_BYTES} bytes, got ${bytes}: ${REDACTED}`
  }
}

function* discoveryErrors(fields: ValueMap): Iterable<string> {
  const endpoint = textAt(fields, 'endpoint')
  const { scheme, hostname } = urlParts(endpoint)
  if (textAt(fields, 'name') === '') yield 'name is required'
  else if (endpoint === '') yield 'endpoint is required'
  else if (scheme === '') yield 'endpoint scheme is required'
  else if (!DISCOVERY_SCHEMES.includes(scheme)) {
    yield 'endpoint scheme must be http://, https:// or grpc://'
  } else if (hostname === '') yield 'endpoint host is required'
}

function* trimErrors(fields: ValueMap): Iterable<string> {
  if (textAt(fields, 'interval').startsWith('-')) yield 'interval cannot be negative'
}

function* parameterErrors(fields: ValueMap, what: string): Iterable<string> {
  if (keysAt(fields, 'params').includes('')) yield `${what} key cannot be empty`
}

function* installErrors(fields: ValueMap): Iterable<string> {
  const key = 'provisioning.diskSelector.match'
  const match = textAt(sectionAt(sectionAt(fields, 'provisioning'), 'diskSelector'), 'match')
  const problem = match === '' ? undefined : expressionProblem(match, 'disk')
  if (match === '') yield `${key} is required`
  if (problem !== undefined) yield `${key}: ${problem}`
}

function* installWarnings(fields: ValueMap): Iterable<string> {
  if (textAt(sectionAt(fields, 'installer'), 'image') === '') {
    yield 'installer.image is not set, if Talos is not booted from asset built by Image Factory, installation will fail'
  }
}

function* customizationErrors(fields: ValueMap): Iterable<string> {
  const name = textAt(fields, 'name')
  for (const problem of qualifiedNameProblem(name)) yield `invalid name: ${problem}`
  if (name === LEGACY_CUSTOMIZATION) {
    yield `name "${name}" is reserved for the legacy CRI customization`
  }
}

function* moduleErrors(fields: ValueMap): Iterable<string> {
  if (textAt(fields, 'name') === '') yield 'name is required'
}

function* etcFileErrors(fields: ValueMap): Iterable<string> {
  const name = textAt(fields, 'name')
  if (name === '') yield 'user etc file name cannot be empty'
  else if (!isLocal(name)) yield `user etc file ${quote(name)} must be a local path`
  else if (OWN_FILES.test(name) || OWN_FOLDERS.test(name)) {
    yield `user etc file ${quote(name)} is managed by Talos`
  }
}

/** Whether a path stays below where it begins. */
function isLocal(path: string): boolean {
  if (path.startsWith('/') || path.startsWith('.')) return false
  let depth = 0
  for (const part of path.split('/')) {
    if (part === '..') depth -= 1
    else if (part !== '' && part !== '.') depth += 1
    if (depth < 0) return false
  }
  return true
}
