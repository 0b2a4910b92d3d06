// What is known of machines by what they were told to take, when others come in between. Among the cases of plan.test.ts.

import { CONFIG, CONFIG_TRIED } from '#api/labels.ts'
import type { ConfigChange, Step, World } from '#controllers/machine/world.ts'
import { type Tried, triedText } from '#engine/config-record.ts'
import { aControlPlane } from './builders.ts'
import type { Case } from './machine-configuration.ts'
import { drained, uncordon } from './machine-upgrade-world.ts'
import { aClaimedMachine, aMember, NOW, UUID } from './machine-world.ts'

const turn = 3
const boot = { id: 'b1', schematic: undefined, extensions: [], installer: undefined }
const agoMs = (ms: number) => new Date(NOW.getTime() - ms)
const live: ConfigChange = {
  ...{ needs: 'live', isOfNetwork: false, places: ['machine.sysctls'] },
  ...{ images: [], moved: [], older: [] },
}
const network: ConfigChange = { ...live, isOfNetwork: true, places: ['machine.network'] }
const reboot: ConfigChange = { ...live, needs: 'reboot' }
const tried = (config: string, ms: number, over: Partial<Tried> = {}) => ({
  [CONFIG_TRIED]: triedText({ config, times: 1, at: agoMs(ms), mode: 'live', ...over }),
})
const toReboot = (config: string, ms: number, id = 'b1') =>
  tried(config, ms, { mode: 'reboot', boot: id })
const has = (fingerprint: string) => aMember({ fingerprint, boot })
const correct: World['parent'] = {
  is: 'there',
  controlPlane: aControlPlane({
    spec: { rolloutStrategy: { type: 'RollingUpdate', configDrift: 'correct' } },
  }),
}
const config = { origin: 'as-edited', config: 'as-wanted' }
const edited = (more: Record<string, string>) =>
  aClaimedMachine({ [CONFIG]: 'before-the-edit as-before', ...more })
const newest = (more: Record<string, string>) =>
  aClaimedMachine(more, { spec: { version: 'v1.14.0' } })
const asNewest = aMember({ version: 'v1.14.0', boot })
const apply = (times: number, mode: 'live' | 'try' | 'reboot' = 'live'): Step[] => [
  { do: 'applyConfig', uuid: UUID, config: 'as-wanted', mode, times },
]
const answers = { reachable: 'Answers', state: 'Available' }
const configuring = { ready: 'Configuring', ...answers }
const rebooting = { ...configuring, state: 'Installing' }

