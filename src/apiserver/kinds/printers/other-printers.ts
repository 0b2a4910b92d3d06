import { itemsOf, partOf } from '#apiserver/kinds/fill.ts'
import { shortDuration } from '#apiserver/metadata/age.ts'
import { type Fields, fieldsAt, listAt, textAt } from '#apiserver/objects.ts'
import type { Printer } from '#apiserver/resource.ts'
import {
  ageCell,
  type Cell,
  countCell,
  nameCell,
  someOf,
  tableOf,
  textCell,
  textIn,
} from './table.ts'

const subjects = (name: string, kind: string): Cell => ({
  name,
  about: `Bound ${name.toLowerCase()}.`,
  wide: true,
  value: (object) =>
    itemsOf(object, 'subjects')
      .filter((subject) => subject.kind === kind)
      .map((subject) => subjectName(subject))
      .join(', '),
})

const subjectName = ({ kind, namespace, name }: Fields): string =>
  kind === 'ServiceAccount'
    ? `${namespace ? `${String(namespace)}/` : ''}${String(name)}`
    : String(name)

const bindings = tableOf(
  nameCell,
  {
    name: 'Role',
    about: 'What is granted.',
    value: (object) => {
      const { kind, name } = fieldsAt(object, 'roleRef')
      return `${String(kind)}/${String(name)}`
    },
  },
  ageCell,
  subjects('Users', 'User'),
  subjects('Groups', 'Group'),
  subjects('ServiceAccounts', 'ServiceAccount'),
)

const orNone = (cell: Cell, path: readonly string[], none: string): Cell => ({
  ...cell,
  value: (object) => textIn(object, path, none),
})

const budgets = tableOf(
  nameCell,
  orNone(textCell('Min Available', 'Pods that have to stay.'), ['spec', 'minAvailable'], 'N/A'),
  orNone(textCell('Max Unavailable', 'Pods that may go.'), ['spec', 'maxUnavailable'], 'N/A'),
  countCell('Allowed Disruptions', 'Pods that may go now.', 'status', 'disruptionsAllowed'),
  ageCell,
)

const autoscalers = tableOf(
  nameCell,
  {
    name: 'Reference',
    about: 'What is scaled.',
    value: (object) => {
      const { kind, name } = fieldsAt(fieldsAt(object, 'spec'), 'scaleTargetRef')
      return `${String(kind)}/${String(name)}`
    },
  },
  { name: 'Targets', about: 'What is measured, and what it should be.', value: targetsOf },
  orNone(textCell('MinPods', 'Fewest pods.'), ['spec', 'minReplicas'], '<unset>'),
  { ...countCell('MaxPods', 'Most pods.', 'spec', 'maxReplicas'), type: 'string' },
  { ...countCell('Replicas', 'Pods that there are.', 'status', 'currentReplicas'), type: 'string' },
  ageCell,
)

function targetsOf(object: Fields): string {
  const metrics = itemsOf(fieldsAt(object, 'spec'), 'metrics')
  const statuses = itemsOf(fieldsAt(object, 'status'), 'currentMetrics')
  if (metrics.length === 0) return '<none>'
  return someOf(
    metrics.map((metric, index) => targetText(metric, statuses[index] ?? {})),
    2,
    ', ',
  )
}

const metricParts: Readonly<Record<string, string>> = {
  External: 'external',
  Pods: 'pods',
  Object: 'object',
  Resource: 'resource',
  ContainerResource: 'containerResource',
}

function targetText(metric: Fields, status: Fields): string {
  const key = metricParts[String(metric.type)]
  if (!key) return '<unknown type>'
  const part = fieldsAt(metric, key)
  const target = fieldsAt(part, 'target')
  const current = fieldsAt(fieldsAt(status, key), 'current')
  const isResource = key === 'resource' || key === 'containerResource'
  const prefix = isResource ? `${textIn(part, ['name'])}: ` : ''
  if (target.averageValue != null) {
    const suffix = isResource || key === 'pods' ? '' : ' (avg)'
    return `${prefix}${textIn(current, ['averageValue'], '<unknown>')}/${textIn(target, ['averageValue'])}${suffix}`
  }
  if (!isResource) return `${textIn(current, ['value'], '<unknown>')}/${textIn(target, ['value'])}`
  const [now, wanted] = [current.averageUtilization, target.averageUtilization]
  return `${prefix}${now == null ? '<unknown>' : `${String(now)}%`}/${wanted == null ? '<auto>' : `${String(wanted)}%`}`
}

const lengthCell = (name: string, about: string, ...path: readonly string[]): Cell => ({
  name,
  about,
  type: 'integer',
  value: (object) => {
    const [first = '', second] = path
    return second ? listAt(fieldsAt(object, first), second).length : listAt(object, first).length
  },
})

const webhooks = tableOf(
  nameCell,
  lengthCell('Webhooks', 'How many are called.', 'webhooks'),
  ageCell,
)

