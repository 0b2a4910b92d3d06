import { errorTypes } from '#base/error-catalogue.ts'

/** What one metric is: its name, and the words for its HELP line and for the reference page. */
export interface MetricEntry<Label extends string = string> {
  /** Whose it is: of the vitistack.io contract, ours, or of any program on Node. */
  of: 'contract' | 'operator' | 'program'
  name: string
  type: 'counter' | 'gauge' | 'histogram'
  help: string
  /** Each label, with its values in words. */
  labels: Record<Label, string>
  /** Upper bounds, of a histogram. */
  buckets?: readonly number[]
}

const entry = <Label extends string>(known: MetricEntry<Label>): MetricEntry<Label> => known

// A pass thinks for milliseconds and makes some calls, each with a deadline of at most a minute.
const PASS_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]
const CALL_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

const CONTROLLER = 'the kind that the controller is for'
const WATCHED = 'the kind that is watched'
const OWN = 'the kind of the objects'
const CONDITION = {
  kind: OWN,
  type: 'the type of the condition, one of those that the kind has',
  status: '`True`, `False`, `Unknown`',
  reason: 'the word that the condition gives for it',
}
const VERBS =
  '`get`, `list`, `watch`, `create`, `update`, `patch`, `apply`, `delete`; `other`: what is of no kind'

/**
 * Every metric, once: the registry and docs/reference/metrics.md are made of it. No label may name an
 * object, so that their number is bounded; `cluster` is the contract's own exception, and what is not Ready is
 * named, machines not among it.
 */
