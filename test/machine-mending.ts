// What becomes of machines that are not up, and whose spec says something else by now. Among the cases of plan.test.ts.

import { CONFIG, CONFIG_REJECTED, CONFIG_TRIED, UPGRADE } from '#api/labels.ts'
import type { ConfigChange, Member, Step, World } from '#controllers/machine/world.ts'
import { type Tried, triedText } from '#engine/config-record.ts'
import { upgradeText } from '#engine/upgrade-record.ts'
import { aControlPlane, aWorker } from './builders.ts'
import type { Case } from './machine-configuration.ts'
import { aClaimedMachine, aMember, aNode, NOW, UUID } from './machine-world.ts'

const turn = 3
const boot = { id: 'b1', schematic: undefined, extensions: [], installer: undefined }
const agoMs = (ms: number) => new Date(NOW.getTime() - ms)
const live: ConfigChange = {
  ...{ needs: 'live', isOfNetwork: false, places: ['machine.kubelet.extraArgs'] },
  ...{ images: [], moved: [], older: [] },
}
const image = 'registry.k8s.io/kubelet:v1.35.0'
const images = [{ component: 'kubelet' as const, image }]
const network: ConfigChange = { ...live, isOfNetwork: true }
const reboot: ConfigChange = { ...live, needs: 'reboot' }
const down = (over: Partial<Member> = {}) =>
  aMember({ isKubeletWell: false, isReady: false, boot, ...over })
/** With a configuration by which it does not come up. */
const ill = (over: Partial<Member> = {}) => down({ fingerprint: 'bad', ...over })
const notReady = aNode({ ready: false })
const given = (annotations: Record<string, string> = {}) =>
  aClaimedMachine({ [CONFIG]: 'before-the-edit bad', ...annotations })
const tried = (config: string, ms: number, over: Partial<Tried> = {}) => ({
  [CONFIG_TRIED]: triedText({ config, times: 1, at: agoMs(ms), mode: 'live', ...over }),
})
const rebooted = (config: string, ms: number, id = 'b0') =>
  tried(config, ms, { mode: 'reboot', boot: id })
const upgraded = (ms: number) => ({
  [UPGRADE]: upgradeText({
    ...{ phase: 'restarting', image: 'ghcr.io/siderolabs/installer:v1.13.0', from: 'v1.12.4' },
    ...{ boot: 'b0', times: 1, at: agoMs(ms), turn },
  }),
})
const inTurn = (world: Partial<World> = {}) => ({
  seen: ill(),
  ...{ change: live, turn, node: notReady, ...world },
})
const apply = (mode: 'live' | 'try' | 'reboot' = 'live'): Step[] => [
  { do: 'applyConfig', uuid: UUID, config: 'as-wanted', mode, times: 1 },
]
const coming = { ready: 'ComingUp', reachable: 'Answers', state: 'Installing' }
const configuring = { ...coming, ready: 'Configuring' }
const config = { origin: 'as-edited', config: 'as-wanted' }
const ofPool = {
  is: 'there' as const,
  ...{ controlPlane: aControlPlane(), worker: aWorker() },
}

