import {
  duplicateField,
  type FieldError,
  forbiddenField,
  invalidField,
  required,
} from '#apiserver/field-error.ts'
import { qualifiedName, validateLabels } from '#apiserver/metadata/label-rules.ts'
import { dnsLabel, dnsSubdomain } from '#apiserver/metadata/name-rules.ts'
import { type Fields, fieldsAt, listAt, textAt } from '#apiserver/objects.ts'
import { type ClusterAddresses, isHeadless, isOpenToFamilies } from './cluster-addresses.ts'
import {
  checkOneOf,
  checkPort,
  checkPortOrName,
  checkRule,
  checkText,
  cidr,
  duplicateFinder,
  ipAddress,
  nameIn,
} from './field-checks.ts'
import { isSame, itemsOf } from './fill.ts'
import { duplicateGoValue } from './go-value.ts'

/** What is wrong with a service. Addresses and ports that it has already are not asked for again. */
export function problemsOfServices(
  object: Fields,
  old: Fields | undefined,
  addresses: ClusterAddresses,
): FieldError[] {
  const spec = fieldsAt(object, 'spec')
  const oldSpec = old && fieldsAt(old, 'spec')
  const errors = [
    ...(oldSpec ? refuseOtherAddress(spec, oldSpec) : []),
    ...validateType(spec),
    ...validatePorts(spec),
    ...validateLabels(fieldsAt(spec, 'selector'), 'spec.selector'),
    ...checkOneOf(spec.sessionAffinity, 'spec.sessionAffinity', ['ClientIP', 'None']),
    ...validateAddresses(spec),
    ...checkOneOf(spec.type, 'spec.type', [
      'ClusterIP',
      'ExternalName',
      'LoadBalancer',
      'NodePort',
    ]),
    ...validateNodePorts(spec),
    ...refuseSamePorts(spec),
    ...validateTraffic(spec),
  ]
  return errors.length > 0 ? errors : validateAllocation(spec, oldSpec, addresses)
}

/** What is wrong with the status: only a balancer has addresses to tell of. */
export const problemsOfStatus = (object: Fields): FieldError[] =>
  fieldsAt(object, 'spec').type !== 'LoadBalancer' &&
  listAt(fieldsAt(fieldsAt(object, 'status'), 'loadBalancer'), 'ingress').length > 0
    ? [
        forbiddenField(
          'status.loadBalancer.ingress',
          "may only be used when `spec.type` is 'LoadBalancer'",
        ),
      ]
    : []

function validateType(spec: Fields): FieldError[] {
  const { type } = spec
  const headless = isHeadless(spec)
  if (type === 'ExternalName')
    return [
      ...['clusterIPs', 'ipFamilies', 'ipFamilyPolicy']
        .filter((key) => !isSame(spec[key], undefined))
        .map((key) => forbiddenField(`spec.${key}`, 'may not be set for ExternalName services')),
      ...checkText(
        textAt(spec, 'externalName')?.replace(/\.$/, ''),
        'spec.externalName',
        dnsSubdomain,
      ),
    ]
  const errors: FieldError[] = []
  if (itemsOf(spec, 'ports').length === 0 && !headless) errors.push(required('spec.ports', ''))
  if (headless && (type === 'NodePort' || type === 'LoadBalancer'))
    errors.push(
      invalidField('spec.clusterIPs[0]', 'None', `may not be set to 'None' for ${type} services`),
    )
  return errors
}

function validatePorts(spec: Fields): FieldError[] {
  const ports = itemsOf(spec, 'ports')
  const isDuplicate = duplicateFinder()
  return ports.flatMap((port, index) => {
    const at = `spec.ports[${index}]`
    const name = nameIn(port)
    const needsName = ports.length > 1
    return [
      ...(needsName || name ? checkText(name, `${at}.name`, dnsLabel) : []),
      ...(name && isDuplicate(name) ? [duplicateField(`${at}.name`, name)] : []),
      ...checkPort(port.port, `${at}.port`),
      ...checkOneOf(port.protocol, `${at}.protocol`, ['SCTP', 'TCP', 'UDP']),
      ...checkPortOrName(port.targetPort, `${at}.targetPort`),
      ...checkRule(port.appProtocol, `${at}.appProtocol`, qualifiedName),
    ]
  })
}

function validateAddresses(spec: Fields): FieldError[] {
  const errors: FieldError[] = []
  if (spec.type !== 'ExternalName') {
    errors.push(...validateFamilies(spec))
    for (const [index, address] of listAt(spec, 'clusterIPs').entries())
      if (address !== 'None')
        errors.push(...checkRule(address, `spec.clusterIPs[${index}]`, ipAddress))
  }
  for (const [index, address] of listAt(spec, 'externalIPs').entries())
    errors.push(...checkRule(address, `spec.externalIPs[${index}]`, externalAddress))
  return errors
}

const externalAddress = (value: string): string[] =>
  value.startsWith('127.') || value === '::1'
    ? ['may not be in the loopback range (127.0.0.0/8, ::1/128)']
    : ipAddress(value)

