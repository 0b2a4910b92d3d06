import type { ValueMap } from '#machineconfig/document.ts'
import { quote } from '#machineconfig/quote.ts'
import {
  isOn,
  itemsAt,
  numberAt,
  sectionAt,
  textAt,
  textsAt,
  valueAt,
} from '#machineconfig/validate/checks/fields.ts'
import { isAddress, isIp, isSubnetOrAddress } from '#machineconfig/validate/checks/ip.ts'
import type { RuleContext, RulesByKind } from './kind-rules.ts'

const LONGEST_FQDN = 253
const LONGEST_LABEL = 63
const SMALLEST_MTU = 1280

/** What the machine is called, what it knows of others and how it keeps time. */
export const hostRules: RulesByKind = {
  HostnameConfig: { errors: hostnameErrors, legacyConflict: hostnameConflict },
  StaticHostConfig: { errors: staticHostErrors },
  TimeSyncConfig: { errors: timeSyncErrors, legacyConflict: timeSyncConflict },
  KubeSpanConfig: { errors: kubeSpanErrors, legacyConflict: kubeSpanConflict },
}

function* hostnameErrors(fields: ValueMap, { minor }: RuleContext): Iterable<string> {
  const auto = textAt(fields, 'auto')
  const hostname = textAt(fields, 'hostname')
  const isAuto = auto !== '' && auto !== 'off'
  // Since v1.14 `auto: off` alone says that the name comes from elsewhere.
  const isSaid = minor >= 14 ? auto !== '' : isAuto
  if (!isSaid && hostname === '') yield "either 'auto' or 'hostname' must be set"
  if (isAuto && hostname !== '') yield "'auto' and 'hostname' cannot be set at the same time"
  if (isAuto && auto !== 'stable') yield `invalid value for 'auto': ${auto}`
  if (hostname === '') return
  const length = Buffer.byteLength(hostname)
  if (length > LONGEST_FQDN) yield `fqdn is too long: ${length}`
  const [label = ''] = hostname.split('.')
  if (label === '' || Buffer.byteLength(label) > LONGEST_LABEL) {
    yield `invalid hostname ${quote(label)}`
  }
}

function hostnameConflict(_fields: ValueMap, legacy: ValueMap): string | undefined {
  const machine = sectionAt(legacy, 'machine')
  if (textAt(sectionAt(machine, 'network'), 'hostname') !== '') {
    return 'static hostname is already set in v1alpha1 config'
  }
  if (isOn(sectionAt(machine, 'features'), 'stableHostname')) {
    return 'stable hostname is already set in v1alpha1 config'
  }
  return undefined
}

function* staticHostErrors(fields: ValueMap): Iterable<string> {
  const name = textAt(fields, 'name')
  if (name === '') yield 'name is required'
  if (!isAddress(name)) yield 'name must be a valid IP address'
  if (itemsAt(fields, 'hostnames').length === 0) yield 'at least one hostname is required'
}

function* timeSyncErrors(fields: ValueMap): Iterable<string> {
  if (textAt(fields, 'bootTimeout').startsWith('-')) yield 'bootTimeout cannot be negative'
  const ntp = sectionAt(fields, 'ntp')
  if (ntp !== undefined && sectionAt(fields, 'ptp') !== undefined) {
    yield 'only one of ntp or ptp configuration can be specified'
  }
  if (!isOn(ntp, 'useNTS')) return
  for (const server of textsAt(ntp, 'servers').filter(isIp)) {
    yield `NTS requires hostnames, not IP addresses: ${quote(server)}`
  }
}

function timeSyncConflict(_fields: ValueMap, legacy: ValueMap): string | undefined {
  const time = sectionAt(sectionAt(legacy, 'machine'), 'time')
  const both = 'in both v1alpha1 and new-style configuration'
  if (isOn(time, 'disabled')) return `time sync cannot be disabled ${both}`
  if (itemsAt(time, 'servers').length > 0) return `time servers cannot be specified ${both}`
  if (textAt(time, 'bootTimeout') !== '') return `boot timeout cannot be specified ${both}`
  return undefined
}

function* kubeSpanErrors(fields: ValueMap): Iterable<string> {
  const isSmall = numberAt(fields, 'mtu') < SMALLEST_MTU
  if (valueAt(fields, 'mtu') !== undefined && isSmall) {
    yield `kubespan link MTU must be at least ${SMALLEST_MTU}`
  }
  for (const endpoint of textsAt(sectionAt(fields, 'filters'), 'endpoints')) {
    const subnet = endpoint.replace(/^!/, '')
    if (!isSubnetOrAddress(subnet)) {
      yield `KubeSpan endpoint filter is not valid: ${quote(subnet)}`
    }
  }
}

function kubeSpanConflict(_fields: ValueMap, legacy: ValueMap): string | undefined {
  const network = sectionAt(sectionAt(legacy, 'machine'), 'network')
  const isThere = sectionAt(network, 'kubespan') !== undefined
  return isThere ? 'kubespan is already configured in v1alpha1 machine.network.kubespan' : undefined
}
