// What becomes of machines that are to be of another schematic, at the version of Talos that they run. Among the cases of
// plan.test.ts.

import { ADOPTED, CONFIG, CONSENT, UPGRADE_FAILED } from '#api/labels.ts'
import { fingerprint } from '#base/fingerprint.ts'
import type { ConfigChange, World } from '#controllers/machine/world.ts'
import type { Case } from './machine-configuration.ts'
import {
  available,
  boot,
  cordon,
  drained,
  draining,
  install,
  newRecord,
  newTold,
  newWay,
  noted,
  pulled,
  turn,
  uncordon,
  upgrading,
  wanting,
} from './machine-upgrade-world.ts'
import { aMember, aNode, UUID } from './machine-world.ts'

const [HAS, WANTED] = ['a'.repeat(64), 'b'.repeat(64)]
const imageOf = (schematic: string, version = 'v1.13.0') =>
  `factory.talos.dev/metal-installer/${schematic}:${version}`
const [BEFORE, IMAGE] = [imageOf(HAS), imageOf(WANTED)]
const PLAIN = 'registry.example.com/installer:v1.13.0'

const edited = (annotations: Record<string, string> = {}, image = IMAGE) =>
  wanting('v1.13.0', annotations, image)
const seen = newWay({ schematic: HAS })
const booted = (schematic: string | undefined) =>
  aMember({ version: 'v1.13.0', boot: boot('b2', { schematic }) })
const pulling = (image: string) => [{ do: 'pullImage' as const, uuid: UUID, image }]
const record = (...[phase, ms, over = {}]: Parameters<typeof newRecord>) =>
  newRecord(phase, ms, { image: IMAGE, ...over })
const told = (...given: Parameters<typeof newRecord>) => noted(record(...given))

const adopted = (annotations: Record<string, string> = {}) =>
  edited({ [ADOPTED]: 'true', ...annotations })
const change: ConfigChange = {
  ...{ needs: 'live', isOfNetwork: false, places: ['machine.install.image'], images: [] },
  ...{ moved: [], older: [], installer: { before: BEFORE, after: IMAGE } },
}
/** Its spec was edited since it had what that said. */
const afterEdit: Partial<World> = { seen: { ...seen, fingerprint: 'as-before' }, change }
const EDITED = { [CONFIG]: 'before-the-edit as-before' }

