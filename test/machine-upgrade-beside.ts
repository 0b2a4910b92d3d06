// How machines that know the new way, since v1.13, get another version of Talos. Among the cases of plan.test.ts.

import { TURN, UPGRADE, UPGRADE_FAILED } from '#api/labels.ts'
import type { LongCall } from '#engine/long-calls.ts'
import type { Case } from './machine-configuration.ts'
import {
  agoMs,
  available,
  cordon,
  drained,
  draining,
  failed,
  IMAGE,
  install,
  NEXT,
  newRecord,
  newTold,
  newWay,
  pulled,
  told,
  turn,
  upgrading,
  wanting,
} from './machine-upgrade-world.ts'
import { NOW, UUID } from './machine-world.ts'

const pulling = { do: 'pullImage' as const, uuid: UUID, image: NEXT }
const call = (is: 'under way' | 'done'): LongCall => ({
  ...{ what: `install ${NEXT}`, is, result: NEXT },
})
const atIt: LongCall = {
  ...{ what: `install ${NEXT}`, is: 'failed', at: NOW },
  failure: { outcome: 'not-ready', message: 'another installation/upgrade is already in progress' },
}
const seen = newWay()

export const besideCases: Case[] = [
  {
    title: 'that knows the new way installs beside what runs before it is drained',
    machine: wanting('v1.13.1'),
    world: { seen, turn, long: pulled(NEXT) },
    steps: [install(NEXT, newRecord('installing', 0))],
    ...upgrading,
  },
  {
    title: 'that installs is waited for',
    machine: wanting('v1.13.1', newTold('installing', 300_000)),
    world: { seen, turn, long: call('under way') },
    ...upgrading,
  },
  {
    title: 'that installs what is not wanted any more is not disturbed by what is',
    machine: wanting('v1.13.2', newTold('installing', 5_000)),
    world: { seen, turn, long: call('under way') },
    ...upgrading,
  },
  {
    title: 'that has installed is said to have before anything else is done',
    machine: wanting('v1.13.1', newTold('installing', 300_000, { times: 2 })),
    world: { seen, turn, long: call('done'), ...drained },
    steps: [{ do: 'noteUpgrade', record: newRecord('installed', 0, { times: 0 }) }],
    ...upgrading,
  },
  {
    title: 'whose installation nobody remembers may be at it, and is waited for',
    machine: wanting('v1.13.1', newTold('installing', 59_000)),
    world: { seen, turn },
    ...upgrading,
  },
  {
    title: 'that did not answer may be at it, and is waited for',
    machine: wanting('v1.13.1', newTold('installing', 5_000)),
    world: { seen, turn, long: failed(`install ${NEXT}`, 'lost', 0) },
    ...upgrading,
  },
  {
    title: 'that was lost after more than a minute may be at it, and is waited for',
    machine: wanting('v1.13.1', newTold('installing', 129_000)),
    world: { seen, turn, long: failed(`install ${NEXT}`, 'lost', 59_000) },
    ...upgrading,
  },
  {
    title: 'whose installation nobody remembers fetches the image again after a minute',
    machine: wanting('v1.13.1', newTold('installing', 60_000)),
    world: { seen, turn },
    steps: [pulling],
    ...upgrading,
  },
  {
    title: 'whose installation nobody remembers is told again when it has the image',
    machine: wanting('v1.13.1', newTold('installing', 60_000)),
    world: { seen, turn, long: pulled(NEXT) },
    steps: [install(NEXT, newRecord('installing', 0, { times: 2 }))],
    ...upgrading,
  },
  {
    title: 'that cannot fetch the image again has not failed, and tries it again',
    machine: wanting('v1.13.1', newTold('installing', 120_000)),
    world: { seen, turn, long: failed(`pull ${NEXT}`, 'refused', 60_000) },
    steps: [pulling],
    ...{ ready: 'ImagePullFailed', ...available },
  },
  {
    title: 'that is still at it is not held to have been told once more',
    machine: wanting('v1.13.1', newTold('installing', 1_000, { times: 3 })),
    world: { seen, turn, long: atIt },
    steps: [{ do: 'noteUpgrade', record: newRecord('installing', 0, { times: 2 }) }],
    ...upgrading,
  },
  {
    title: 'that answered to none of three times is not told for ever, and may have installed it',
    machine: wanting('v1.13.1', newTold('installing', 60_000, { times: 3 })),
    world: { seen, turn, long: pulled(NEXT) },
    steps: [
      {
        ...{ do: 'noteUpgradeFailed', image: NEXT, why: 'it was told 3 times, and did not' },
        record: newRecord('installing', 60_000, { times: 0 }),
      },
    ],
    ...upgrading,
  },
  {
    title: 'whose installer failed is not told again',
    machine: wanting('v1.13.1', newTold('installing', 5_000)),
    world: { seen, turn, long: failed(`install ${NEXT}`, 'refused', 0) },
    steps: [{ do: 'noteUpgradeFailed', image: NEXT, why: 'no such image' }],
    ...upgrading,
  },
  {
    title: 'that has installed is drained first',
    machine: wanting('v1.13.1', newTold('installed', 5_000)),
    world: { seen, turn },
    steps: [cordon],
    ...draining,
  },
  {
    title:
      'that has installed, of which nobody knows but what is written down, is never told again',
    machine: wanting('v1.13.1', newTold('installed', 3_600_000)),
    world: { seen, turn },
    steps: [cordon],
    ...draining,
  },
  {
    title: 'that has installed and is drained is booted',
    machine: wanting('v1.13.1', newTold('installed', 5_000)),
    world: { seen, turn, ...drained },
    steps: [{ do: 'restart', uuid: UUID, record: newRecord('restarting', 0) }],
    ...upgrading,
  },
  {
    title: 'that was told to boot a moment ago is waited for',
    machine: wanting('v1.13.1', newTold('restarting', 5_000)),
    world: { seen, turn, ...drained },
    ...upgrading,
  },
  {
    title: 'that was told to boot, and did not, is told that again and nothing else',
    machine: wanting('v1.13.1', newTold('restarting', 120_000)),
    world: { seen, turn, ...drained },
    steps: [{ do: 'restart', uuid: UUID, record: newRecord('restarting', 0, { times: 2 }) }],
    ...upgrading,
  },
  {
    title: 'that was told to boot by an older operator is told as often as any other',
    machine: wanting('v1.13.1', {
      [UPGRADE]: `restarting ${NEXT} v1.13.0 b1 3 ${agoMs(120_000).toISOString()}`,
    }),
    world: { seen, turn, ...drained },
    steps: [{ do: 'restart', uuid: UUID, record: newRecord('restarting', 0, { times: 2 }) }],
    ...upgrading,
  },
  {
    title: 'that was told to boot three times is not told for ever, and comes up with it if booted',
    machine: wanting('v1.13.1', newTold('restarting', 120_000, { times: 3 })),
    world: { seen, turn, ...drained },
    steps: [
      {
        ...{ do: 'noteUpgradeFailed', image: NEXT },
        why: 'it was told 3 times to boot what is installed, and did not: it comes up when somebody boots the machine',
        record: newRecord('installed', 120_000, { times: 0 }),
      },
    ],
    ...upgrading,
  },
  {
    title: 'that does not boot what is installed keeps nobody waiting',
    machine: wanting('v1.13.1', {
      ...newTold('installed', 120_000),
      [UPGRADE_FAILED]: `${NEXT} it was told 3 times`,
    }),
    world: { seen, turn },
    steps: [{ do: 'endTurn', turn }],
    ...{ ready: 'UpgradeFailed', ...available },
  },
  ...['installing', 'installed', 'restarting'].map(
    (phase): Case => ({
      title: `that was told by an older operator, and is ${phase}, is upgraded further`,
      machine: wanting('v1.13.1', {
        [UPGRADE]: `${phase} ${NEXT} v1.13.0 b1 1 ${agoMs(0).toISOString()}`,
      }),
      world: { seen, turn, isKubernetesMoving: true },
      ...(phase === 'installed' ? { steps: [cordon], ...draining } : upgrading),
    }),
  ),
]

