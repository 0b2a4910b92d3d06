// What becomes of machines whose configuration is not what it is to be. Among the cases of plan.test.ts.

import { CONFIG, CONFIG_REJECTED, CONFIG_TRIED, CONSENT } from '#api/labels.ts'
import type { Machine } from '#api/machine.ts'
import type { ConfigChange, Step, World } from '#controllers/machine/world.ts'
import { triedText } from '#engine/config-record.ts'
import { aControlPlane } from './builders.ts'
import { aClaimedMachine, aMember, aNode, NOW, UUID } from './machine-world.ts'

export interface Case {
  title: string
  machine?: Machine
  world?: Partial<World>
  steps?: Step[]
  /** Reason of Ready; left out: the machine is as it should be. */
  ready?: string
  /** What its message has in it. */
  says?: string
  /** Reason of Reachable. */
  reachable: string
  state: string
}

const live: ConfigChange = {
  ...{
    needs: 'live',
    isOfNetwork: false,
    places: ['machine.sysctls'],
    images: [],
    moved: [],
    older: [],
  },
}
const watchedFor = (minReadySeconds: number): World['parent'] => ({
  is: 'there',
  controlPlane: aControlPlane({
    spec: { rolloutStrategy: { type: 'RollingUpdate', minReadySeconds } },
  }),
})
const reboot: ConfigChange = { ...live, needs: 'reboot' }
const boot = { id: 'b1', schematic: undefined, extensions: [], installer: undefined }
const network: ConfigChange = { ...live, isOfNetwork: true }
const has = aMember({ fingerprint: 'as-before' })
const EDITED = { [CONFIG]: 'before-the-edit as-before' }
const edited = (more: Record<string, string> = {}) => aClaimedMachine({ ...EDITED, ...more })
const agoMs = (ms: number) => new Date(NOW.getTime() - ms)
const tried = (times: number, ms: number, mode: 'live' | 'try' | 'reboot' = 'live') => ({
  [CONFIG_TRIED]: triedText({
    ...{ config: 'as-wanted', times, at: agoMs(ms), mode },
    ...(mode === 'reboot' && { boot: 'b1' }),
  }),
})
const unnoted = () => aClaimedMachine({ [CONFIG]: '' })
const config = { origin: 'as-edited', config: 'as-wanted' }
const corrected = aControlPlane({
  spec: { rolloutStrategy: { type: 'RollingUpdate', configDrift: 'correct' } },
})
const answers = { reachable: 'Answers', state: 'Available' }

const apply = (times: number, mode: 'live' | 'try' = 'live'): Step[] => [
  { do: 'applyConfig', uuid: UUID, config: 'as-wanted', mode, times },
]