export const schematicCases: Case[] = [
  {
    title: 'that runs another schematic than it is to waits for its turn',
    machine: edited(),
    world: { seen },
    ...{ ready: 'UpgradePending', ...available },
    says: `from the schematic ${HAS} to the schematic ${WANTED}, with the same Talos v1.13.0`,
  },
  {
    title: 'that runs an image of no schematic, and is to be of one, waits for its turn',
    machine: edited(),
    world: { seen: newWay() },
    ...{ ready: 'UpgradePending', says: 'from an image of no schematic to', ...available },
  },
  {
    title: 'that is not asked what it runs, because that is known, stays as it is',
    machine: edited(),
    ...available,
  },
  {
    title: 'whose image is of the same schematic, and from somewhere else, stays as it is',
    machine: edited({}, `mirror.example.com/installer/${HAS}`),
    world: { seen },
    ...available,
  },
  {
    title: 'whose image says of no schematic stays as it is',
    machine: edited({}, PLAIN),
    world: { seen },
    ...available,
  },
  {
    title: 'that is to be of another schematic by an image of another version stays',
    machine: edited({}, imageOf(WANTED, 'v1.13.5')),
    world: { seen, turn },
    steps: [{ do: 'endTurn', turn }],
    ...{ ready: 'ImageOfAnotherVersion', ...available },
  },
  {
    title: 'that is to be of another schematic waits while Kubernetes moves',
    machine: edited(),
    world: { seen, isKubernetesMoving: true },
    ...{ ready: 'UpgradePending', says: 'get another Kubernetes', ...available },
  },
  {
    title: 'that would lose its extensions by another schematic stays',
    machine: edited(),
    world: { seen: newWay({ schematic: HAS, extensions: ['zfs'] }) },
    ...{ ready: 'ExtensionsWouldBeLost', ...available },
  },
  {
    title: 'that may lose its extensions by another schematic, because somebody says so, gets it',
    machine: edited({ [CONSENT]: fingerprint([IMAGE, ['zfs']]).slice(0, 8) }),
    world: { seen: newWay({ schematic: HAS, extensions: ['zfs'] }), turn },
    steps: pulling(IMAGE),
    ...upgrading,
  },
  {
    title: 'whose turn it is to be of another schematic fetches the image',
    machine: edited(),
    world: { seen, turn },
    steps: pulling(IMAGE),
    ...upgrading,
  },
  {
    title: 'that has fetched the image of another schematic installs it',
    machine: edited(),
    world: { seen, turn, long: pulled(IMAGE) },
    steps: [install(IMAGE, record('installing', 0))],
    ...upgrading,
  },
  {
    title:
      'that was told to install another schematic, and did not say that it has, is not told at once',
    machine: edited(told('installing', 30_000)),
    world: { seen, turn },
    ...upgrading,
  },
  {
    title: 'that was told to install another schematic, and of which nobody hears, is told again',
    machine: edited(told('installing', 60_000)),
    world: { seen, turn, long: pulled(IMAGE) },
    steps: [install(IMAGE, record('installing', 0, { times: 2 }))],
    ...upgrading,
  },
  {
    title: 'that has installed another schematic is drained, and not told to install it again',
    machine: edited(told('installed', 60_000)),
    world: { seen, turn },
    steps: [cordon],
    ...draining,
  },
  {
    title: 'that has installed another schematic, and is drained, boots it',
    machine: edited(told('installed', 60_000)),
    world: { seen, turn, ...drained },
    steps: [{ do: 'restart', uuid: UUID, record: record('restarting', 0) }],
    ...upgrading,
  },
  {
    title: 'that is to be of another schematic before v1.13 is told to upgrade itself',
    machine: wanting('v1.12.4', {}, imageOf(WANTED, 'v1.12.4')),
    world: {
      ...{ seen: aMember({ version: 'v1.12.4', boot: boot('b1', { schematic: HAS }) }), turn },
      ...{ long: pulled(imageOf(WANTED, 'v1.12.4')), ...drained },
    },
    steps: [
      {
        ...{ do: 'install', uuid: UUID, by: 'all' },
        ...{ image: imageOf(WANTED, 'v1.12.4'), name: imageOf(WANTED, 'v1.12.4') },
        record: record('installing', 0, { image: imageOf(WANTED, 'v1.12.4'), from: 'v1.12.4' }),
      },
    ],
    ...upgrading,
  },
  {
    title: 'that booted, and is of the schematic that it was given, is done',
    machine: edited(told('restarting', 60_000)),
    world: { seen: booted(WANTED), turn },
    steps: [{ do: 'noteUpgraded', image: IMAGE }],
    ...upgrading,
  },
  {
    title: 'that booted, and is of the schematic that it was before, went back to it',
    machine: edited(told('restarting', 60_000)),
    world: { seen: booted(HAS), turn },
    steps: [
      {
        ...{ do: 'noteUpgradeFailed', image: IMAGE },
        why: `it runs the schematic ${HAS}, and ${WANTED} was installed`,
      },
    ],
    ...upgrading,
  },
  {
    title: 'that went back to its schematic is left so, and takes pods again',
    machine: edited({ [UPGRADE_FAILED]: `${IMAGE} it went back` }),
    world: { seen: booted(HAS), turn, ...drained },
    steps: [uncordon],
    ...{ ready: 'UpgradeFailed', says: `from the schematic ${HAS}`, ...available },
  },
  {
    title: 'whose schematic is taken back before it booted the other one waits for its turn',
    machine: edited(told('installed', 60_000), BEFORE),
    world: { seen },
    ...{ ready: 'UpgradePending', ...available },
    says: `given ${BEFORE} again, which it runs, because the schematic ${WANTED} is not wanted`,
  },
  {
    title: 'whose schematic is taken back fetches what it runs',
    machine: edited(told('installed', 60_000), BEFORE),
    world: { seen, turn },
    steps: pulling(BEFORE),
    ...upgrading,
  },
  {
    title: 'whose schematic is taken back installs what it runs',
    machine: edited(told('installed', 60_000), BEFORE),
    world: { seen, turn, long: pulled(BEFORE) },
    steps: [install(BEFORE, record('installing', 0, { image: BEFORE }))],
    ...upgrading,
  },
  {
    title: 'whose schematic is taken back does not say more of what is beside than is known',
    machine: edited(told('installing', 5_000, { image: BEFORE }), BEFORE),
    world: { seen },
    ...{ ready: 'UpgradePending', says: 'because what is installed beside it is', ...available },
  },
  {
    title: 'that has installed the schematic that it runs has nothing to take back any more',
    machine: edited(told('installed', 5_000, { image: BEFORE }), BEFORE),
    world: { seen },
    steps: [{ do: 'dropUpgrade' }],
    ...available,
  },
  {
    title: 'whose version is taken back for another schematic gets that',
    machine: edited(newTold('installed', 60_000)),
    world: { seen, turn },
    steps: pulling(IMAGE),
    ...upgrading,
  },
  {
    title: 'that nobody here configured is written down before its schematic is looked at',
    machine: edited({ [CONFIG]: '' }),
    world: { seen },
    steps: [{ do: 'noteConfig', config: { origin: 'as-edited', config: 'as-wanted' } }],
    ...available,
  },
  {
    title: 'that was imported with another schematic is not installed anew without consent',
    machine: adopted(),
    world: { seen },
    ...{ ready: 'WaitsForConsent', says: `${CONSENT}=${token([])}`, ...available },
  },
  {
    title: 'that was imported with another schematic does not use a turn for it',
    machine: adopted(),
    world: { seen, turn },
    steps: [{ do: 'endTurn', turn }],
    ...available,
  },
  {
    title: 'that was imported with another schematic says first what else is the matter',
    machine: adopted(),
    world: { seen, node: aNode({ ready: false }) },
    ...{ ready: 'NodeNotReady', ...available },
  },
  {
    title: 'that was imported, and whose configuration alone was edited, keeps its schematic',
    machine: adopted(EDITED),
    world: { ...afterEdit, change: { ...change, installer: { before: BEFORE, after: PLAIN } } },
    ...{ ready: 'ConfigPending', ...available },
  },
  {
    title: 'that was imported, and whose image was edited, is upgraded in its turn',
    machine: adopted(EDITED),
    world: afterEdit,
    ...{ ready: 'UpgradePending', ...available },
  },
  {
    title: 'that was imported, and may be installed anew, is upgraded in its turn',
    machine: adopted({ [CONSENT]: token([]) }),
    world: { seen },
    ...{ ready: 'UpgradePending', ...available },
  },
  {
    title: 'that was imported, and was told to install another schematic, goes on with that',
    machine: adopted(told('installed', 60_000)),
    world: { seen, turn, ...drained },
    steps: [{ do: 'restart', uuid: UUID, record: record('restarting', 0) }],
    ...upgrading,
  },
]

function token(extensions: string[]): string {
  return fingerprint([IMAGE, extensions]).slice(0, 8)
}
