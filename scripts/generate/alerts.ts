// What Prometheus is to wake people for. Each alert says what is wrong and what to do; docs/guides/monitoring.md has the same
// sentences, which a test holds.

import { metricTable } from '#runtime/metrics-table.ts'
import { by, series } from './series.ts'

export interface Alert {
  alert: string
  /** `critical`: something is lost or about to be. `warning`: in working hours. `info`: good to know. */
  severity: 'critical' | 'warning' | 'info'
  expr: string
  /** For how long it has to be so. */
  for: string
  /** What is wrong, as a template of Prometheus. */
  summary: string
  /** What to do, in sentences. */
  remedy: string
}

const MINUTE = 60
const HOUR = 3_600

const { conditions, conditionsSince, notReadySince } = metricTable

/** Who is meant by an alert about one object. */
const OBJECT = '{{ $labels.kind }} {{ $labels.object_namespace }}/{{ $labels.object_name }}'
const named = ['kind', 'object_namespace', 'object_name', 'reason'] as const

/** An object that is not Ready for one of these reasons. */
const notReady = (matchers: Parameters<typeof series<keyof typeof notReadySince.labels>>[1]) =>
  by('max', named, series(notReadySince, matchers))

const olderThan = (seconds: number, since: string): string => `time() - ${since} > ${seconds}`

const LOST_MAJORITY = ['QuorumLost', 'EtcdSplit']
const SECRETS_AMISS = ['SecretsLost', 'SecretsUnusable', 'SecretsDiffer']
const API_AWAY = ['ApiUnreachable', 'ApiRefuses', 'EndpointOfAnotherCluster']
// They end by themselves, if slowly.
const UNDER_WAY = [
  ...['RollingOut', 'UpgradingKubernetes', 'UpgradePending', 'KubernetesUpgradePending'],
  ...['WaitsForControlPlane', 'RemovingMachine', 'RemovingMachines', 'ScalingDown', 'Importing'],
]
// Others say more, or somebody has wanted it so.
const OF_NO_CONCERN = ['PartsNotReady', 'Paused']
const CHANGE_FAILED = [
  ...['UpgradeFailed', 'UpgradeNotTakenBack', 'ConfigRejected', 'ComponentNotReady'],
  ...['ImagePullFailed', 'MachineNotBack'],
]
const any = (reasons: readonly string[]): string => reasons.join('|')
const SHAPED = { kind: 'KubernetesCluster', reason: 'MachinesNotReady' }