export const mendingCases: Case[] = [
  {
    title: 'whose kubelet does not come up is given the corrected configuration in its turn',
    machine: given(),
    world: inTurn(),
    steps: apply(),
    ...configuring,
  },
  {
    title: 'whose kubelet does not come up waits for its turn to be corrected, and says what it is',
    machine: given(),
    world: inTurn({ turn: undefined }),
    ...coming,
  },
  {
    title: 'that boots, and does not come up by its first configuration, is given the next',
    machine: given(),
    world: inTurn({ seen: ill({ stage: 'booting' }), node: undefined }),
    steps: apply(),
    ...configuring,
  },
  {
    title: 'that somebody else broke is put right where that is wanted',
    world: inTurn({
      parent: {
        is: 'there',
        controlPlane: aControlPlane({
          spec: { rolloutStrategy: { type: 'RollingUpdate', configDrift: 'correct' } },
        }),
      },
    }),
    steps: apply(),
    ...configuring,
  },
  {
    title: 'that somebody else broke is left so otherwise',
    world: inTurn({ turn: undefined }),
    ...coming,
  },
  {
    title: 'that is about to go down is not given anything before it is back',
    machine: given(),
    world: inTurn({ seen: ill({ stage: 'rebooting' }) }),
    ...coming,
  },
  {
    title: 'that was told to reboot, and is still there, is waited for',
    machine: given(rebooted('bad', 60_000, 'b1')),
    world: inTurn(),
    ...configuring,
  },
  {
    title: 'that boots after it was told to may still come up',
    machine: given(rebooted('bad', 299_000)),
    world: inTurn({ seen: ill({ stage: 'booting' }) }),
    ...coming,
  },
  {
    title: 'that booted, and does not come up, is given the next',
    machine: given(rebooted('bad', 300_000)),
    world: inTurn({ seen: ill({ stage: 'booting' }) }),
    steps: apply(),
    ...configuring,
  },
  {
    title: 'that boots another Talos is left to it',
    machine: given(upgraded(899_000)),
    world: inTurn({ seen: ill({ stage: 'booting' }) }),
    ...coming,
  },
  {
    title: 'that is not up, and is to get another Talos, is given nothing of it before it is up',
    machine: aClaimedMachine({ [CONFIG]: 'before-the-edit bad' }, { spec: { version: 'v1.13.1' } }),
    world: inTurn(),
    ...coming,
  },
  {
    title: 'that installs another Talos is left to it',
    machine: given(),
    world: inTurn({ long: { what: 'install ghcr.io/x', is: 'under way' } }),
    ...coming,
  },
  {
    title: 'that booted another Talos, and does not come up, is given what may mend it',
    machine: given(upgraded(900_000)),
    world: inTurn({ seen: ill({ stage: 'booting' }) }),
    steps: apply(),
    ...configuring,
  },
  {
    title: 'that is not up, and does not take the correction, says so and keeps its turn',
    machine: given({ [CONFIG_REJECTED]: 'as-wanted unknown keys' }),
    world: inTurn(),
    ...{ ...coming, ready: 'ConfigRejected' },
  },
  {
    title: 'that is not up, and would get an older Kubernetes, says so and keeps its turn',
    machine: given(),
    world: inTurn({ change: { ...live, images, older: ['kubelet'] } }),
    ...{ ...coming, ready: 'KubernetesDowngrade' },
  },
  {
    title: 'that is not up fetches what it is to run before it is given that',
    machine: given(),
    world: inTurn({ change: { ...live, images } }),
    steps: [{ do: 'pullImages', uuid: UUID, images }],
    ...configuring,
  },
  {
    title: 'that is not up, and is to get another kubelet, waits until its pool may',
    machine: given(),
    world: inTurn({ change: { ...live, images, moved: ['kubelet'] }, parent: ofPool }),
    ...coming,
  },
  {
    title: 'that is not up, and tries a network with which it answers, keeps it',
    machine: given(tried('as-wanted', 30_000, { mode: 'try' })),
    world: { turn, seen: down(), node: notReady },
    steps: [{ do: 'keepConfig', uuid: UUID, config }],
    ...configuring,
  },
  {
    title: 'that is not up is given another network for a try, as any other',
    machine: given(),
    world: inTurn({ change: network }),
    steps: apply('try'),
    ...configuring,
  },
  {
    title: 'that is not up is rebooted for what needs it',
    machine: given(),
    world: inTurn({ change: reboot }),
    steps: apply('reboot'),
    ...configuring,
  },
  {
    title: 'of v1.14 that is not up, and has what it has to reboot for, is rebooted',
    machine: aClaimedMachine(
      { [CONFIG]: 'before-the-edit bad', ...rebooted('as-wanted', 1_000, 'b1') },
      { spec: { version: 'v1.14.0' } },
    ),
    world: { turn, seen: down({ version: 'v1.14.0' }), node: notReady },
    steps: [{ do: 'restart', uuid: UUID, times: 1 }],
    ...configuring,
  },
  {
    title: 'that is not up with its new configuration may still come up',
    machine: aClaimedMachine(tried('as-wanted', 299_000)),
    world: { turn, seen: down(), node: notReady },
    ...coming,
  },
  {
    title: 'that does not come up with its new configuration stops everything',
    machine: aClaimedMachine(tried('as-wanted', 300_000)),
    world: { turn, seen: down({ unmet: ['services (kubelet)'] }), node: notReady },
    ...{ ...coming, ready: 'ComponentNotReady' },
    says: 'it waits for: services (kubelet)',
  },
  {
    title: 'that reboots for its new configuration may take longer',
    machine: aClaimedMachine(rebooted('as-wanted', 899_000)),
    world: { turn, seen: down({ stage: 'booting' }), node: notReady },
    ...coming,
  },
  {
    title: 'that has rebooted for it, and does not come up, stops everything',
    machine: aClaimedMachine(rebooted('as-wanted', 900_000)),
    world: { turn, seen: down({ stage: 'booting' }), node: notReady },
    ...{ ...coming, ready: 'ComponentNotReady' },
  },
  {
    title: 'that is not up, and was given nothing in its turn, comes up',
    machine: aClaimedMachine(tried('as-wanted', 900_000, { times: 0 })),
    world: { turn, seen: down(), node: notReady },
    ...coming,
  },
]
