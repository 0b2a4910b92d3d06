// What becomes of machines that run another version of Talos than they are to. Among the cases of plan.test.ts.

import { CONSENT, UPGRADE_FAILED } from '#api/labels.ts'
import { fingerprint } from '#base/fingerprint.ts'
import type { Step } from '#controllers/machine/world.ts'
import type { UpgradeRecord } from '#engine/upgrade-record.ts'
import type { Case } from './machine-configuration.ts'
import {
  available,
  boot,
  cordon,
  drained,
  draining,
  failed,
  IMAGE,
  old,
  pulled,
  record,
  told,
  turn,
  uncordon,
  upgrading,
  wanting,
} from './machine-upgrade-world.ts'
import { aMember, UUID } from './machine-world.ts'

const SCHEMATIC = 'a'.repeat(64)
const FACTORY = `factory.talos.dev/metal-installer/${SCHEMATIC}:v1.13.0`

const INSTALL = `install ${IMAGE}`

const install = (what: UpgradeRecord): Step => ({
  ...{ do: 'install', uuid: UUID, image: IMAGE, by: 'all', name: IMAGE, record: what },
})

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
    world: { seen: old(), turn, ...drained },
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
    world: { seen: old(), turn, long: pulled(IMAGE) },
    steps: [cordon],
    ...draining,
  },
  {
    title: 'that is drained is told to upgrade itself',
    machine: wanting('v1.13.0'),
    world: { seen: old(), turn, long: pulled(IMAGE), ...drained },
    steps: [install(record('installing', 0))],
    ...upgrading,
  },
  {
    title: 'that was told a moment ago is waited for',
    machine: wanting('v1.13.0', told('installing', 60_000)),
    world: { seen: old(), turn, ...drained },
    ...upgrading,
  },
  {
    title: 'that was told, and is as before, is told again',
    machine: wanting('v1.13.0', told('installing', 120_000)),
    world: { seen: old(), turn, ...drained },
    steps: [install(record('installing', 0, { times: 2 }))],
    ...upgrading,
  },
  {
    title:
      'that fetches what it was told to upgrade itself to is waited for, however long it takes',
    machine: wanting('v1.13.0', told('installing', 400_000)),
    world: { seen: old(), turn, long: { what: INSTALL, is: 'under way' }, ...drained },
    ...{ ...upgrading, says: `fetches ${IMAGE}` },
  },
  {
    title: 'that fetches what it was told is waited for though it does not say what it booted',
    machine: wanting('v1.13.0', told('installing', 400_000)),
    world: {
      seen: aMember({ version: 'v1.12.4' }),
      ...{ turn, long: { what: INSTALL, is: 'under way' }, ...drained },
    },
    ...upgrading,
  },
  {
    title: 'that fetches what it was told is waited for though it is to get another image by now',
    machine: wanting('v1.12.5', told('installing', 400_000)),
    world: { seen: old(), turn, long: { what: INSTALL, is: 'under way' }, ...drained },
    ...upgrading,
  },
  {
    title: 'that fetches what it was told cannot be called back',
    machine: wanting('v1.12.4', told('installing', 400_000)),
    world: { seen: old(), turn, long: { what: INSTALL, is: 'under way' }, ...drained },
    ...upgrading,
  },
  {
    title: 'that said yes after minutes is on its way from then on',
    machine: wanting('v1.13.0', told('installing', 400_000)),
    world: { seen: old(), turn, long: { what: INSTALL, is: 'done', result: IMAGE }, ...drained },
    steps: [{ do: 'noteUpgrade', record: record('installing', 0) }],
    ...upgrading,
  },
  {
    title: 'whose answer was lost after minutes may be on its way from then on',
    machine: wanting('v1.13.0', told('installing', 400_000)),
    world: { seen: old(), turn, long: failed(INSTALL, 'lost', 5_000), ...drained },
    steps: [{ do: 'noteUpgrade', record: record('installing', 0) }],
    ...upgrading,
  },
  {
    title: 'that said yes is on its way though it is to get another image by now',
    machine: wanting('v1.12.5', told('installing', 400_000)),
    world: { seen: old(), turn, long: { what: INSTALL, is: 'done', result: IMAGE }, ...drained },
    steps: [{ do: 'noteUpgrade', record: record('installing', 0) }],
    ...upgrading,
  },
  {
    title: 'that said no after minutes says why, and is not told again at once',
    machine: wanting('v1.13.0', told('installing', 400_000)),
    world: { seen: old(), turn, long: failed(INSTALL, 'refused', 119_000), ...drained },
    ...{ ...upgrading, says: 'no such image' },
  },
  {
    title: 'that said no a while ago is told again',
    machine: wanting('v1.13.0', told('installing', 400_000)),
    world: { seen: old(), turn, long: failed(INSTALL, 'refused', 120_000), ...drained },
    steps: [install(record('installing', 0, { times: 2 }))],
    ...upgrading,
  },
  {
    title: 'that said no to what it is not to get any more is given what it is to',
    machine: wanting('v1.12.5', told('installing', 400_000)),
    world: { seen: old(), turn, long: failed(INSTALL, 'refused', 5_000), ...drained },
    steps: [{ do: 'pullImage', uuid: UUID, image: IMAGE.replace('v1.13.0', 'v1.12.5') }],
    ...upgrading,
  },
  {
    title: 'that said no three times is not told for ever, and why is kept',
    machine: wanting('v1.13.0', told('installing', 400_000, { times: 3 })),
    world: { seen: old(), turn, long: failed(INSTALL, 'refused', 120_000), ...drained },
    steps: [
      {
        ...{ do: 'noteUpgradeFailed', image: IMAGE },
        why: 'it was told 3 times, and did not: no such image',
      },
    ],
    ...upgrading,
  },
  {
    title: 'that was told three times is not told for ever',
    machine: wanting('v1.13.0', told('installing', 120_000, { times: 3 })),
    world: { seen: old(), turn, ...drained },
    steps: [{ do: 'noteUpgradeFailed', image: IMAGE, why: 'it was told 3 times, and did not' }],
    ...upgrading,
  },
  {
    title: 'that booted, and runs what it did before, went back to it',
    machine: wanting('v1.13.0', told('installing', 60_000, { boot: 'b0' })),
    world: { seen: old(), turn },
    steps: [
      {
        ...{ do: 'noteUpgradeFailed', image: IMAGE },
        why: 'it booted, and runs Talos v1.12.4: what it was given did not come up, and what was there before did',
      },
    ],
    ...upgrading,
  },
  {
    title: 'that booted, and runs what nobody gave it, says what came up instead',
    machine: wanting('v1.13.0', told('installing', 60_000)),
    world: { seen: aMember({ version: 'v1.12.9', boot: boot('b2') }), turn },
    steps: [
      {
        ...{ do: 'noteUpgradeFailed', image: IMAGE },
        why: `it booted, and runs Talos v1.12.9, which is neither what it was given (${IMAGE}) nor what was there before (v1.12.4)`,
      },
    ],
    ...upgrading,
  },
  {
    title: 'that booted what it was given, and is to run something else by now, has not failed',
    machine: wanting('v1.13.1', told('installing', 60_000)),
    world: { seen: aMember({ boot: boot('b2') }), turn },
    steps: [{ do: 'noteUpgraded', image: IMAGE }],
    ...upgrading,
  },
  {
    title: 'that booted, and runs another schematic than it was given, did not come up with that',
    machine: wanting('v1.13.0', told('installing', 60_000, { image: FACTORY }), FACTORY),
    world: { seen: aMember({ boot: boot('b2') }), turn },
    steps: [
      {
        ...{ do: 'noteUpgradeFailed', image: FACTORY },
        why: `it runs the schematic of no image factory, and ${SCHEMATIC} was installed`,
      },
    ],
    ...upgrading,
  },
  {
    title: 'that runs by now what it did not before has not failed, whoever saw to that',
    machine: wanting('v1.13.0', { [UPGRADE_FAILED]: `${IMAGE} it went back` }),
    world: { seen: aMember({ boot: boot('b2') }) },
    steps: [{ do: 'noteUpgraded', image: IMAGE }],
    ...upgrading,
  },
  {
    title: 'that runs the version and not the schematic that it was given has failed as before',
    machine: wanting('v1.13.0', { [UPGRADE_FAILED]: `${FACTORY} it went back` }, FACTORY),
    world: { seen: aMember({ boot: boot('b2') }), turn },
    steps: [{ do: 'endTurn', turn }],
    ...{ ready: 'UpgradeFailed', ...available },
  },
  {
    title: 'that booted, and runs what it should, is upgraded',
    machine: wanting('v1.13.0', told('installing', 60_000)),
    world: { seen: aMember({ boot: boot('b2') }), turn },
    steps: [{ do: 'noteUpgraded', image: IMAGE }],
    ...upgrading,
  },
  {
    title: 'that is as it should be takes pods again before its turn is over',
    machine: wanting('v1.13.0'),
    world: { turn, ...drained },
    steps: [uncordon],
    ...available,
  },
]