/** Of the operator itself. */
const ofTheOperator: readonly Alert[] = [
  {
    ...{ alert: 'TalosOperatorDown', severity: 'critical', for: '5m' },
    expr: `absent(${series(metricTable.build)})`,
    summary: 'No talos-operator is scraped.',
    remedy:
      'Clusters go on, and nothing is changed, mended or renewed. Look at the Deployment and its pods; if they are well, at whether Prometheus may read `/metrics` (NetworkPolicy).',
  },
  {
    ...{ alert: 'TalosOperatorNoLeader', severity: 'critical', for: '5m' },
    expr: `${by('max', [], series(metricTable.leader))} == 0`,
    summary: 'No talos-operator in {{ $labels.namespace }} leads.',
    remedy:
      'It runs and does nothing. `/readyz` says what it waits for, its log why it does not get the Lease `talos-operator`.',
  },
  {
    ...{ alert: 'TalosOperatorRestarts', severity: 'warning', for: '0m' },
    expr: `changes(${series(metricTable.startTime)}[30m]) > 3 and on (job, instance) ${series(metricTable.build)}`,
    summary:
      'talos-operator at {{ $labels.instance }} was started {{ $value }} times in half an hour.',
    remedy:
      'Mostly it is short of memory: raise `resources.limits.memory`. If not, the log of the container before (`kubectl logs --previous`) ends with why.',
  },
  {
    ...{ alert: 'TalosOperatorPassesFail', severity: 'warning', for: '15m' },
    expr: `${by('sum', ['controller'], `increase(${series(metricTable.passErrors)}[30m])`)} > 3`,
    summary: 'Passes of {{ $labels.controller }} fail again and again.',
    remedy:
      'What cannot be done is in the log (`pass failed`, with the object) and on the object as an event. If the error is `UnknownError`, please report it.',
  },
  {
    ...{ alert: 'TalosOperatorCredentialsNotRenewed', severity: 'warning', for: '1h' },
    expr: `${by('sum', [], `increase(${series(metricTable.steps, { controller: 'TalosControlPlane', step: 'deliver', outcome: 'failed' })}[1h])`)} > 0`,
    summary: 'A kubeconfig, talosconfig or configuration cannot be written into its Secret.',
    remedy:
      'Credentials are good for a year and renewed after half of it, so there is time. The events of the TalosControlPlane say which Secret, and why.',
  },
  {
    ...{ alert: 'TalosOperatorQueueStuck', severity: 'warning', for: '5m' },
    expr: `${by('max', ['controller'], series(metricTable.queueOldestWait))} > 300`,
    summary:
      'A {{ $labels.controller }} has waited for its pass for {{ $value | humanizeDuration }}.',
    remedy:
      'All workers are busy. Look at how long passes take and at the processor of the pod; raise its limit, or `--concurrency`.',
  },
  {
    ...{ alert: 'TalosOperatorWatchBroken', severity: 'warning', for: '10m' },
    expr: `${by('min', ['kind'], series(metricTable.watchHealthy))} == 0`,
    summary: 'Changes of {{ $labels.kind }} are not seen.',
    remedy:
      'What is edited has no effect meanwhile. The log says whether it is the API, a permission or a missing CRD.',
  },
  {
    ...{ alert: 'TalosOperatorApiErrors', severity: 'warning', for: '15m' },
    expr: `${by('sum', [], `rate(${series(metricTable.apiRequests, { code: '0|5..' })}[10m])`)} / ${by('sum', [], `rate(${series(metricTable.apiRequests)}[10m])`)} > 0.1`,
    summary:
      '{{ $value | humanizePercentage }} of the requests to the Kubernetes API get no answer or an error of the server.',
    remedy:
      'Look at the API of the management cluster. Nothing is lost: everything is tried again.',
  },
]

