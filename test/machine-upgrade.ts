// What becomes of machines that run another version of Talos than they are to. Among the cases of plan.test.ts.

import { CONSENT, UPGRADE, UPGRADE_FAILED } from '#api/labels.ts'
import { fingerprint } from '#base/fingerprint.ts'
import type { Boot, Step } from '#controllers/machine/world.ts'
import { upgradeText } from '#engine/upgrade-record.ts'
import type { Case } from './machine-configuration.ts'
import { aClaimedMachine, aMember, aNode, NOW, UUID } from './machine-world.ts'

const boot = (id: string, over: Partial<Boot> = {}): Boot => ({
  ...{ id, schematic: undefined, extensions: [], installer: undefined },
  ...over,
})
const IMAGE = 'ghcr.io/siderolabs/installer:v1.13.0'
const old = (over: Partial<Boot> = {}) => aMember({ version: 'v1.12.4', boot: boot('b1', over) })
const PLAIN = {
  ...{ wipe: false, airGap: false, imageCache: false, allowSchedulingOnControlPlanes: false },
}
const wanting = (version: string, annotations: Record<string, string> = {}, image?: string) =>
  aClaimedMachine(annotations, {
    metadata: { uid: 'uid-1' },
    spec: { version, ...(image && { machineSpec: { ...PLAIN, image } }) },
  })
const agoMs = (ms: number) => new Date(NOW.getTime() - ms)
const record = (phase: 'installing' | 'restarting', ms: number, times = 1) => ({
  ...{ phase, image: IMAGE, from: 'v1.12.4', boot: 'b1', times, at: agoMs(ms) },
})
const told = (...given: Parameters<typeof record>) => ({ [UPGRADE]: upgradeText(record(...given)) })
// v1.13 knows the new way.
const NEXT = 'ghcr.io/siderolabs/installer:v1.13.1'
const newWay = (over: Partial<Boot> = {}) => aMember({ version: 'v1.13.0', boot: boot('b1', over) })
const newRecord = (phase: 'installing' | 'restarting', ms: number, times = 1) => ({
  ...record(phase, ms, times),
  ...{ image: NEXT, from: 'v1.13.0' },
})
const newTold = (...given: Parameters<typeof newRecord>) => ({
  [UPGRADE]: upgradeText(newRecord(...given)),
})
const pulled = { what: `pull ${IMAGE}`, is: 'done' as const, result: IMAGE }
const newPulled = { what: `pull ${NEXT}`, is: 'done' as const, result: NEXT }
const installed = { what: `install ${NEXT}`, is: 'done' as const, result: NEXT }
const failed = (what: string, outcome: 'refused' | 'lost', ms: number) => ({
  ...{ what, is: 'failed' as const, at: agoMs(ms) },
  failure: { message: 'no such image', outcome },
})
const drained = aNode({
  isUnschedulable: true,
  drain: { by: 'uid-1', since: agoMs(5_000).toISOString(), cordoned: true },
})
const empty = { is: 'known' as const, pods: [] }
const turn = 3
const available = { reachable: 'Answers', state: 'Available' }
const upgrading = { ready: 'Upgrading', reachable: 'Answers', state: 'Upgrading' }
const uncordon: Step = { do: 'uncordon', node: 'cp-1', uid: 'uid-of-node' }