export const metricTable = {
  clusters: entry({
    ...{ of: 'contract', name: 'talos_operator_clusters_total', type: 'gauge' },
    help: 'KubernetesClusters in each phase.',
    labels: { phase: '`Pending`, `Provisioning`, `Running`, `Failed`; each is always there' },
  }),
  machinesGenerated: entry({
    ...{ of: 'contract', name: 'talos_operator_machines_generated', type: 'counter' },
    help: 'Machines that were created for KubernetesClusters.',
    labels: {
      cluster: 'clusterName; clusters of that name in several namespaces are counted together',
      role: 'the role of the machine',
    },
  }),
  passSeconds: entry({
    ...{ of: 'contract', name: 'talos_operator_reconciliation_duration_seconds' },
    type: 'histogram',
    help: 'How long passes took, those that failed included.',
    labels: { controller: CONTROLLER },
    buckets: PASS_SECONDS,
  }),
  passErrors: entry({
    ...{ of: 'contract', name: 'talos_operator_reconciliation_errors_total', type: 'counter' },
    help: 'Passes that failed.',
    labels: {
      controller: CONTROLLER,
      error_type: errorTypes.map((type) => `\`${type}\``).join(', '),
    },
  }),
  fileOperations: entry({
    ...{ of: 'contract', name: 'talos_operator_file_operations_total', type: 'counter' },
    help: 'Operations on manifests in the results folder.',
    labels: { operation: '`create`, `update`, `delete`', status: '`success`, `failure`' },
  }),
  conditions: entry({
    ...{ of: 'operator', name: 'talos_operator_conditions', type: 'gauge' },
    help: 'Objects whose condition says so.',
    labels: CONDITION,
  }),
  conditionsSince: entry({
    ...{ of: 'operator', name: 'talos_operator_conditions_since_seconds', type: 'gauge' },
    help: 'Since when, in seconds since 1970, it is so of the object of which it has been so for longest.',
    labels: CONDITION,
  }),
  notReadySince: entry({
    ...{ of: 'operator', name: 'talos_operator_not_ready_since_seconds', type: 'gauge' },
    help: 'Since when, in seconds since 1970, an object is not Ready. What is Ready has no series, and a machine never has.',
    labels: {
      kind: '`TalosCluster`, `TalosControlPlane`, `TalosWorker`, `KubernetesCluster`',
      object_namespace: 'its namespace',
      object_name: 'its name',
      reason: 'the reason of its condition Ready; `NotLookedAt`: it has none yet',
    },
  }),
  queueDepth: entry({
    ...{ of: 'operator', name: 'talos_operator_queue_depth', type: 'gauge' },
    help: 'Objects in the queue of a controller.',
    labels: {
      controller: CONTROLLER,
      state: '`waiting` for a worker, `later` at a time that is set, `running`',
    },
  }),
  queueOldestWait: entry({
    ...{ of: 'operator', name: 'talos_operator_queue_oldest_wait_seconds', type: 'gauge' },
    help: 'How long the object has waited for a worker that has waited longest.',
    labels: { controller: CONTROLLER },
  }),
  queueAdded: entry({
    ...{ of: 'operator', name: 'talos_operator_queue_added_total', type: 'counter' },
    help: 'How often a pass was asked for, before what is the same was put together.',
    labels: { controller: CONTROLLER },
  }),
  queueRetries: entry({
    ...{ of: 'operator', name: 'talos_operator_queue_retries_total', type: 'counter' },
    help: 'Failed passes that were put off to be tried again.',
    labels: { controller: CONTROLLER },
  }),
  steps: entry({
    ...{ of: 'operator', name: 'talos_operator_steps_total', type: 'counter' },
    help: 'Steps of plans that were carried out.',
    labels: { controller: CONTROLLER, step: 'what the step does', outcome: '`done`, `failed`' },
  }),
  stepSeconds: entry({
    ...{ of: 'operator', name: 'talos_operator_step_duration_seconds', type: 'histogram' },
    help: 'How long steps took.',
    labels: { controller: CONTROLLER, step: 'what the step does' },
    buckets: PASS_SECONDS,
  }),
  watchRestarts: entry({
    ...{ of: 'operator', name: 'talos_operator_watch_restarts_total', type: 'counter' },
    help: 'Watches that began anew.',
    labels: {
      kind: WATCHED,
      reason:
        '`resumed`: it ended as each does after minutes; `failed`; `tooOld`: listed again, because it could not go on; `resync`: listed again in any case',
    },
  }),
  watchHealthy: entry({
    ...{ of: 'operator', name: 'talos_operator_watch_healthy', type: 'gauge' },
    help: '1 while every watch of the kind works, 0 while one does not.',
    labels: { kind: WATCHED },
  }),
  cachedObjects: entry({
    ...{ of: 'operator', name: 'talos_operator_cached_objects', type: 'gauge' },
    help: 'Objects in the cache.',
    labels: { kind: WATCHED },
  }),
  apiRequests: entry({
    ...{ of: 'operator', name: 'talos_operator_api_requests_total', type: 'counter' },
    help: 'Requests to Kubernetes APIs, each try counted.',
    labels: { verb: VERBS, code: 'the HTTP status; `0`: there was no answer' },
  }),
  apiSeconds: entry({
    ...{ of: 'operator', name: 'talos_operator_api_request_duration_seconds', type: 'histogram' },
    help: 'How long Kubernetes APIs took to begin their answers.',
    labels: { verb: VERBS },
    buckets: CALL_SECONDS,
  }),
  leader: entry({
    ...{ of: 'operator', name: 'talos_operator_leader', type: 'gauge' },
    help: '1 while this process leads, 0 while it stands by.',
    labels: {},
  }),
  build: entry({
    ...{ of: 'operator', name: 'talos_operator_build_info', type: 'gauge' },
    help: 'Always 1.',
    labels: { version: 'of talos-operator', node: 'the version of Node that it runs on' },
  }),
  residentMemory: entry({
    ...{ of: 'program', name: 'process_resident_memory_bytes', type: 'gauge' },
    help: 'Memory that the process occupies.',
    labels: {},
  }),
  cpuSeconds: entry({
    ...{ of: 'program', name: 'process_cpu_seconds_total', type: 'counter' },
    help: 'Processor time that the process has used.',
    labels: {},
  }),
  startTime: entry({
    ...{ of: 'program', name: 'process_start_time_seconds', type: 'gauge' },
    help: 'When the process was started, in seconds since 1970.',
    labels: {},
  }),
  eventLoopLag: entry({
    ...{ of: 'program', name: 'nodejs_eventloop_lag_seconds', type: 'gauge' },
    help: 'How late the event loop was at worst, lately.',
    labels: {},
  }),
} as const