/** Of the clusters that it looks after. */
const ofClusters: readonly Alert[] = [
  {
    ...{ alert: 'TalosEtcdMajorityLost', severity: 'critical', for: '2m' },
    expr: `${notReady({ kind: 'TalosControlPlane', reason: any(LOST_MAJORITY) })} > 0`,
    summary: `${OBJECT}: etcd has lost its majority, or is split ({{ $labels.reason }}).`,
    remedy:
      'The API of that cluster takes no writes. Switch on what is off. If it is gone for good, follow [when etcd has lost quorum](lost-quorum.md): the message of the condition Ready says which step comes next.',
  },
  {
    ...{ alert: 'TalosClusterSecretsAmiss', severity: 'critical', for: '5m' },
    expr: `${notReady({ kind: 'TalosControlPlane', reason: any(SECRETS_AMISS) })} > 0`,
    summary: `${OBJECT}: the keys of the cluster are gone or not its own ({{ $labels.reason }}).`,
    remedy:
      'Nothing new is made in their place. Restore the Secret `<control plane>-secrets` from a backup; the message of the condition Ready says which one, and what differs.',
  },
  {
    ...{ alert: 'TalosClusterApiUnreachable', severity: 'critical', for: '10m' },
    expr: `${notReady({ kind: 'TalosControlPlane', reason: any(API_AWAY) })} > 0`,
    summary: `${OBJECT}: the Kubernetes API of the cluster cannot be used ({{ $labels.reason }}).`,
    remedy:
      'Compare with TalosMachineUnreachable: if the machines answer, it is the endpoint (load balancer, virtual address, DNS), else the machines or the network to them.',
  },
  {
    ...{ alert: 'TalosMachineUnreachable', severity: 'warning', for: '1m' },
    expr: olderThan(
      15 * MINUTE,
      by(
        'min',
        ['reason'],
        series(conditionsSince, { kind: 'TalosMachine', type: 'Reachable', status: 'False' }),
      ),
    ),
    summary:
      'Machines do not answer as the ones they are to be ({{ $labels.reason }}), one of them for {{ $value | humanizeDuration }}.',
    remedy:
      '`kubectl get talosmachines -A` and the condition Reachable say which and why. Switch it on, mend its network, or take it out of the spec.',
  },
  {
    ...{ alert: 'TalosMachineChangeFailed', severity: 'warning', for: '5m' },
    expr: `${by('max', ['reason'], series(conditions, { kind: 'TalosMachine', type: 'Ready', reason: any(CHANGE_FAILED) }))} > 0`,
    summary:
      '{{ $value }} machines did not take what they were told to ({{ $labels.reason }}), and no others are told.',
    remedy:
      'The condition Ready of the TalosMachine says what it ran into. Edit the spec, or follow [upgrading Talos](upgrading-talos.md) or [configuration changes](configuration-changes.md) to try again.',
  },
  {
    ...{ alert: 'TalosKubernetesUpgradeStopped', severity: 'warning', for: '5m' },
    expr: `${by('max', [], series(conditions, { kind: 'TalosControlPlane', type: 'KubernetesUpgradeFailed', status: 'True' }))} > 0`,
    summary: '{{ $value }} upgrades of Kubernetes stopped on their way.',
    remedy:
      'Clusters work with two versions meanwhile. `kubectl get taloscontrolplanes -A` and the condition KubernetesUpgradeFailed say where and why; mend that, or set `kubeVersion` back.',
  },
  {
    ...{ alert: 'TalosClusterNotReady', severity: 'warning', for: '5m' },
    expr: olderThan(
      30 * MINUTE,
      `(${notReady({
        reason: `!~${any([...OF_NO_CONCERN, ...UNDER_WAY, ...LOST_MAJORITY, ...SECRETS_AMISS, ...API_AWAY])}`,
      })} unless ${notReady(SHAPED)})`,
    ),
    summary: `${OBJECT} is not Ready for {{ $value | humanizeDuration }} ({{ $labels.reason }}).`,
    remedy:
      '`talos-operator explain KIND/NAME` says what the operator waits for and what would help, and so does the condition Ready. `NotLookedAt`: the operator has made no pass for it at all.',
  },
  {
    ...{ alert: 'TalosRolloutSlow', severity: 'warning', for: '5m' },
    expr: olderThan(4 * HOUR, `(${notReady({ reason: any(UNDER_WAY) })} or ${notReady(SHAPED)})`),
    summary: `${OBJECT} has been changing for {{ $value | humanizeDuration }} ({{ $labels.reason }}).`,
    remedy:
      'Large pools take long, one machine after the other. `talos-operator explain KIND/NAME` says whose turn it is, and what a drain waits for.',
  },
  {
    ...{ alert: 'TalosDeletionStuck', severity: 'warning', for: '5m' },
    expr: olderThan(
      HOUR,
      by('min', ['kind'], series(conditionsSince, { type: 'Deleting', status: 'True' })),
    ),
    summary: 'A {{ $labels.kind }} has been going for {{ $value | humanizeDuration }}.',
    remedy:
      'The condition Deleting says what is in the way and how to go on without it. The annotation `talos.alperen.cloud/force-deletion` always works, and resets no machine; a KubernetesCluster deletes its Machines all the same.',
  },
  {
    ...{ alert: 'TalosMachineDrifted', severity: 'info', for: '15m' },
    expr: `${by('max', [], series(conditions, { kind: 'TalosMachine', type: 'Drifted', status: 'True' }))} > 0`,
    summary:
      'Somebody changed the configuration of {{ $value }} machines on the machines themselves.',
    remedy:
      'Put the change into the spec, or let the operator undo it: [configuration changes](configuration-changes.md), `rolloutStrategy.configDrift`.',
  },
]

export const alertGroups = [
  { name: 'talos-operator', alerts: ofTheOperator },
  { name: 'talos-operator-clusters', alerts: ofClusters },
]
