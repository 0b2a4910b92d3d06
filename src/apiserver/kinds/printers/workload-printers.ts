import { itemsOf } from '#apiserver/kinds/fill.ts'
import { ageOf, shortDuration } from '#apiserver/metadata/age.ts'
import { type Fields, fieldsAt, listAt, textAt } from '#apiserver/objects.ts'
import type { Printer } from '#apiserver/resource.ts'
import {
  ageCell,
  type Cell,
  containerCells,
  countCell,
  countIn,
  labelsText,
  nameCell,
  nameOf,
  selectorCell,
  tableOf,
  textCell,
  textIn,
} from './table.ts'

const inTemplate = containerCells('spec', 'template', 'spec')
const selector = selectorCell('spec', 'selector')

const readyOfAll: Cell = {
  name: 'Ready',
  about: 'Pods that are ready, of all that are wanted.',
  value: (object) =>
    `${countIn(object, ['status', 'readyReplicas'])}/${countIn(object, ['spec', 'replicas'])}`,
}

/** Numbers that Kubernetes calls texts. */
const asText = (cell: Cell): Cell => ({ ...cell, type: 'string' })

const deployments = tableOf(
  nameCell,
  readyOfAll,
  asText(countCell('Up-to-date', 'Pods of the newest template.', 'status', 'updatedReplicas')),
  asText(countCell('Available', 'Pods that are available.', 'status', 'availableReplicas')),
  ageCell,
  ...inTemplate,
  selector,
)

const replicas = [
  nameCell,
  countCell('Desired', 'Pods that are wanted.', 'spec', 'replicas'),
  countCell('Current', 'Pods that there are.', 'status', 'replicas'),
  countCell('Ready', 'Pods that are ready.', 'status', 'readyReplicas'),
  ageCell,
  ...inTemplate,
]

const daemonSets = tableOf(
  nameCell,
  countCell('Desired', 'Nodes that are to run a pod.', 'status', 'desiredNumberScheduled'),
  countCell('Current', 'Nodes that run one.', 'status', 'currentNumberScheduled'),
  countCell('Ready', 'Pods that are ready.', 'status', 'numberReady'),
  countCell('Up-to-date', 'Pods of the newest template.', 'status', 'updatedNumberScheduled'),
  countCell('Available', 'Pods that are available.', 'status', 'numberAvailable'),
  {
    name: 'Node Selector',
    about: 'Which nodes run a pod.',
    value: (object) => {
      const template = fieldsAt(fieldsAt(object, 'spec'), 'template')
      return labelsText(fieldsAt(fieldsAt(template, 'spec'), 'nodeSelector'))
    },
  },
  ageCell,
  ...inTemplate,
  selector,
)

const jobs = tableOf(
  nameCell,
  { name: 'Status', about: 'What has become of the job.', value: jobStatus },
  { name: 'Completions', about: 'Pods that succeeded, of all.', value: completionsOf },
  { name: 'Duration', about: 'How long the job took, or has taken.', value: durationOf },
  ageCell,
  ...inTemplate,
  selector,
)

function jobStatus(object: Fields): string {
  const conditions = itemsOf(fieldsAt(object, 'status'), 'conditions')
  const holds = (type: string): boolean =>
    conditions.some((one) => one.type === type && one.status === 'True')
  for (const type of ['Complete', 'Failed']) if (holds(type)) return type
  if (fieldsAt(object, 'metadata').deletionTimestamp) return 'Terminating'
  for (const type of ['Suspended', 'FailureTarget', 'SuccessCriteriaMet'])
    if (holds(type)) return type
  return 'Running'
}

function completionsOf(object: Fields): string {
  const { completions, parallelism = 0 } = fieldsAt(object, 'spec')
  const succeeded = countIn(object, ['status', 'succeeded'])
  if (completions != null) return `${succeeded}/${String(completions)}`
  return Number(parallelism) > 1 ? `${succeeded}/1 of ${String(parallelism)}` : `${succeeded}/1`
}

