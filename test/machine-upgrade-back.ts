// What becomes of machines that were told to install another Talos, which is not wanted any more. Among the cases of plan.test.ts.

import { UPGRADE, UPGRADE_FAILED } from '#api/labels.ts'
import type { Case } from './machine-configuration.ts'
import {
  agoMs,
  available,
  drained,
  failed,
  IMAGE,
  install,
  NEXT,
  newRecord,
  newTold,
  newWay,
  noted,
  old,
  pulled,
  record,
  told,
  turn,
  uncordon,
  upgrading,
  wanting,
} from './machine-upgrade-world.ts'
import { aNode, UUID } from './machine-world.ts'

// It runs v1.13.0, as it is to, and v1.13.1 is beside that.
const seen = newWay()
const pulling = { do: 'pullImage' as const, uuid: UUID, image: IMAGE }
const back = (...[phase, ms, over = {}]: Parameters<typeof record>) =>
  record(phase, ms, { from: 'v1.13.1', ...over })
const BEFORE = { turn: turn - 1 }

export const backCases: Case[] = [
  {
    title: 'that would boot what is not wanted any more waits for its turn to take it back',
    machine: wanting('v1.13.0', newTold('installed', 300_000, BEFORE)),
    world: { seen },
    ...{ ready: 'UpgradePending', says: 'Talos v1.13.1 is not wanted any more', ...available },
  },
  {
    title: 'that takes back what it has installed fetches what it runs',
    machine: wanting('v1.13.0', newTold('installed', 5_000)),
    world: { seen, turn, ...drained },
    steps: [pulling],
    ...upgrading,
  },
  {
    title: 'that takes back what it has installed installs what it runs',
    machine: wanting('v1.13.0', newTold('installed', 5_000)),
    world: { seen, turn, long: pulled(IMAGE), ...drained },
    steps: [install(IMAGE, back('installing', 0))],
    ...upgrading,
  },
  {
    title: 'that is still at what it is to take back is not disturbed',
    machine: wanting('v1.13.0', newTold('installing', 5_000)),
    world: { seen, turn, long: { what: `install ${NEXT}`, is: 'under way' } },
    ...upgrading,
  },
  {
    title: 'of which nobody knows whether it has installed takes it back as well',
    machine: wanting('v1.13.0', newTold('installing', 60_000)),
    world: { seen, turn },
    steps: [pulling],
    ...upgrading,
  },
  {
    title: 'that was told to boot what is not wanted any more may be about to',
    machine: wanting('v1.13.0', newTold('restarting', 5_000)),
    world: { seen, turn },
    ...upgrading,
  },
  {
    title: 'that was told to boot what is not wanted any more, and did not, takes it back',
    machine: wanting('v1.13.0', newTold('restarting', 120_000)),
    world: { seen, turn },
    steps: [pulling],
    ...upgrading,
  },
  {
    title: 'that has installed what it runs is said to have',
    machine: wanting('v1.13.0', noted(back('installing', 30_000))),
    world: { seen, turn, long: { what: `install ${IMAGE}`, is: 'done', result: '' } },
    steps: [{ do: 'noteUpgrade', record: back('installed', 0, { times: 0 }) }],
    ...upgrading,
  },
  {
    title: 'that boots what it runs has nothing to take back any more',
    machine: wanting('v1.13.0', noted(back('installed', 5_000))),
    world: { seen, turn, ...drained },
    steps: [{ do: 'dropUpgrade' }],
    ...upgrading,
  },
  {
    title: 'that boots what it runs is ready though it is not its turn',
    machine: wanting('v1.13.0', noted(back('installed', 5_000))),
    world: { seen },
    steps: [{ do: 'dropUpgrade' }],
    ...available,
  },
  {
    title: 'that boots what it runs says what else is the matter with it',
    machine: wanting('v1.13.0', noted(back('installed', 5_000))),
    world: { seen, node: aNode({ ready: false }) },
    steps: [{ do: 'dropUpgrade' }],
    ...{ ready: 'NodeNotReady', ...available },
  },
  {
    title: 'that does not install what it runs keeps what is known of it',
    machine: wanting('v1.13.0', noted(back('installing', 5_000))),
    world: { seen, turn, long: failed(`install ${IMAGE}`, 'refused', 0) },
    steps: [
      {
        ...{ do: 'noteUpgradeFailed', image: IMAGE, why: 'no such image' },
        record: back('installing', 5_000, { times: 0 }),
      },
    ],
    ...upgrading,
  },
  {
    title: 'that cannot take back what it has installed says what it boots, and takes pods again',
    machine: wanting('v1.13.0', {
      ...noted(back('installing', 5_000, { times: 0 })),
      [UPGRADE_FAILED]: `${IMAGE} the installer failed`,
    }),
    world: { seen, turn, ...drained },
    steps: [uncordon],
    ...{ ready: 'UpgradeNotTakenBack', says: 'because Talos v1.13.1 is not wanted', ...available },
  },
  {
    title: 'that booted what was to be taken back says so',
    machine: wanting('v1.13.0', noted(back('installing', 5_000, { boot: 'b0' }))),
    world: { seen: { ...seen, version: 'v1.13.1' }, turn },
    steps: [
      {
        ...{ do: 'noteUpgradeFailed', image: IMAGE },
        why: 'it booted, and runs Talos v1.13.1: what it was given did not come up, and what was there before did',
      },
    ],
    ...upgrading,
  },
  {
    title: 'that booted what it ran, as it is to, is done',
    machine: wanting('v1.13.0', newTold('restarting', 60_000, { boot: 'b0' })),
    world: { seen, turn },
    steps: [{ do: 'noteUpgraded', image: NEXT }],
    ...upgrading,
  },
  {
    title: 'that was told to upgrade itself a moment ago cannot be called back',
    machine: wanting('v1.12.4', told('installing', 5_000)),
    world: { seen: old(), turn },
    ...upgrading,
  },
  {
    title: 'that was told to upgrade itself, and did not, has nothing to take back',
    machine: wanting('v1.12.4', told('installing', 120_000)),
    world: { seen: old(), turn },
    steps: [{ do: 'dropUpgrade' }],
    ...upgrading,
  },
  {
    title: 'that is to get what it has installed before stays as it is while Kubernetes moves',
    machine: wanting('v1.13.1', newTold('installed', 300_000, BEFORE)),
    world: { seen, turn, isKubernetesMoving: true },
    steps: [{ do: 'endTurn', turn }],
    ...{ ready: 'UpgradePending', ...available },
  },
  {
    title: 'that is to get what it has installed before boots it when Kubernetes does not move',
    machine: wanting('v1.13.1', newTold('installed', 300_000, BEFORE)),
    world: { seen, turn, ...drained },
    steps: [{ do: 'restart', uuid: UUID, record: newRecord('restarting', 0) }],
    ...upgrading,
  },
  {
    title:
      'that was told something else by an older operator stays as it is while Kubernetes moves',
    machine: wanting('v1.13.2', {
      [UPGRADE]: `installing ${NEXT} v1.13.0 b1 1 ${agoMs(300_000).toISOString()}`,
    }),
    world: { seen, turn, isKubernetesMoving: true },
    steps: [{ do: 'endTurn', turn }],
    ...{ ready: 'UpgradePending', ...available },
  },
  {
    title: 'that would boot what is not wanted any more leaves that so while Kubernetes moves',
    machine: wanting('v1.13.0', newTold('installed', 300_000, BEFORE)),
    world: { seen, isKubernetesMoving: true },
    ...{ ready: 'UpgradePending', says: 'get another Kubernetes', ...available },
  },
]