export const tryCases: Case[] = [
  {
    title: 'that comes back with an edit that was taken back meanwhile is given what is wanted',
    machine: aClaimedMachine(toReboot('reverted', 240_000, 'b0')),
    world: { seen: has('reverted'), change: live, turn },
    steps: apply(1),
    ...configuring,
  },
  {
    title: 'that comes back with it without a turn waits for one',
    machine: aClaimedMachine(toReboot('reverted', 240_000, 'b0')),
    world: { seen: has('reverted'), change: live },
    ...{ ready: 'ConfigPending', ...answers },
  },
  {
    title: 'that has what it was given last is not edited because another release is at work',
    machine: aClaimedMachine({ [CONFIG]: 'as-edited as-before', ...tried('as-before', 1_000) }),
    world: { seen: has('as-before'), change: live },
    ...answers,
  },
  {
    title: 'that may be about to reboot for what was taken back keeps its turn',
    machine: aClaimedMachine(toReboot('reverted', 119_000)),
    world: { seen: has('as-wanted'), turn },
    ...rebooting,
  },
  {
    title: 'that did not reboot for what was taken back has done with its turn',
    machine: aClaimedMachine(toReboot('reverted', 120_000)),
    world: { seen: has('as-wanted'), turn },
    steps: [{ do: 'endTurn', turn }],
    ...answers,
  },
  {
    title: 'whose network was put right for a try keeps that',
    machine: aClaimedMachine(tried('as-wanted', 31_000, { mode: 'try' })),
    world: { seen: has('as-wanted'), turn, parent: correct },
    steps: [{ do: 'keepConfig', uuid: UUID, config }],
    ...configuring,
  },
  {
    title: 'whose network was put right for a try is watched before',
    machine: aClaimedMachine(tried('as-wanted', 29_000, { mode: 'try' })),
    world: { seen: has('as-wanted'), turn, parent: correct },
    ...configuring,
  },
  {
    title: 'that kept a try before anybody wrote that down is left alone',
    machine: aClaimedMachine(tried('as-wanted', 86_400_000, { mode: 'try' })),
    ...answers,
  },
  {
    title: 'that kept its network, and is changed by somebody since, is put right again',
    machine: aClaimedMachine(tried('as-wanted', 600_000, { times: 0 })),
    world: { seen: has('as-before'), change: live, turn, parent: correct },
    steps: apply(1),
    ...configuring,
  },
  {
    title: 'that has what it was told to take ends that with its turn',
    machine: aClaimedMachine(tried('as-wanted', 600_000, { times: 3 })),
    world: { seen: has('as-wanted'), turn },
    steps: [{ do: 'endTurn', turn, took: 'as-wanted' }],
    ...answers,
  },
  {
    title: 'of which that is known just ends its turn',
    machine: aClaimedMachine(tried('as-wanted', 600_000, { times: 0 })),
    world: { seen: has('as-wanted'), turn },
    steps: [{ do: 'endTurn', turn }],
    ...answers,
  },
  {
    title: 'that is changed by somebody for the fourth time is put right again',
    machine: aClaimedMachine(tried('as-wanted', 600_000, { times: 0 })),
    world: { seen: has('as-before'), change: live, turn, parent: correct },
    steps: apply(1),
    ...configuring,
  },
  {
    title: 'that took a try back while nobody looked is given it again',
    machine: edited(tried('as-wanted', 150_000, { mode: 'try' })),
    world: { seen: has('as-before'), change: network, turn },
    steps: apply(2, 'try'),
    ...configuring,
  },
  {
    title: 'that took it back each time while nobody looked does not take it',
    machine: edited(tried('as-wanted', 150_000, { mode: 'try', times: 3 })),
    world: { seen: has('as-before'), change: network, turn },
    steps: [
      {
        ...{ do: 'noteRejected', config: 'as-wanted' },
        why: 'it was told 3 times to try it, and took it back each time before it was told to keep it',
      },
    ],
    ...configuring,
  },
  {
    title: 'that does not answer with what it tries has that written down',
    machine: edited(tried('as-wanted', 5_000, { mode: 'try' })),
    world: { seen: { is: 'silent', message: 'no route' } },
    steps: [{ do: 'noteCutOff', config: 'as-wanted' }],
    ...{ ready: 'Unreachable', reachable: 'Unreachable', state: 'Pending' },
  },
  {
    title: 'that was seen not to answer with it is waited for',
    machine: edited(tried('as-wanted', 5_000, { mode: 'try', isCutOff: true })),
    world: { seen: { is: 'silent', message: 'no route' } },
    ...{ ready: 'Unreachable', reachable: 'Unreachable', state: 'Pending' },
  },
  {
    title: 'that does not answer long after a try is silent for another reason',
    machine: edited(tried('as-wanted', 120_000, { mode: 'try' })),
    world: { seen: { is: 'silent', message: 'no route' } },
    ...{ ready: 'Unreachable', reachable: 'Unreachable', state: 'Pending' },
  },
  {
    title: 'that was away for a moment, and answers with what it tries, keeps it',
    machine: edited(tried('as-wanted', 30_000, { mode: 'try', isCutOff: true })),
    world: { seen: has('as-wanted'), turn },
    steps: [{ do: 'keepConfig', uuid: UUID, config }],
    ...configuring,
  },
  {
    title: 'of v1.14 that was told to boot for what it has is waited for',
    machine: newest(tried('as-wanted', 119_000, { mode: 'reboot', boot: 'b1', boots: 1 })),
    world: { seen: asNewest, turn },
    ...rebooting,
  },
  {
    title: 'of v1.14 that did not boot for it is told again',
    machine: newest(tried('as-wanted', 120_000, { mode: 'reboot', boot: 'b1', boots: 1 })),
    world: { seen: asNewest, turn, node: undefined },
    steps: [{ do: 'restart', uuid: UUID, times: 2 }],
    ...rebooting,
  },
  {
    title: 'of v1.14 that never boots for it is not told for ever',
    machine: newest(tried('as-wanted', 120_000, { mode: 'reboot', boot: 'b1', boots: 3 })),
    world: { seen: asNewest, turn },
    ...{ ready: 'ConfigRejected', ...answers },
    says: 'it was told 3 times to boot',
  },
  {
    title: 'of v1.14 that never boots for it takes pods again',
    machine: aClaimedMachine(
      tried('as-wanted', 120_000, { mode: 'reboot', boot: 'b1', boots: 3 }),
      { metadata: { uid: 'uid-1' }, spec: { version: 'v1.14.0' } },
    ),
    world: { seen: asNewest, turn, ...drained },
    steps: [uncordon],
    ...{ ready: 'ConfigRejected', ...answers },
  },
  {
    title: 'that was to reboot by itself, and has what it was to reboot for, is told to',
    machine: aClaimedMachine(toReboot('as-wanted', 120_000)),
    world: { seen: has('as-wanted'), turn, node: undefined },
    steps: [{ do: 'restart', uuid: UUID, times: 1 }],
    ...rebooting,
  },
  {
    title: 'that has to reboot for what puts it right is told so',
    machine: aClaimedMachine(),
    world: { seen: has('as-before'), change: reboot, turn, parent: correct, node: undefined },
    steps: apply(1, 'reboot'),
    ...rebooting,
  },
]
