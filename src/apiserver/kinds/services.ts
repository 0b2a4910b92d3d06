import { type Fields, fieldsAt, listAt, textAt } from '#apiserver/objects.ts'
import type { WriteContext } from '#apiserver/resource.ts'
import { type ClusterAddresses, isHeadless, isOpenToFamilies } from './cluster-addresses.ts'
import { childOf, fill, fillEmpty, isSame, itemsOf, takeOver } from './fill.ts'
import { type BuiltinBehaviour, builtin } from './kind-behaviour.ts'
import { fieldSelector } from './selectable.ts'
import { problemsOfServices, problemsOfStatus } from './services-rules.ts'

/** Services: they get an address and ports, which nothing routes. */
export const servicesIn = (addresses: ClusterAddresses): BuiltinBehaviour =>
  builtin({
    allowsCreateOnUpdate: true,
    nameRule: 'label',
    setDefaults,
    newStatus: () => ({ loadBalancer: {} }),
    prepareCreate(object, context) {
      // Kubernetes makes a service by way of its status, too, and forgets to give it an address.
      if (!context.subresource) allocate(childOf(object, 'spec'), addresses)
    },
    prepareUpdate(object, old, context) {
      if (context.subresource) return
      const [spec, oldSpec] = [childOf(object, 'spec'), fieldsAt(old, 'spec')]
      dropWhatTheTypeLacks(spec, oldSpec)
      keepAllocated(spec, oldSpec)
      allocate(spec, addresses)
    },
    validate(object, old, context) {
      if (context.subresource && old) return problemsOfStatus(object)
      const problems = problemsOfServices(object, old, addresses)
      if (problems.length + (context.metadataErrors?.length ?? 0) > 0) return problems
      warnOf(object, context)
      if (!context.dryRun) addresses.claim(object)
      return []
    },
    settle: (object) => addresses.settle(object),
    selectableFields: {
      'spec.clusterIP': fieldSelector('spec', 'clusterIP'),
      'spec.type': fieldSelector('spec', 'type'),
    },
  })

/** Of what others that follow the service may not do as it says. */
function warnOf(object: Fields, { warn }: WriteContext): void {
  const spec = fieldsAt(object, 'spec')
  const hasExternal = listAt(spec, 'externalIPs').length > 0
  if (isHeadless(spec)) {
    if (textAt(spec, 'loadBalancerIP')) warn('spec.loadBalancerIP is ignored for headless services')
    if (hasExternal) warn('spec.externalIPs is ignored for headless services')
    if (spec.sessionAffinity !== 'None')
      warn('spec.SessionAffinity is ignored for headless services')
  } else if (hasExternal) {
    warn(
      spec.type === 'ExternalName'
        ? 'spec.externalIPs is ignored when spec.type is "ExternalName"'
        : 'spec.externalIPs is deprecated and may no longer be implemented in some clusters',
    )
  }
  if (spec.type !== 'ExternalName' && textAt(spec, 'externalName'))
    warn('spec.externalName is ignored when spec.type is not "ExternalName"')
}

function setDefaults(object: Fields): void {
  const spec = childOf(object, 'spec')
  fillEmpty(spec, { type: 'ClusterIP', sessionAffinity: 'None' })
  if (spec.sessionAffinity === 'ClientIP')
    fill(childOf(childOf(spec, 'sessionAffinityConfig'), 'clientIP'), { timeoutSeconds: 10_800 })
  else if (spec.sessionAffinity === 'None') delete spec.sessionAffinityConfig
  for (const port of itemsOf(spec, 'ports')) {
    fillEmpty(port, { protocol: 'TCP' })
    fillEmpty(port, { targetPort: port.port })
  }
  if (isExternal(spec)) fillEmpty(spec, { externalTrafficPolicy: 'Cluster' })
  if (spec.type !== 'ExternalName') fill(spec, { internalTrafficPolicy: 'Cluster' })
  if (spec.type === 'LoadBalancer') fill(spec, { allocateLoadBalancerNodePorts: true })
  const status = childOf(object, 'status')
  const loadBalancer = childOf(status, 'loadBalancer')
  if (spec.type === 'LoadBalancer')
    for (const ingress of itemsOf(loadBalancer, 'ingress'))
      if (textAt(ingress, 'ip')) fill(ingress, { ipMode: 'VIP' })
}

const hasAddress = (spec: Fields): boolean => spec.type !== 'ExternalName'

const hasNodePorts = (spec: Fields): boolean =>
  spec.type === 'NodePort' ||
  (spec.type === 'LoadBalancer' && spec.allocateLoadBalancerNodePorts !== false)

