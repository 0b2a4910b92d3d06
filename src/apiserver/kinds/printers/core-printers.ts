import { itemsOf } from '#apiserver/kinds/fill.ts'
import { ageOf } from '#apiserver/metadata/age.ts'
import { type Fields, fieldsAt, textAt } from '#apiserver/objects.ts'
import type { Printer } from '#apiserver/resource.ts'
import { ageCell, type Cell, nameCell, tableOf, textCell, textIn } from './table.ts'

const sizeCell = (value: (object: Fields) => number): Cell => ({
  name: 'Data',
  about: 'How many entries there are.',
  value,
})

const sizeOf = (object: Fields, key: string): number => Object.keys(fieldsAt(object, key)).length

const configMaps = tableOf(
  nameCell,
  sizeCell((object) => sizeOf(object, 'data') + sizeOf(object, 'binaryData')),
  ageCell,
)

const secrets = tableOf(
  nameCell,
  textCell('Type', 'What the secret is for.', 'type'),
  sizeCell((object) => sizeOf(object, 'data')),
  ageCell,
)

const namespaces = tableOf(
  nameCell,
  textCell('Status', 'Whether it is in use or going.', 'status', 'phase'),
  ageCell,
)

const systemText = (name: string, about: string, key: string): Cell => ({
  name,
  about,
  wide: true,
  value: (object) => textIn(object, ['status', 'nodeInfo', key], '<unknown>'),
})

const addressCell = (name: string, about: string, type: string): Cell => ({
  name,
  about,
  wide: true,
  value: (object) => {
    const addresses = itemsOf(fieldsAt(object, 'status'), 'addresses')
    return textIn(addresses.find((one) => one.type === type) ?? {}, ['address'], '<none>')
  },
})

const nodes = tableOf(
  nameCell,
  { name: 'Status', about: 'Whether the node is ready.', value: nodeStatus },
  { name: 'Roles', about: 'What the node is for.', value: nodeRoles },
  ageCell,
  textCell('Version', 'Version of its kubelet.', 'status', 'nodeInfo', 'kubeletVersion'),
  addressCell('Internal-IP', 'Address among the nodes.', 'InternalIP'),
  addressCell('External-IP', 'Address from outside.', 'ExternalIP'),
  systemText('OS-Image', 'Operating system.', 'osImage'),
  {
    ...systemText('Kernel-Version', 'Kernel and architecture.', 'kernelVersion'),
    value: (object) => {
      const architecture = textIn(object, ['status', 'nodeInfo', 'architecture'])
      const kernel = textIn(object, ['status', 'nodeInfo', 'kernelVersion'], '<unknown>')
      return architecture ? `${kernel} (${architecture})` : kernel
    },
  },
  systemText('Container-Runtime', 'What runs containers.', 'containerRuntimeVersion'),
)

function nodeStatus(object: Fields): string {
  const ready = itemsOf(fieldsAt(object, 'status'), 'conditions').findLast(
    ({ type }) => type === 'Ready',
  )
  const known = ready?.status === 'True' ? 'Ready' : 'NotReady'
  const parts = [ready ? known : 'Unknown']
  if (fieldsAt(object, 'spec').unschedulable === true) parts.push('SchedulingDisabled')
  return parts.join(',')
}

const rolePrefix = 'node-role.kubernetes.io/'

function nodeRoles(object: Fields): string {
  const roles = new Set<string>()
  for (const [key, value] of Object.entries(fieldsAt(fieldsAt(object, 'metadata'), 'labels'))) {
    const role = key.startsWith(rolePrefix) ? key.slice(rolePrefix.length) : ''
    if (role) roles.add(role)
    if (key === 'kubernetes.io/role' && value) roles.add(String(value))
  }
  return [...roles].toSorted().join(',') || '<none>'
}

const firstSeen = (object: Fields, now: Date): string =>
  ageOf(textAt(object, 'firstTimestamp') ?? textAt(object, 'eventTime'), now)

function lastSeen(object: Fields, now: Date): string {
  const series = textAt(fieldsAt(object, 'series'), 'lastObservedTime')
  if (series) return ageOf(series, now)
  const last = textAt(object, 'lastTimestamp')
  return last ? ageOf(last, now) : firstSeen(object, now)
}

function aboutWhat(object: Fields): string {
  const about = fieldsAt(object, 'involvedObject')
  const kind = textIn(about, ['kind']).toLowerCase()
  const name = textIn(about, ['name'])
  return name ? `${kind}/${name}` : kind
}

function sourceOf(object: Fields): string {
  const source = fieldsAt(object, 'source')
  const component = textIn(source, ['component']) || textIn(object, ['reportingComponent'])
  const instance = textIn(source, ['host']) || textIn(object, ['reportingInstance'])
  return instance ? `${component}, ${instance}` : component
}

const countOf = (object: Fields): unknown => fieldsAt(object, 'series').count ?? (object.count || 1)

const events = tableOf(
  { name: 'Last Seen', about: 'When it happened last.', value: lastSeen },
  textCell('Type', 'Whether something is wrong.', 'type'),
  textCell('Reason', 'What happened, in a word.', 'reason'),
  { name: 'Object', about: 'What it is about.', value: aboutWhat },
  { ...textCell('Subobject', 'Which part of it.', 'involvedObject', 'fieldPath'), wide: true },
  { name: 'Source', about: 'Who tells it.', wide: true, value: sourceOf },
  {
    name: 'Message',
    about: 'What happened.',
    value: (object) => textIn(object, ['message']).trim(),
  },
  { name: 'First Seen', about: 'When it happened first.', wide: true, value: firstSeen },
  { name: 'Count', about: 'How often it happened.', wide: true, value: countOf },
  { ...nameCell, wide: true },
)

const quotas = tableOf(
  nameCell,
  {
    name: 'Request',
    about: 'What is used, of what may be requested.',
    value: (object) => usageOf(object, false),
  },
  {
    name: 'Limit',
    about: 'What is used, of the limits.',
    value: (object) => usageOf(object, true),
  },
  ageCell,
)

function usageOf(object: Fields, isLimit: boolean): string {
  const status = fieldsAt(object, 'status')
  const used = fieldsAt(status, 'used')
  return Object.entries(fieldsAt(status, 'hard'))
    .filter(([key]) => key.startsWith('limits.') === isLimit)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([key, hard]) => `${key}: ${String(used[key] ?? '0')}/${String(hard)}`)
    .join(', ')
}

/** Tables of the kinds that everything else needs. */
export const corePrinters: Readonly<Record<string, Printer>> = {
  '/configmaps': configMaps,
  '/events': events,
  'events.k8s.io/events': events,
  '/namespaces': namespaces,
  '/nodes': nodes,
  '/resourcequotas': quotas,
  '/secrets': secrets,
  '/serviceaccounts': tableOf(nameCell, ageCell),
}