function durationOf(object: Fields, now: Date): string {
  const status = fieldsAt(object, 'status')
  const start = textAt(status, 'startTime')
  if (!start) return ''
  const end = textAt(status, 'completionTime')
  const until = end ? Date.parse(end) : now.getTime()
  return shortDuration((until - Date.parse(start)) / 1000)
}

const cronJobs = tableOf(
  nameCell,
  textCell('Schedule', 'When jobs are started.', 'spec', 'schedule'),
  {
    name: 'Timezone',
    about: 'Where the schedule is read.',
    value: (object) => textIn(object, ['spec', 'timeZone'], '<none>'),
  },
  {
    name: 'Suspend',
    about: 'Whether no jobs are started.',
    type: 'boolean',
    value: (object) => (fieldsAt(object, 'spec').suspend === true ? 'True' : 'False'),
  },
  {
    name: 'Active',
    about: 'Jobs under way.',
    type: 'integer',
    value: (object) => listAt(fieldsAt(object, 'status'), 'active').length,
  },
  {
    name: 'Last Schedule',
    about: 'When the last job was started.',
    value: (object, now) => {
      const last = textAt(fieldsAt(object, 'status'), 'lastScheduleTime')
      return last ? ageOf(last, now) : '<none>'
    },
  },
  ageCell,
  ...containerCells('spec', 'jobTemplate', 'spec', 'template', 'spec'),
  selectorCell('spec', 'jobTemplate', 'spec', 'selector'),
)

const controllerRevisions = tableOf(
  nameCell,
  { name: 'Controller', about: 'Whose revision it is.', value: controllerOf },
  {
    name: 'Revision',
    about: 'Which of them it is.',
    value: ({ revision }) => revision ?? 0,
  },
  ageCell,
)

function controllerOf(object: Fields): string {
  const owner = itemsOf(fieldsAt(object, 'metadata'), 'ownerReferences').find(
    ({ controller }) => controller === true,
  )
  if (!owner) return '<none>'
  const [group] = String(owner.apiVersion).includes('/')
    ? String(owner.apiVersion).split('/')
    : ['']
  const kind = `${String(owner.kind)}${group ? `.${group}` : ''}`.toLowerCase()
  return `${kind}/${String(owner.name)}`
}

const podTemplates = tableOf(
  nameCell,
  ...containerCells('template', 'spec').map((cell) => ({ ...cell, wide: false })),
  {
    name: 'Pod Labels',
    about: 'Labels of the pods.',
    value: (object) =>
      labelsText(fieldsAt(fieldsAt(fieldsAt(object, 'template'), 'metadata'), 'labels')),
  },
)

const statefulSets = tableOf(nameCell, readyOfAll, ageCell, ...inTemplate)

const replicationControllers = tableOf(...replicas, {
  ...selector,
  value: (object) => labelsText(fieldsAt(fieldsAt(object, 'spec'), 'selector')),
})

/** What a name is marked with when it is the one that counts by default. */
export const nameWithDefault = (annotation: string): Cell => ({
  ...nameCell,
  value: (object) => {
    const annotations = fieldsAt(fieldsAt(object, 'metadata'), 'annotations')
    return `${nameOf(object)}${annotations[annotation] === 'true' ? ' (default)' : ''}`
  },
})

/** Tables of what makes pods. */
export const workloadPrinters: Readonly<Record<string, Printer>> = {
  'apps/controllerrevisions': controllerRevisions,
  'apps/daemonsets': daemonSets,
  'apps/deployments': deployments,
  'apps/replicasets': tableOf(...replicas, selector),
  'apps/statefulsets': statefulSets,
  'batch/cronjobs': cronJobs,
  'batch/jobs': jobs,
  '/podtemplates': podTemplates,
  '/replicationcontrollers': replicationControllers,
}