const hasHealthPort = (spec: Fields): boolean =>
  spec.type === 'LoadBalancer' && spec.externalTrafficPolicy === 'Local'

const isExternal = (spec: Fields): boolean =>
  spec.type === 'NodePort' || spec.type === 'LoadBalancer' || listAt(spec, 'externalIPs').length > 0

function allocate(spec: Fields, addresses: ClusterAddresses): void {
  if (textAt(spec, 'clusterIP')) fill(spec, { clusterIPs: [spec.clusterIP] })
  if (hasAddress(spec)) allocateAddress(spec, addresses)
  if (hasNodePorts(spec))
    for (const port of itemsOf(spec, 'ports'))
      fillEmpty(port, { nodePort: addresses.suggestPort() })
  if (hasHealthPort(spec)) fillEmpty(spec, { healthCheckNodePort: addresses.suggestPort() })
}

function allocateAddress(spec: Fields, addresses: ClusterAddresses): void {
  const [first] = listAt(spec, 'clusterIPs')
  if (!textAt(spec, 'clusterIP')) spec.clusterIP = first ?? addresses.suggestAddress()
  if (first === undefined) spec.clusterIPs = [spec.clusterIP]
  // Whoever keeps the endpoints of such a service may use addresses of any family.
  if (isOpenToFamilies(spec))
    fill(spec, { ipFamilies: ['IPv4', 'IPv6'], ipFamilyPolicy: 'RequireDualStack' })
  else fill(spec, { ipFamilies: ['IPv4'], ipFamilyPolicy: 'SingleStack' })
}

/** Fields that only the old type has go, unless the writer gave them another value. */
function dropWhatTheTypeLacks(spec: Fields, old: Fields): void {
  for (const { has, keys } of dependent) if (has(old) && !has(spec)) dropUnchanged(spec, old, keys)
  if (!hasNodePorts(old) || hasNodePorts(spec)) return
  const known = new Set(itemsOf(old, 'ports').map((port) => port.nodePort))
  for (const port of itemsOf(spec, 'ports')) if (known.has(port.nodePort)) delete port.nodePort
}

const dependent = [
  {
    has: hasAddress,
    keys: ['clusterIP', 'clusterIPs', 'ipFamilies', 'ipFamilyPolicy', 'internalTrafficPolicy'],
  },
  { has: hasHealthPort, keys: ['healthCheckNodePort'] },
  {
    has: (spec: Fields): boolean => spec.type === 'LoadBalancer',
    keys: ['allocateLoadBalancerNodePorts', 'loadBalancerClass'],
  },
  { has: isExternal, keys: ['externalTrafficPolicy'] },
]

function dropUnchanged(spec: Fields, old: Fields, keys: readonly string[]): void {
  for (const key of keys) if (isSame(spec[key], old[key])) delete spec[key]
}

/** What was allocated is kept where the writer does not mention it. */
function keepAllocated(spec: Fields, old: Fields): void {
  if (hasAddress(spec) && hasAddress(old)) keepAddress(spec, old)
  if (hasNodePorts(spec) && hasNodePorts(old)) keepNodePorts(spec, old)
  if (hasHealthPort(spec) && hasHealthPort(old) && !spec.healthCheckNodePort)
    takeOver(spec, old, 'healthCheckNodePort')
}

function keepAddress(spec: Fields, old: Fields): void {
  // Whoever changes one of the two fields that say the same means both.
  if (spec.clusterIP !== old.clusterIP && isSame(spec.clusterIPs, old.clusterIPs)) {
    if (textAt(spec, 'clusterIP')) spec.clusterIPs = [spec.clusterIP]
    else delete spec.clusterIPs
  }
  if (!textAt(spec, 'clusterIP') && listAt(spec, 'clusterIPs').length === 0)
    for (const key of ['clusterIP', 'clusterIPs']) takeOver(spec, old, key)
  for (const key of ['ipFamilies', 'ipFamilyPolicy']) if (!spec[key]) takeOver(spec, old, key)
}

function keepNodePorts(spec: Fields, old: Fields): void {
  const used = new Set(itemsOf(spec, 'ports').map((port) => port.nodePort))
  const known = new Map(itemsOf(old, 'ports').map((port) => [port.name ?? '', port.nodePort]))
  for (const port of itemsOf(spec, 'ports')) {
    const before = known.get(port.name ?? '')
    if (!port.nodePort && before && !used.has(before)) port.nodePort = before
  }
}