export const configurationCases: Case[] = [
  {
    title: 'that has what is wanted, and of which nobody knows that, is written down',
    machine: edited(),
    steps: [{ do: 'noteConfig', config }],
    ...answers,
  },
  {
    title: 'that tries what is wanted, and can be reached, keeps it',
    machine: edited(tried(1, 30_000, 'try')),
    world: { turn: 3 },
    steps: [{ do: 'keepConfig', uuid: UUID, config }],
    ...{ ready: 'Configuring', ...answers },
  },
  {
    title: 'that tries what is wanted is watched for a while before it keeps it',
    machine: edited(tried(1, 29_000, 'try')),
    world: { turn: 3 },
    ...{ ready: 'Configuring', ...answers },
  },
  {
    title: 'that said no is not asked again, and lets others have their turn',
    machine: edited({ [CONFIG_REJECTED]: 'as-wanted unknown keys' }),
    world: { seen: has, change: live, turn: 3 },
    steps: [{ do: 'endTurn', turn: 3 }],
    ...{ ready: 'ConfigRejected', ...answers },
  },
  {
    title: 'that said no to something else is asked',
    machine: edited({ [CONFIG_REJECTED]: 'what-was-wanted unknown keys' }),
    world: { seen: has, change: live, turn: 3 },
    steps: apply(1),
    ...{ ready: 'Configuring', ...answers },
  },
  {
    title: 'that nobody here configured is not changed unless somebody says so',
    machine: unnoted(),
    world: { seen: has, change: live },
    ...{ ready: 'WaitsForConsent', ...answers },
  },
  {
    title: 'that somebody said so of waits for its turn',
    machine: aClaimedMachine({ [CONFIG]: '', [CONSENT]: 'as-bas-w' }),
    world: { seen: has, change: live },
    ...{ ready: 'ConfigPending', ...answers },
  },
  {
    title: 'whose spec was edited waits for its turn',
    machine: edited(),
    world: { seen: has, change: live },
    ...{ ready: 'ConfigPending', ...answers },
  },
  {
    title: 'that waits for its turn and is not well says what is the matter',
    machine: edited(),
    world: { seen: has, change: live, node: aNode({ ready: false }) },
    ...{ ready: 'NodeNotReady', ...answers },
  },
  {
    title: 'that has to reboot for it waits for its turn, too',
    machine: edited(),
    world: { seen: has, change: reboot },
    ...{ ready: 'ConfigPending', ...answers },
  },
  {
    title: 'that has to reboot for it is drained first',
    machine: edited(),
    world: { seen: has, change: reboot, turn: 3 },
    steps: [{ do: 'cordon', node: 'cp-1', uid: 'uid-of-node' }],
    ...{ ready: 'Draining', ...answers },
  },
  {
    title: 'that reboots for it is waited for',
    machine: edited(tried(1, 60_000, 'reboot')),
    world: { seen: { ...has, boot }, change: reboot, turn: 3 },
    ...{ ready: 'Configuring', reachable: 'Answers', state: 'Installing' },
  },
  {
    title: 'that has taken at once what it has to reboot for is rebooted',
    machine: aClaimedMachine(
      { ...EDITED, ...tried(1, 1_000, 'reboot') },
      { spec: { version: 'v1.14.0' } },
    ),
    world: { seen: aMember({ version: 'v1.14.0', boot }), turn: 3, node: aNode({ ready: false }) },
    steps: [{ do: 'restart', uuid: UUID, times: 1 }],
    ...{ ready: 'Configuring', reachable: 'Answers', state: 'Installing' },
  },
  {
    title: 'that somebody changed is left so, and is ready',
    world: { seen: has, change: live },
    ...answers,
  },
  {
    title: 'that somebody changed is put right where that is wanted',
    world: { seen: has, change: live, parent: { is: 'there', controlPlane: corrected }, turn: 3 },
    steps: apply(1),
    ...{ ready: 'Configuring', ...answers },
  },
  {
    title: 'that another release would configure otherwise is left as it is',
    machine: aClaimedMachine({ [CONFIG]: 'as-edited as-before' }),
    world: { seen: has, change: live },
    ...answers,
  },
  {
    title: 'whose turn it is gets what is wanted',
    machine: edited(),
    world: { seen: has, change: live, turn: 3 },
    steps: apply(1),
    ...{ ready: 'Configuring', ...answers },
  },
  {
    title: 'that said yes and has it not gets it again',
    machine: edited(tried(1, 5_000)),
    world: { seen: has, change: live, turn: 3 },
    steps: apply(2),
    ...{ ready: 'Configuring', ...answers },
  },
  {
    title: 'that never has what it says yes to is not told for ever',
    machine: edited(tried(3, 5_000)),
    world: { seen: has, change: live, turn: 3 },
    steps: [
      {
        ...{ do: 'noteRejected', config: 'as-wanted' },
        why: 'it was told 3 times to take it, said yes, and has another one',
      },
    ],
    ...{ ready: 'Configuring', ...answers },
  },
  {
    title: 'whose network is changed gets that for a try',
    machine: edited(),
    world: { seen: has, change: network, turn: 3 },
    steps: apply(1, 'try'),
    ...{ ready: 'Configuring', ...answers },
  },
  {
    title: 'that may be about to take a try back is waited for',
    machine: edited(tried(1, 60_000, 'try')),
    world: { seen: has, change: network, turn: 3 },
    ...{ ready: 'Configuring', ...answers },
  },
  {
    title: 'that was seen not to answer with what it tries, and took it back, does not take it',
    machine: edited({
      [CONFIG_TRIED]: triedText({
        ...{ config: 'as-wanted', times: 1, at: agoMs(120_000), mode: 'try', isCutOff: true },
      }),
    }),
    world: { seen: has, change: network, turn: 3 },
    steps: [
      {
        ...{ do: 'noteRejected', config: 'as-wanted' },
        why: 'it was tried, the machine could not be reached with it, and took it back by itself',
      },
    ],
    ...{ ready: 'Configuring', ...answers },
  },
  {
    title: 'that was just changed is watched for a moment',
    machine: aClaimedMachine(tried(1, 29_000)),
    world: { turn: 3 },
    ...{ ready: 'Configuring', ...answers },
  },
  {
    title: 'that was changed, and whose services are not up, is waited for',
    machine: aClaimedMachine(tried(1, 300_000)),
    world: { turn: 3, seen: aMember({ isReady: false, unmet: ['staticPods (kube-apiserver)'] }) },
    ...{ ready: 'Configuring', ...answers },
  },
  {
    title: 'that was changed, and whose node is not ready, keeps its turn',
    machine: aClaimedMachine(tried(1, 300_000)),
    world: { turn: 3, node: aNode({ ready: false }) },
    ...{ ready: 'NodeNotReady', ...answers },
  },
  {
    title: 'that was changed and has been well since has done with its turn',
    machine: aClaimedMachine(tried(1, 30_000)),
    world: { turn: 3 },
    steps: [{ do: 'endTurn', turn: 3, took: 'as-wanted' }],
    ...answers,
  },
  {
    title: 'that was changed is watched for as long as its control plane says',
    machine: aClaimedMachine(tried(1, 30_000)),
    world: { turn: 3, parent: watchedFor(60) },
    ...{ ready: 'Configuring', ...answers },
  },
  {
    title: 'that was changed is not watched where its control plane says so',
    machine: aClaimedMachine(tried(1, 0)),
    world: { turn: 3, parent: watchedFor(0) },
    steps: [{ do: 'endTurn', turn: 3, took: 'as-wanted' }],
    ...answers,
  },
]
