import { Addon } from '#api/addon.ts'
import { AddonRelease } from '#api/addon-release.ts'
import { EtcdBackup } from '#api/etcd-backup.ts'
import { EtcdBackupSchedule } from '#api/etcd-backup-schedule.ts'
import type { Kind } from '#api/meta.ts'
import { type Controller, defineController } from '#runtime/controller.ts'
import { planFor, teardownOf, type Unbuilt } from './plan.ts'

const HELM = 'install the chart with Helm, Argo CD or Flux and the Secret `<cluster>-kubeconfig`'
const TALOSCTL =
  'use `talosctl etcd snapshot` with the Secret `<cluster>-talosconfig`, from a CronJob say'

const UNBUILT: readonly Unbuilt[] = [
  {
    ...{ kind: Addon, what: 'a chart for all clusters of a selector', instead: HELM },
    stays: 'charts stay installed in the clusters',
  },
  {
    ...{ kind: AddonRelease, what: 'a chart in a cluster', instead: HELM },
    stays: 'the chart stays installed in the cluster, if it was',
  },
  {
    ...{ kind: EtcdBackupSchedule, what: 'a schedule of backups' },
    ...{ instead: `none is taken, ${TALOSCTL}`, stays: 'the snapshots stay in their store' },
  },
  {
    ...{ kind: EtcdBackup, what: 'a backup of etcd', instead: `none is taken, ${TALOSCTL}` },
    stays: 'the snapshot stays in its store, if one was taken',
  },
]

// One for each kind that is accepted and not built: whoever applies such an object is told, and not left to wait.
export const notBuilt: readonly Controller[] = UNBUILT.map((unbuilt) =>
  defineController<Kind, undefined, never>({
    kind: unbuilt.kind,
    observe: () => undefined,
    plan: (resource) => planFor(unbuilt, resource),
    teardown: (resource) => teardownOf(unbuilt, resource),
    act: {},
  }),
)