const SILENT = { is: 'silent' as const, message: 'no route' }
const silent = { state: 'Upgrading', reachable: 'MachineNotBack', ready: 'MachineNotBack' }
const unreachable = { ...silent, reachable: 'Unreachable', ready: 'Unreachable' }
const HELD = { [TURN]: `${turn}` }
const LONG_MS = 15 * 60_000
const away = (annotations: Record<string, string>) => {
  const machine = wanting('v1.13.1', { ...HELD, ...annotations })
  return {
    machine: { ...machine, status: { state: 'Upgrading' as const } },
    world: { seen: SILENT },
  }
}

/** Machines that do not answer while they are upgraded. */
export const awayCases: Case[] = [
  {
    title: 'that was told to boot, and is away for long, says so',
    ...away(newTold('restarting', LONG_MS)),
    ...{ says: 'was told to reboot, and does not answer', ...silent },
  },
  {
    title: 'that was told to boot may be away for a while',
    ...away(newTold('restarting', LONG_MS - 1)),
    ...unreachable,
  },
  {
    title: 'that is away while it installs is not said to boot',
    ...away(newTold('installing', LONG_MS)),
    ...{ says: `was told to install ${NEXT}, and does not answer`, ...silent },
  },
  {
    title: 'that is away after it was told to upgrade itself says so',
    ...away(told('installing', LONG_MS)),
    ...{ says: `was told to upgrade itself to ${IMAGE}, and does not answer`, ...silent },
  },
  {
    title: 'that has installed, and was told nothing since, is only unreachable',
    ...away(newTold('installed', LONG_MS)),
    ...unreachable,
  },
  {
    title: 'that was told in another turn than this one is only unreachable',
    ...away(newTold('restarting', LONG_MS, { turn: turn - 1 })),
    ...unreachable,
  },
]