export const upgradeCases: Case[] = [
  {
    title: 'that runs an older version waits for its turn',
    machine: wanting('v1.13.0'),
    world: { seen: old() },
    ...{ ready: 'UpgradePending', ...available },
  },
  {
    title: 'that is to go back to an older version stays',
    machine: wanting('v1.12.4'),
    world: { turn },
    steps: [{ do: 'endTurn', turn }],
    ...{ ready: 'DowngradeRefused', ...available },
  },
  {
    title: 'that is to skip a minor version stays',
    machine: wanting('v1.13.0'),
    world: { seen: aMember({ version: 'v1.11.3' }) },
    ...{ ready: 'UpgradePathUnsupported', ...available },
  },
  {
    title: 'whose image is of another version than is wanted stays',
    machine: wanting('v1.13.0', {}, 'ghcr.io/siderolabs/installer:v1.12.9'),
    world: { seen: old() },
    ...{ ready: 'ImageOfAnotherVersion', ...available },
  },
  {
    title: 'that fell back is not upgraded again, takes pods again, and keeps nobody waiting',
    machine: wanting('v1.13.0', { [UPGRADE_FAILED]: `${IMAGE} it went back` }),
    world: { seen: old(), turn, node: drained },
    steps: [uncordon],
    ...{ ready: 'UpgradeFailed', ...available },
  },
  {
    title: 'that fell back with another image is upgraded',
    machine: wanting('v1.13.0', { [UPGRADE_FAILED]: 'another:v1.13.0 it went back' }),
    world: { seen: old(), turn },
    steps: [{ do: 'pullImage', uuid: UUID, image: IMAGE }],
    ...upgrading,
  },
  {
    title: 'that would lose its extensions stays',
    machine: wanting('v1.13.0'),
    world: { seen: old({ extensions: ['zfs'] }), turn },
    steps: [{ do: 'endTurn', turn }],
    ...{ ready: 'ExtensionsWouldBeLost', ...available },
  },
  {
    title: 'that may lose its extensions, because somebody says so, is upgraded',
    machine: wanting('v1.13.0', { [CONSENT]: fingerprint([IMAGE, ['zfs']]).slice(0, 8) }),
    world: { seen: old({ extensions: ['zfs'] }), turn },
    steps: [{ do: 'pullImage', uuid: UUID, image: IMAGE }],
    ...upgrading,
  },
  {
    title: 'that fetches its image is waited for',
    machine: wanting('v1.13.0'),
    world: { seen: old(), turn, long: { what: `pull ${IMAGE}`, is: 'under way' } },
    ...upgrading,
  },
  {
    title: 'that cannot fetch its image is not touched',
    machine: wanting('v1.13.0'),
    world: { seen: old(), turn, long: failed(`pull ${IMAGE}`, 'refused', 10_000) },
    ...{ ready: 'ImagePullFailed', ...available },
  },
  {
    title: 'that could not fetch its image tries it again after a while',
    machine: wanting('v1.13.0'),
    world: { seen: old(), turn, long: failed(`pull ${IMAGE}`, 'refused', 60_000) },
    steps: [{ do: 'pullImage', uuid: UUID, image: IMAGE }],
    ...{ ready: 'ImagePullFailed', ...available },
  },
  {
    title: 'that has its image is drained before it is told to upgrade itself',
    machine: wanting('v1.13.0'),
    world: { seen: old(), turn, long: pulled },
    steps: [{ do: 'cordon', node: 'cp-1', uid: 'uid-of-node' }],
    ...{ ready: 'Draining', reachable: 'Answers', state: 'Upgrading' },
  },
  {
    title: 'that is drained is told to upgrade itself',
    machine: wanting('v1.13.0'),
    world: { seen: old(), turn, long: pulled, node: drained, pods: empty },
    steps: [
      { do: 'install', uuid: UUID, image: IMAGE, by: 'all', record: record('installing', 0) },
    ],
    ...upgrading,
  },
  {
    title: 'that was told a moment ago is waited for',
    machine: wanting('v1.13.0', told('installing', 60_000)),
    world: { seen: old(), turn, node: drained, pods: empty },
    ...upgrading,
  },
  {
    title: 'that was told, and is as before, is told again',
    machine: wanting('v1.13.0', told('installing', 120_000)),
    world: { seen: old(), turn, node: drained, pods: empty },
    steps: [
      { do: 'install', uuid: UUID, image: IMAGE, by: 'all', record: record('installing', 0, 2) },
    ],
    ...upgrading,
  },
  {
    title: 'that was told three times is not told for ever',
    machine: wanting('v1.13.0', told('installing', 120_000, 3)),
    world: { seen: old(), turn, node: drained, pods: empty },
    steps: [{ do: 'noteUpgradeFailed', image: IMAGE, why: 'it was told 3 times, and did not' }],
    ...upgrading,
  },
  {
    title: 'that booted, and runs what it did before, went back to it',
    machine: wanting('v1.13.0', {
      [UPGRADE]: upgradeText({ ...record('installing', 60_000), boot: 'b0' }),
    }),
    world: { seen: old(), turn },
    steps: [
      {
        ...{ do: 'noteUpgradeFailed', image: IMAGE },
        why: 'it booted, and runs Talos v1.12.4 as before: what it was given did not come up, and it went back to what it had',
      },
    ],
    ...upgrading,
  },
  {
    title: 'that booted, and runs what it should, is upgraded',
    machine: wanting('v1.13.0', told('installing', 60_000)),
    world: { seen: aMember({ boot: boot('b2') }), turn },
    steps: [{ do: 'noteUpgraded' }],
    ...upgrading,
  },
  {
    title: 'that knows the new way installs beside what runs before it is drained',
    machine: wanting('v1.13.1'),
    world: { seen: newWay(), turn, long: newPulled },
    steps: [
      {
        do: 'install',
        uuid: UUID,
        image: NEXT,
        by: 'lifecycle',
        record: newRecord('installing', 0),
      },
    ],
    ...upgrading,
  },
  {
    title: 'that installs is waited for',
    machine: wanting('v1.13.1', newTold('installing', 300_000)),
    world: { seen: newWay(), turn, long: { what: `install ${NEXT}`, is: 'under way' } },
    ...upgrading,
  },
  {
    title: 'whose installation nobody remembers may be at it, and is waited for',
    machine: wanting('v1.13.1', newTold('installing', 59_000)),
    world: { seen: newWay(), turn },
    ...upgrading,
  },
  {
    title: 'that did not answer may be at it, and is waited for',
    machine: wanting('v1.13.1', newTold('installing', 5_000)),
    world: { seen: newWay(), turn, long: failed(`install ${NEXT}`, 'lost', 0) },
    ...upgrading,
  },
  {
    title: 'whose installation nobody remembers is told again after a minute',
    machine: wanting('v1.13.1', newTold('installing', 60_000)),
    world: { seen: newWay(), turn },
    steps: [
      {
        ...{ do: 'install', uuid: UUID, image: NEXT, by: 'lifecycle' },
        record: newRecord('installing', 0, 2),
      },
    ],
    ...upgrading,
  },
  {
    title: 'whose installer failed is not told again',
    machine: wanting('v1.13.1', newTold('installing', 5_000)),
    world: { seen: newWay(), turn, long: failed(`install ${NEXT}`, 'refused', 0) },
    steps: [{ do: 'noteUpgradeFailed', image: NEXT, why: 'no such image' }],
    ...upgrading,
  },
  {
    title: 'that has installed and is drained is booted',
    machine: wanting('v1.13.1', newTold('installing', 5_000)),
    world: { seen: newWay(), turn, long: installed, node: drained, pods: empty },
    steps: [{ do: 'restart', uuid: UUID, record: newRecord('restarting', 0) }],
    ...upgrading,
  },
  {
    title: 'that has installed is drained first',
    machine: wanting('v1.13.1', newTold('installing', 5_000)),
    world: { seen: newWay(), turn, long: installed },
    steps: [{ do: 'cordon', node: 'cp-1', uid: 'uid-of-node' }],
    ...{ ready: 'Draining', reachable: 'Answers', state: 'Upgrading' },
  },
  {
    title: 'that was told to boot a moment ago is waited for',
    machine: wanting('v1.13.1', newTold('restarting', 5_000)),
    world: { seen: newWay(), turn, node: drained, pods: empty },
    ...upgrading,
  },
  {
    title: 'that was told to boot, and did not, is told that again and nothing else',
    machine: wanting('v1.13.1', newTold('restarting', 120_000)),
    world: { seen: newWay(), turn, node: drained, pods: empty },
    steps: [{ do: 'restart', uuid: UUID, record: newRecord('restarting', 0) }],
    ...upgrading,
  },
  {
    title: 'that is as it should be takes pods again before its turn is over',
    machine: wanting('v1.13.0'),
    world: { turn, node: drained },
    steps: [uncordon],
    ...available,
  },
]