const paramKind: Cell = {
  name: 'ParamKind',
  about: 'What it is configured by.',
  value: (object) => {
    const kind = partOf(fieldsAt(object, 'spec'), 'paramKind')
    return kind ? `${textIn(kind, ['apiVersion'])}/${textIn(kind, ['kind'])}` : '<unset>'
  },
}

const policyBindings = tableOf(
  nameCell,
  textCell('PolicyName', 'Which policy.', 'spec', 'policyName'),
  {
    name: 'ParamRef',
    about: 'What it is configured with.',
    value: (object) => {
      const reference = partOf(fieldsAt(object, 'spec'), 'paramRef')
      if (!reference) return '<unset>'
      const [namespace, name] = [textAt(reference, 'namespace'), textIn(reference, ['name'])]
      return namespace ? `${namespace}/${name}` : `*/${name}`
    },
  },
  ageCell,
)

const signingRequests = tableOf(
  nameCell,
  ageCell,
  orNone(textCell('SignerName', 'Who is to sign.'), ['spec', 'signerName'], '<none>'),
  textCell('Requestor', 'Who asks.', 'spec', 'username'),
  {
    name: 'RequestedDuration',
    about: 'For how long.',
    value: (object) => {
      const seconds = fieldsAt(object, 'spec').expirationSeconds
      return typeof seconds === 'number' ? shortDuration(seconds) : '<none>'
    },
  },
  { name: 'Condition', about: 'What has become of it.', value: signingStatus },
)

function signingStatus(object: Fields): string {
  const status = fieldsAt(object, 'status')
  const types = new Set(itemsOf(status, 'conditions').map(({ type }) => type))
  const approved = types.has('Approved') ? 'Approved' : 'Pending'
  const parts = [types.has('Denied') ? 'Denied' : approved]
  if (types.has('Failed')) parts.push('Failed')
  if (status.certificate) parts.push('Issued')
  return parts.join(',')
}

const priorityClasses = tableOf(
  nameCell,
  countCell('Value', 'How much it counts.', 'value'),
  {
    name: 'Global-Default',
    about: 'Whether it counts for pods that say nothing.',
    type: 'boolean',
    value: ({ globalDefault }) => globalDefault === true,
  },
  ageCell,
  textCell('PreemptionPolicy', 'Whether others have to go.', 'preemptionPolicy'),
)

const apiServices = tableOf(
  nameCell,
  {
    name: 'Service',
    about: 'Who answers.',
    value: (object) => {
      const target = partOf(fieldsAt(object, 'spec'), 'service')
      return target ? `${textIn(target, ['namespace'])}/${textIn(target, ['name'])}` : 'Local'
    },
  },
  {
    name: 'Available',
    about: 'Whether it answers.',
    value: (object) => {
      const available = itemsOf(fieldsAt(object, 'status'), 'conditions').find(
        ({ type }) => type === 'Available',
      )
      if (!available) return 'Unknown'
      return available.status === 'True'
        ? 'True'
        : `${String(available.status)} (${String(available.reason)})`
    },
  },
  ageCell,
)

/** Tables of the rest. */
export const otherPrinters: Readonly<Record<string, Printer>> = {
  'admissionregistration.k8s.io/mutatingadmissionpolicies': tableOf(
    nameCell,
    lengthCell('Mutations', 'How many changes it makes.', 'spec', 'mutations'),
    paramKind,
    ageCell,
  ),
  'admissionregistration.k8s.io/mutatingadmissionpolicybindings': policyBindings,
  'admissionregistration.k8s.io/mutatingwebhookconfigurations': webhooks,
  'admissionregistration.k8s.io/validatingadmissionpolicies': tableOf(
    nameCell,
    lengthCell('Validations', 'How many checks it makes.', 'spec', 'validations'),
    paramKind,
    ageCell,
  ),
  'admissionregistration.k8s.io/validatingadmissionpolicybindings': policyBindings,
  'admissionregistration.k8s.io/validatingwebhookconfigurations': webhooks,
  'apiregistration.k8s.io/apiservices': apiServices,
  'autoscaling/horizontalpodautoscalers': autoscalers,
  'certificates.k8s.io/certificatesigningrequests': signingRequests,
  'coordination.k8s.io/leases': tableOf(
    nameCell,
    textCell('Holder', 'Who has it.', 'spec', 'holderIdentity'),
    ageCell,
  ),
  'node.k8s.io/runtimeclasses': tableOf(
    nameCell,
    textCell('Handler', 'What runs the pods.', 'handler'),
    ageCell,
  ),
  'policy/poddisruptionbudgets': budgets,
  'rbac.authorization.k8s.io/clusterrolebindings': bindings,
  'rbac.authorization.k8s.io/rolebindings': bindings,
  'resource.k8s.io/deviceclasses': tableOf(nameCell, ageCell),
  'resource.k8s.io/resourceclaimtemplates': tableOf(nameCell, ageCell),
  'scheduling.k8s.io/priorityclasses': priorityClasses,
}
