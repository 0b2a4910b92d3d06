// What becomes of machines that are to run another Kubernetes. Among the cases of plan.test.ts.

import { CONFIG, CONFIG_TRIED, KUBE_UPGRADE, UPGRADE } from '#api/labels.ts'
import type { ComponentsSeen, ConfigChange, Step, World } from '#controllers/machine/world.ts'
import { triedText } from '#engine/config-record.ts'
import { eachOf, kubernetesText, type Stage } from '#engine/kubernetes-record.ts'
import { upgradeText } from '#engine/upgrade-record.ts'
import { aControlPlane, aWorker } from './builders.ts'
import type { Case } from './machine-configuration.ts'
import { drained, uncordon } from './machine-upgrade-world.ts'
import { aClaimedMachine, aMember, aNode, NOW, UUID } from './machine-world.ts'

const turn = 3
const agoMs = (ms: number) => new Date(NOW.getTime() - ms)
const IMAGE = 'registry.k8s.io/kube-apiserver:v1.36.0'
const images = [{ component: 'apiServer' as const, image: IMAGE }]
const before = [{ component: 'apiServer' as const, image: IMAGE.replace('36', '35') }]
const change: ConfigChange = {
  ...{ needs: 'live', isOfNetwork: false, places: ['cluster.apiServer.image'], images, older: [] },
  moved: ['apiServer'],
}
const lowered: ConfigChange = { ...change, older: ['apiServer'] }
const has = aMember({ fingerprint: 'as-before' })
const edited = aClaimedMachine({ [CONFIG]: 'before-the-edit as-before' })
const available = { reachable: 'Answers', state: 'Available' }
const configuring = { ready: 'Configuring', ...available }
const call = (is: 'under way' | 'done') => ({ what: `fetch ${IMAGE}`, is, result: '' })
const failed = (ms: number) => ({
  ...{ what: `fetch ${IMAGE}`, is: 'failed' as const, at: agoMs(ms) },
  failure: { message: 'no such image', outcome: 'refused' as const },
})
const pull: Step[] = [{ do: 'pullImages', uuid: UUID, images }]
const at = (stage: Stage) =>
  aControlPlane({
    metadata: {
      annotations: {
        [KUBE_UPGRADE]: kubernetesText({
          ...{ target: 'v1.36.0', stage, before: 'v1.35.0', versions: eachOf(() => 'v1.35.0') },
        }),
      },
    },
  })
const tried = (ms: number) =>
  aClaimedMachine({
    [CONFIG_TRIED]: triedText({ config: 'as-wanted', times: 1, at: agoMs(ms), mode: 'live' }),
  })
const amiss: ComponentsSeen = { is: 'known', amiss: ['kube-apiserver does not run'] }
const boot = { id: 'b1', schematic: undefined, extensions: [], installer: undefined }
const older = { seen: aMember({ version: 'v1.12.4', boot }), turn, isKubernetesMoving: true }
const told = upgradeText({
  ...{ phase: 'installing', image: 'ghcr.io/siderolabs/installer:v1.13.0', from: 'v1.12.4' },
  ...{ boot: 'b1', times: 1, at: agoMs(5_000) },
})

const ofEdited = (world: Partial<World>) => ({
  machine: edited,
  world: { seen: has, turn, change, ...world },
})

const kubelets: ConfigChange = {
  ...{ needs: 'live', isOfNetwork: false, places: ['machine.kubelet.image'], older: [] },
  images: [{ component: 'kubelet', image: IMAGE }],
  moved: ['kubelet'],
}
const ofPool = (world: Partial<World>) =>
  ofEdited({
    parent: { is: 'there', controlPlane: aControlPlane(), worker: aWorker() },
    ...{ change: kubelets, mayKubeletsMove: false, ...world },
  })