function validateFamilies(spec: Fields): FieldError[] {
  if (isOpenToFamilies(spec)) return []
  const errors = listAt(spec, 'ipFamilies').flatMap((family, index) =>
    family === 'IPv6'
      ? [invalidField(`spec.ipFamilies[${index}]`, family, 'not configured on this cluster')]
      : checkOneOf(family, `spec.ipFamilies[${index}]`, ['IPv4', 'IPv6']),
  )
  if (spec.ipFamilyPolicy === 'RequireDualStack')
    errors.push(
      invalidField(
        'spec.ipFamilyPolicy',
        spec.ipFamilyPolicy,
        'this cluster is not configured for dual-stack services',
      ),
    )
  return errors
}

function validateNodePorts(spec: Fields): FieldError[] {
  const isDuplicate = duplicateFinder()
  return itemsOf(spec, 'ports').flatMap((port, index) => {
    if (!port.nodePort) return []
    const field = `spec.ports[${index}].nodePort`
    const errors: FieldError[] = []
    if (spec.type === 'ClusterIP')
      errors.push(forbiddenField(field, "may not be used when `type` is 'ClusterIP'"))
    if (isDuplicate(`${String(port.protocol)} ${String(port.nodePort)}`))
      errors.push(duplicateField(field, port.nodePort))
    return errors
  })
}

function refuseSamePorts(spec: Fields): FieldError[] {
  const isDuplicate = duplicateFinder()
  return itemsOf(spec, 'ports').flatMap(({ protocol, port }, index) => {
    if (!isDuplicate(`${String(protocol)} ${String(port)}`)) return []
    // As the Go program shows a port of which only these two are known.
    const shown = {
      Name: '',
      Protocol: protocol,
      AppProtocol: null,
      Port: port,
      TargetPort: 0,
      NodePort: 0,
    }
    return [duplicateGoValue(`spec.ports[${index}]`, shown)]
  })
}

const loadBalancerOnly: Readonly<Record<string, string>> = {
  loadBalancerSourceRanges: 'LoadBalancerSourceRanges',
  allocateLoadBalancerNodePorts: 'allocateLoadBalancerNodePorts',
  loadBalancerClass: 'loadBalancerClass',
}

function validateTraffic(spec: Fields): FieldError[] {
  const isExternal =
    spec.type === 'NodePort' ||
    spec.type === 'LoadBalancer' ||
    listAt(spec, 'externalIPs').length > 0
  const errors: FieldError[] = []
  for (const [key, shown] of Object.entries(loadBalancerOnly))
    if (!isSame(spec[key], undefined) && spec.type !== 'LoadBalancer')
      errors.push(forbiddenField(`spec.${shown}`, "may only be used when `type` is 'LoadBalancer'"))
  for (const [index, range] of listAt(spec, 'loadBalancerSourceRanges').entries())
    errors.push(...checkRule(String(range).trim(), `spec.LoadBalancerSourceRanges[${index}]`, cidr))
  const policy = spec.externalTrafficPolicy
  if (policy && !isExternal)
    errors.push(
      invalidField(
        'spec.externalTrafficPolicy',
        policy,
        'may only be set for externally-accessible services',
      ),
    )
  else errors.push(...checkOneOf(policy, 'spec.externalTrafficPolicy', ['Cluster', 'Local']))
  return [
    ...errors,
    ...checkOneOf(spec.internalTrafficPolicy, 'spec.internalTrafficPolicy', ['Cluster', 'Local']),
  ]
}

/** The address and its family are for good, unless there was none, or there is to be none any more. */
function refuseOtherAddress(spec: Fields, old: Fields): FieldError[] {
  if (spec.type === 'ExternalName' || old.type === 'ExternalName') return []
  const [before, now] = [listAt(old, 'clusterIPs'), listAt(spec, 'clusterIPs')]
  const errors: FieldError[] = []
  if (before.length > 0 && before[0] !== now[0])
    errors.push(invalidField('spec.clusterIPs[0]', now, 'may not change once set'))
  const [family, next] = [listAt(old, 'ipFamilies'), listAt(spec, 'ipFamilies')]
  if (!isHeadless(spec) && !isHeadless(old) && family.length > 0 && family[0] !== next[0])
    errors.push(invalidField('spec.ipFamilies[0]', next, 'may not change once set'))
  return errors
}

function validateAllocation(
  spec: Fields,
  old: Fields | undefined,
  addresses: ClusterAddresses,
): FieldError[] {
  const known = new Set(listAt(old ?? {}, 'clusterIPs'))
  const wanted = listAt(spec, 'clusterIPs')
  const ports = new Set(itemsOf(old ?? {}, 'ports').map((port) => port.nodePort))
  return [
    ...wanted
      .map(String)
      .filter((address) => address !== 'None' && !known.has(address))
      .map((address) => addresses.problemWithAddress(address))
      .filter((problem) => problem !== undefined)
      .map((problem) => invalidField('spec.clusterIPs', wanted, problem)),
    ...itemsOf(spec, 'ports').flatMap(({ nodePort }, index) => {
      if (typeof nodePort !== 'number' || ports.has(nodePort)) return []
      const problem = addresses.problemWithPort(nodePort)
      return problem ? [invalidField(`spec.ports[${index}].nodePort`, nodePort, problem)] : []
    }),
  ]
}
