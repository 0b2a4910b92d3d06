// What becomes of the cordon of machines that were drained, and are not taken down any more for now. Among the cases of plan.test.ts.

import { CONFIG, CONFIG_TRIED } from '#api/labels.ts'
import type { ConfigChange, World } from '#controllers/machine/world.ts'
import { type TriedMode, triedText } from '#engine/config-record.ts'
import type { Case } from './machine-configuration.ts'
import {
  agoMs,
  available,
  drained,
  failed,
  IMAGE,
  NEXT,
  newTold,
  newWay,
  old,
  told,
  turn,
  uncordon,
  upgrading,
  wanting,
} from './machine-upgrade-world.ts'
import { aClaimedMachine, aMember, aNode, UUID } from './machine-world.ts'

const cannotFetch = { ready: 'ImagePullFailed', ...available }
const MISSING = 'ghcr.io/siderolabs/installer:v1.13.77'
const notThere = (ms = 10_000) => failed(`pull ${MISSING}`, 'refused', ms)

const somebodyElses = {
  ...drained,
  node: aNode({
    isUnschedulable: true,
    drain: { by: 'uid-2', since: agoMs(5_000).toISOString(), cordoned: true },
  }),
}

const KUBELET = 'ghcr.io/siderolabs/kubelet:v1.35.77'
const kubelet: ConfigChange = {
  ...{ needs: 'reboot', isOfNetwork: false, places: ['machine.kubelet.image'], older: [] },
  ...{ images: [{ component: 'kubelet', image: KUBELET }], moved: [] },
}
/** One that is to get another kubelet, which it cannot fetch. */
const withoutKubelet = (annotations: Record<string, string> = {}) => ({
  machine: aClaimedMachine(
    { [CONFIG]: 'before-the-edit as-before', ...annotations },
    { metadata: { uid: 'uid-1' } },
  ),
  world: {
    ...{ seen: aMember({ fingerprint: 'as-before' }), turn, change: kubelet, ...drained },
    long: failed(`fetch ${KUBELET}`, 'refused', 10_000),
  },
})
const tried = (mode: TriedMode, ms: number) => ({
  [CONFIG_TRIED]: triedText({ config: 'another', times: 1, at: agoMs(ms), mode, boot: 'b1' }),
})

const WRONG: World['wanted'] = { is: 'wrong', reason: 'ConfigInvalid', message: 'unknown keys' }

export const cordonCases: Case[] = [
  {
    title: 'that was drained for one version, and cannot fetch the next, takes pods again',
    machine: wanting('v1.13.77'),
    world: { seen: old(), turn, long: notThere(), ...drained },
    steps: [uncordon],
    ...cannotFetch,
  },
  {
    title: 'that takes pods again first, tries to fetch it after that',
    machine: wanting('v1.13.77'),
    world: { seen: old(), turn, long: notThere(60_000), ...drained },
    steps: [uncordon],
    ...cannotFetch,
  },
  {
    title: 'that takes pods again tries to fetch it as any other does',
    machine: wanting('v1.13.77'),
    world: { seen: old(), turn, long: notThere(60_000) },
    steps: [{ do: 'pullImage', uuid: UUID, image: MISSING }],
    ...cannotFetch,
  },
  {
    title: 'that was drained, and fetches what is wanted since, stays drained meanwhile',
    machine: wanting('v1.13.77'),
    world: { seen: old(), turn, long: { what: `pull ${MISSING}`, is: 'under way' }, ...drained },
    ...upgrading,
  },
  {
    title: 'that somebody else cordoned is left so',
    machine: wanting('v1.13.77'),
    world: { seen: old(), turn, long: notThere(), ...somebodyElses },
    ...cannotFetch,
  },
  {
    title: 'that was told to upgrade itself a moment ago may still go down, and takes no pods',
    machine: wanting('v1.13.77', told('installing', 119_000, { image: IMAGE })),
    world: { seen: old(), turn, long: notThere(), ...drained },
    ...cannotFetch,
  },
  {
    title: 'that was told to upgrade itself, and did not go down, takes pods again',
    machine: wanting('v1.13.77', told('installing', 120_000, { image: IMAGE })),
    world: { seen: old(), turn, long: notThere(), ...drained },
    steps: [uncordon],
    ...cannotFetch,
  },
  {
    title:
      'that has installed one version, was drained, and cannot fetch the next, takes pods again',
    machine: wanting('v1.13.77', newTold('installed', 5_000)),
    world: { seen: newWay(), turn, long: notThere(), ...drained },
    steps: [uncordon],
    ...cannotFetch,
  },
  {
    title: 'that was told to boot a moment ago takes no pods, whatever is wanted since',
    machine: wanting('v1.13.77', newTold('restarting', 5_000, { image: NEXT })),
    world: { seen: newWay(), turn, long: notThere(), ...drained },
    ...upgrading,
  },
  {
    title: 'that was drained for a reboot, and cannot fetch its kubelet, takes pods again',
    ...withoutKubelet(),
    steps: [uncordon],
    ...cannotFetch,
  },
  {
    title: 'that was told to reboot a moment ago, and cannot fetch its kubelet, takes no pods',
    ...withoutKubelet(tried('reboot', 119_000)),
    ...cannotFetch,
  },
  {
    title: 'that was given something as it runs, and cannot fetch its kubelet, takes pods again',
    ...withoutKubelet(tried('live', 5_000)),
    steps: [uncordon],
    ...cannotFetch,
  },
  {
    title: 'that was drained, and whose configuration cannot be made any more, takes pods again',
    machine: wanting('v1.13.0'),
    world: { wanted: WRONG, turn, ...drained },
    steps: [uncordon],
    ...{ ready: 'ConfigInvalid', ...available },
  },
  {
    title: 'whose configuration cannot be made is left as it is otherwise',
    machine: wanting('v1.13.0'),
    world: { wanted: WRONG, turn },
    ...{ ready: 'ConfigInvalid', ...available },
  },
]