export const kubernetesCases: Case[] = [
  {
    title: 'of a pool gets no other kubelet while its control plane does not let it, and says so',
    ...ofPool({ turn: undefined }),
    ...{ ready: 'KubernetesUpgradePending', ...available },
  },
  {
    title: 'of a pool that waits for another kubelet says what else is the matter with it',
    ...ofPool({ turn: undefined, node: aNode({ ready: false }) }),
    ...{ ready: 'NodeNotReady', ...available },
  },
  {
    title: 'of a pool whose kubelet has to wait gives its turn back, when it is well',
    ...ofPool({ long: call('done') }),
    steps: [{ do: 'endTurn', turn }],
    ...{ ready: 'KubernetesUpgradePending', ...available },
  },
  {
    title: 'of a pool that may have another kubelet waits for its turn',
    ...ofPool({ turn: undefined, mayKubeletsMove: true }),
    ...{ ready: 'ConfigPending', ...available },
  },
  {
    title: 'of a pool that may have another kubelet gets it in its turn',
    ...ofPool({ long: call('done'), mayKubeletsMove: true }),
    steps: [{ do: 'applyConfig', uuid: UUID, config: 'as-wanted', mode: 'live', times: 1 }],
    ...configuring,
  },
  {
    title: 'of a pool whose kubelet is of another registry alone need not wait for that',
    ...ofPool({ change: { ...kubelets, moved: [] }, long: call('done') }),
    steps: [{ do: 'applyConfig', uuid: UUID, config: 'as-wanted', mode: 'live', times: 1 }],
    ...configuring,
  },
  {
    title: 'of a control plane gets its kubelet by the upgrade of its cluster, whatever pools may',
    ...ofEdited({ change: kubelets, long: call('done') }),
    steps: [{ do: 'applyConfig', uuid: UUID, config: 'as-wanted', mode: 'live', times: 1 }],
    ...configuring,
  },
  {
    title: 'that gets another image fetches it before anything is stopped',
    ...ofEdited({}),
    steps: pull,
    ...configuring,
  },
  {
    title: 'that fetches it is waited for',
    ...ofEdited({ long: call('under way') }),
    ...configuring,
  },
  {
    title: 'that has fetched it is given its configuration',
    ...ofEdited({ long: call('done') }),
    steps: [{ do: 'applyConfig', uuid: UUID, config: 'as-wanted', mode: 'live', times: 1 }],
    ...configuring,
  },
  {
    title: 'that cannot fetch it is left as it is',
    ...ofEdited({ long: failed(5_000) }),
    ...{ ready: 'ImagePullFailed', ...available },
  },
  {
    title: 'that could not fetch it a minute ago tries again',
    ...ofEdited({ long: failed(60_000) }),
    steps: pull,
    ...{ ready: 'ImagePullFailed', ...available },
  },
  {
    title: 'that would get an older Kubernetes keeps what it has, and lets others have their turn',
    ...ofEdited({ change: lowered }),
    steps: [{ do: 'endTurn', turn }],
    ...{ ready: 'KubernetesDowngrade', ...available },
  },
  {
    title: 'of a pool that would get an older Kubernetes keeps what it has',
    ...ofEdited({
      ...{ change: lowered, turn: undefined },
      parent: { is: 'there', controlPlane: aControlPlane(), worker: aWorker() },
    }),
    ...{ ready: 'KubernetesDowngrade', ...available },
  },
  {
    title: 'is not taken back to anything else than what the others have',
    ...ofEdited({ change: lowered, parent: { is: 'there', controlPlane: at('stopped') } }),
    steps: [{ do: 'endTurn', turn }],
    ...{ ready: 'KubernetesDowngrade', ...available },
  },
  {
    title: 'goes back to what the others have when its upgrade was stopped',
    ...ofEdited({
      ...{ change: { ...lowered, images: before }, turn },
      parent: { is: 'there', controlPlane: at('stopped') },
      long: { what: `fetch ${before[0]?.image}`, is: 'done', result: '' },
    }),
    steps: [{ do: 'applyConfig', uuid: UUID, config: 'as-wanted', mode: 'live', times: 1 }],
    ...configuring,
  },
  {
    title: 'whose component does not run yet is watched',
    machine: tried(30_000),
    world: { turn, components: amiss },
    ...configuring,
  },
  {
    title: 'whose component does not come up stops everything',
    machine: tried(300_000),
    world: { turn, components: amiss },
    ...{ ready: 'ComponentNotReady', ...available },
  },
  {
    title: 'of which nobody can tell what it runs keeps its turn',
    machine: tried(30_000),
    world: { turn, components: { is: 'unknown', message: 'no answer' } },
    ...configuring,
  },
  {
    title: 'whose components run is done',
    machine: tried(30_000),
    world: { turn, components: { is: 'known', amiss: [] } },
    steps: [{ do: 'endTurn', turn, took: 'as-wanted' }],
    ...available,
  },
  {
    title:
      'is not upgraded while its cluster gets another Kubernetes, says so, and lets others have their turn',
    world: older,
    steps: [{ do: 'endTurn', turn }],
    ...{ ready: 'UpgradePending', ...available },
  },
  {
    title: 'that was drained, and is not upgraded for now, says so while it takes pods again',
    machine: aClaimedMachine({}, { metadata: { uid: 'uid-1' } }),
    world: { ...older, ...drained },
    steps: [uncordon],
    ...{ ready: 'UpgradePending', ...available },
  },
  {
    title: 'says so, when it has no turn',
    world: { ...older, turn: undefined },
    ...{ ready: 'UpgradePending', ...available },
  },
  {
    title: 'says what else is the matter with it',
    world: { ...older, turn: undefined, node: aNode({ ready: false }) },
    ...{ ready: 'NodeNotReady', ...available },
  },
  {
    title: 'that is to be upgraded, too, gets its part of Kubernetes first',
    machine: edited,
    world: {
      ...{ seen: { ...older.seen, fingerprint: 'as-before' }, turn, change },
      ...{ long: call('done'), isKubernetesMoving: true },
    },
    steps: [{ do: 'applyConfig', uuid: UUID, config: 'as-wanted', mode: 'live', times: 1 }],
    ...configuring,
  },
  {
    title: 'that was told to upgrade itself before its cluster gets another Kubernetes goes on',
    machine: aClaimedMachine({ [UPGRADE]: told }),
    world: older,
    ...{ ready: 'Upgrading', reachable: 'Answers', state: 'Upgrading' },
  },
]
