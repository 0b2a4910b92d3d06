import type { ValueMap } from '#machineconfig/document.ts'
import { readBase64 } from '#machineconfig/read/leaves/base64.ts'
import { keysAt, sectionAt, textAt } from '#machineconfig/validate/checks/fields.ts'
import { urlParts } from '#machineconfig/validate/checks/url-parts.ts'
import type { RulesByKind } from './kind-rules.ts'
import { logicalVolumeErrors, volumeGroupErrors } from './logical-volumes.ts'

const DISCOVERY_SCHEMES = ['http', 'https', 'grpc']

/** What v1.14 has besides Kubernetes. */
export const laterRules: RulesByKind = {
  DiscoveryIdentityConfig: { errors: identityErrors },
  DiscoveryServiceConfig: { errors: discoveryErrors },
  FilesystemTrimConfig: { errors: trimErrors },
  LVMLogicalVolumeConfig: { errors: logicalVolumeErrors },
  LVMVolumeGroupConfig: { errors: volumeGroupErrors },
  SysctlConfig: { errors: (fields) => parameterErrors(fields, 'sysctl') },
  SysfsConfig: { errors: (fields) => parameterErrors(fields, 'sysfs') },
  UnattendedInstallConfig: { errors: installErrors },
}

function* identityErrors(fields: ValueMap): Iterable<string> {
  if (textAt(fields, 'clusterID') === '') yield 'clusterID is required'
  const secret = textAt(fields, 'clusterSecret')
  const bytes = readBase64(secret)
  if (secret === '') yield 'clusterSecret is required'
  else if (typeof bytes !== 'string') yield `invalid clusterSecret: ${bytes.why}`
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
  const selector = sectionAt(sectionAt(fields, 'provisioning'), 'diskSelector')
  // Talos calls it by another name than its key.
  if (textAt(selector, 'match') === '') yield 'provisioning.volumeSelector.match is required'
}
