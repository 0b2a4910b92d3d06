import { isIPv6 } from 'node:net'
import { itemsOf, partOf } from '#apiserver/kinds/fill.ts'
import { type Fields, fieldsAt, listAt, textAt } from '#apiserver/objects.ts'
import type { Printer } from '#apiserver/resource.ts'
import {
  ageCell,
  labelsText,
  nameCell,
  selectorText,
  someOf,
  tableOf,
  textCell,
  textIn,
} from './table.ts'
import { nameWithDefault } from './workload-printers.ts'

const services = tableOf(
  nameCell,
  textCell('Type', 'How the service is reached.', 'spec', 'type'),
  {
    name: 'Cluster-IP',
    about: 'Address inside the cluster.',
    value: (object) => listAt(fieldsAt(object, 'spec'), 'clusterIPs')[0] ?? '<none>',
  },
  { name: 'External-IP', about: 'Address from outside.', value: externalAddress },
  {
    name: 'Port(s)',
    about: 'Ports of the service.',
    value: (object) =>
      itemsOf(fieldsAt(object, 'spec'), 'ports').map(portText).join(',') || '<none>',
  },
  ageCell,
  {
    name: 'Selector',
    about: 'Which pods answer.',
    wide: true,
    value: (object) => labelsText(fieldsAt(fieldsAt(object, 'spec'), 'selector')),
  },
)

const portText = ({ port, nodePort, protocol }: Fields): string =>
  `${String(port)}${nodePort ? `:${String(nodePort)}` : ''}/${String(protocol)}`

function externalAddress(object: Fields): string {
  const spec = fieldsAt(object, 'spec')
  if (spec.type === 'ExternalName') return textIn(spec, ['externalName'])
  const own = listAt(spec, 'externalIPs').map(String)
  if (spec.type === 'LoadBalancer') {
    const balanced = balancerAddresses(object)
    return [...(balanced ? [balanced] : []), ...own].join(',') || '<pending>'
  }
  return own.join(',') || '<none>'
}

function balancerAddresses(object: Fields): string {
  const addresses = itemsOf(fieldsAt(fieldsAt(object, 'status'), 'loadBalancer'), 'ingress')
    .map((one) => textAt(one, 'ip') ?? textAt(one, 'hostname'))
    .filter((one) => one !== undefined)
  return [...new Set(addresses)].toSorted().join(',')
}

const ingresses = tableOf(
  nameCell,
  {
    name: 'Class',
    about: 'Who routes for it.',
    value: (object) => textIn(object, ['spec', 'ingressClassName'], '<none>'),
  },
  { name: 'Hosts', about: 'Names that it is for.', value: hostsOf },
  { name: 'Address', about: 'Where it is reached.', value: balancerAddresses },
  {
    name: 'Ports',
    about: 'Ports that it is reached by.',
    value: (object) => (listAt(fieldsAt(object, 'spec'), 'tls').length > 0 ? '80, 443' : '80'),
  },
  ageCell,
)

function hostsOf(object: Fields): string {
  const rules = itemsOf(fieldsAt(object, 'spec'), 'rules')
  const hosts = rules.map((rule) => textAt(rule, 'host')).filter((host) => host !== undefined)
  if (hosts.length === 0) return '*'
  const shown = hosts.slice(0, 3).join(',')
  return hosts.length >= 3 && rules.length > 3 ? `${shown} + ${rules.length - 3} more...` : shown
}

const ingressClasses = tableOf(
  nameWithDefault('ingressclass.kubernetes.io/is-default-class'),
  textCell('Controller', 'Who routes.', 'spec', 'controller'),
  {
    name: 'Parameters',
    about: 'Where more about it is told.',
    value: (object) => {
      const parameters = partOf(fieldsAt(object, 'spec'), 'parameters')
      if (!parameters) return '<none>'
      const { kind, apiGroup, name } = parameters
      return `${String(kind)}${apiGroup ? `.${String(apiGroup)}` : ''}/${String(name)}`
    },
  },
  ageCell,
)

const networkPolicies = tableOf(
  nameCell,
  {
    name: 'Pod-Selector',
    about: 'Which pods it is for.',
    value: (object) => selectorText(fieldsAt(object, 'spec').podSelector),
  },
  ageCell,
)

const endpoints = tableOf(
  nameCell,
  { name: 'Endpoints', about: 'Where the service is reached.', value: endpointsOf },
  ageCell,
)

function endpointsOf(object: Fields): string {
  const subsets = itemsOf(object, 'subsets')
  if (subsets.length === 0) return '<none>'
  const list = subsets.flatMap((subset) => {
    const addresses = itemsOf(subset, 'addresses').map(({ ip }) => String(ip))
    const ports = itemsOf(subset, 'ports')
    if (ports.length === 0) return addresses
    return ports.flatMap(({ port }) =>
      addresses.map((ip) => `${isIPv6(ip) ? `[${ip}]` : ip}:${String(port)}`),
    )
  })
  return someOf(list, 3)
}

const endpointSlices = tableOf(
  nameCell,
  textCell('AddressType', 'Kind of the addresses.', 'addressType'),
  {
    name: 'Ports',
    about: 'Ports that are reached.',
    value: (object) =>
      listOrUnset(itemsOf(object, 'ports').map(({ port, name }) => String(port ?? name ?? '*'))),
  },
  {
    name: 'Endpoints',
    about: 'Addresses that are reached.',
    value: (object) =>
      listOrUnset(
        itemsOf(object, 'endpoints').flatMap((one) => listAt(one, 'addresses').map(String)),
      ),
  },
  ageCell,
)

const listOrUnset = (list: string[]): string => (list.length === 0 ? '<unset>' : someOf(list, 3))

const ipAddresses = tableOf(nameCell, {
  name: 'ParentRef',
  about: 'Who has the address.',
  value: (object) => {
    const { group, resource, namespace, name } = fieldsAt(fieldsAt(object, 'spec'), 'parentRef')
    const kind = [resource, group].filter(Boolean).join('.')
    return [kind, namespace, name].filter(Boolean).join('/')
  },
})

const serviceCidrs = tableOf(
  nameCell,
  {
    name: 'CIDRs',
    about: 'Ranges that addresses are taken from.',
    value: (object) => listAt(fieldsAt(object, 'spec'), 'cidrs').join(','),
  },
  ageCell,
)

/** Tables of what traffic goes by. */
export const networkPrinters: Readonly<Record<string, Printer>> = {
  '/services': services,
  '/endpoints': endpoints,
  'discovery.k8s.io/endpointslices': endpointSlices,
  'networking.k8s.io/ingresses': ingresses,
  'networking.k8s.io/ingressclasses': ingressClasses,
  'networking.k8s.io/ipaddresses': ipAddresses,
  'networking.k8s.io/networkpolicies': networkPolicies,
  'networking.k8s.io/servicecidrs': serviceCidrs,
}
