// What becomes of machines that run, and are to be taken over or were. Among the cases of plan.test.ts.

import { ADOPTED, CONFIG, CONFIG_TRIED, CONSENT, RECONCILE_MODE } from '#api/labels.ts'
import { fingerprint } from '#base/fingerprint.ts'
import { Secret } from '#base/secret.ts'
import type { ConfigChange, Member, World } from '#controllers/machine/world.ts'
import { aControlPlane, aMachine, aWorker, aWorkerMachine } from './builders.ts'
import type { Case } from './machine-configuration.ts'
import { aClaimedMachine, aMember, aNode, aWaiting, OTHER_UUID, UUID } from './machine-world.ts'

const IMPORT = { [RECONCILE_MODE]: 'import' }
const of = (annotations: Record<string, string>): World['parent'] => ({
  ...{ is: 'there', controlPlane: aControlPlane({ metadata: { annotations } }) },
})
const ofPool = (annotations: Record<string, string>): World['parent'] => ({
  ...{ is: 'there', controlPlane: aControlPlane(), worker: aWorker({ metadata: { annotations } }) },
})
const importing = of(IMPORT)
const taken = of({ ...IMPORT, [ADOPTED]: `${OTHER_UUID} ${UUID}` })
const running = { reachable: 'Answers', state: 'Available' }
const aPoolMember = (over: Partial<Member> = {}) =>
  aMember({ type: 'worker', etcdMember: undefined, etcdMembers: undefined, ...over })
const stranger = (mismatch: 'another-cluster' | 'another-address' | undefined) => ({
  ...{ is: 'stranger' as const, mismatch, message: 'who?' },
})
const CONFIGURATION = 'version: v1alpha1\nmachine:\n  install:\n    disk: /dev/nvme0n1\n'
const change: ConfigChange = {
  ...{
    needs: 'live',
    isOfNetwork: false,
    places: ['machine.sysctls'],
    images: [],
    moved: [],
    older: [],
  },
}
const wanted = {
  ...{ is: 'known' as const, fingerprint: 'as-wanted', origin: 'as-edited' },
  metaText: 'wanted',
}
const adopted = (more: Record<string, string> = {}) =>
  aClaimedMachine({ [ADOPTED]: 'true', ...more })
const token = fingerprint(['', 'wanted']).slice(0, 8)
const hasConfig = aMember({ config: new Secret(CONFIGURATION) })

export const importCases: Case[] = [
  {
    title: 'that runs as it is described waits until all of its cluster do',
    machine: aMachine(),
    world: { parent: importing },
    ...{ ready: 'Importing', ...running },
  },
  {
    title: 'that is to be imported and boots is waited for',
    machine: aMachine(),
    world: { parent: importing, seen: aMember({ stage: 'booting' }) },
    ...{ ready: 'ComingUp', reachable: 'Answers', state: 'Installing' },
  },
  {
    title: 'that is to be imported and waits for a configuration gets none',
    machine: aMachine(),
    world: { parent: importing, seen: aWaiting() },
    ...{ ready: 'ImportDiffers', reachable: 'InMaintenance', state: 'Pending' },
  },
  {
    title: 'that is to be imported and runs another version is left alone',
    machine: aMachine(),
    world: { parent: importing, seen: aMember({ version: 'v1.12.4' }) },
    ...{ ready: 'ImportDiffers', ...running },
  },
  {
    title: 'that is to be imported as a control plane and is a worker is left alone',
    machine: aMachine(),
    world: { parent: importing, seen: aPoolMember() },
    ...{ ready: 'ImportDiffers', ...running },
  },
  {
    title: 'that is to be imported and is neither is left alone',
    machine: aMachine(),
    world: { parent: importing, seen: aMember({ type: undefined }) },
    ...{ ready: 'ImportDiffers', ...running },
  },
  ...([undefined, 'another-cluster', 'another-address'] as const).map((mismatch) => ({
    title: `that is to be imported and does not know our keys is left alone: ${mismatch}`,
    machine: aMachine(),
    world: { parent: importing, seen: stranger(mismatch) },
    ...{ ready: 'ImportDiffers', reachable: 'ImportDiffers', state: 'Pending' },
  })),
  {
    title: 'that is to be imported with a pool waits as well',
    machine: aWorkerMachine(),
    world: { parent: ofPool(IMPORT), seen: aPoolMember() },
    ...{ ready: 'Importing', ...running },
  },
  {
    title: 'that is to be imported with a pool, and whose node is not known, waits as well',
    machine: aWorkerMachine(),
    world: { parent: ofPool(IMPORT), seen: aPoolMember(), node: undefined },
    ...{ ready: 'Importing', ...running },
  },
  {
    title: 'that is to be imported with a pool, and whose kubelet is another, is left alone',
    machine: aWorkerMachine(),
    world: {
      ...{ parent: ofPool(IMPORT), seen: aPoolMember() },
      node: aNode({ kubeletVersion: 'v1.34.0' }),
    },
    ...{ ready: 'ImportDiffers', ...running },
  },
  {
    title: 'that does not answer is not imported',
    machine: aMachine(),
    world: { parent: importing, seen: { is: 'silent', message: 'no route' } },
    ...{ ready: 'Unreachable', reachable: 'Unreachable', state: 'Pending' },
  },
  {
    title: 'that was taken over with its cluster becomes the object’s, with the disk that it is on',
    machine: aMachine(),
    world: { parent: taken, seen: hasConfig },
    steps: [{ do: 'adopt', uuid: UUID, disk: '/dev/nvme0n1' }],
    ...{ ready: 'Importing', ...running },
  },
  {
    title: 'that was taken over, and whose disk the spec names, becomes the object’s',
    machine: aMachine({
      spec: {
        machineSpec: {
          ...{ installDisk: '/dev/sda', wipe: false, airGap: false, imageCache: false },
          allowSchedulingOnControlPlanes: false,
        },
      },
    }),
    world: { parent: taken, seen: hasConfig },
    steps: [{ do: 'adopt', uuid: UUID }],
    ...{ ready: 'Importing', ...running },
  },
  {
    title: 'that was not among those that were taken over is not adopted',
    machine: aMachine(),
    world: { parent: of({ ...IMPORT, [ADOPTED]: OTHER_UUID }) },
    ...{ ready: 'NotInMaintenance', reachable: 'NotInMaintenance', state: 'Available' },
  },
  {
    title: 'that has become a worker since is not adopted',
    machine: aMachine(),
    world: { parent: taken, seen: aPoolMember() },
    ...{ ready: 'NotInMaintenance', reachable: 'NotInMaintenance', state: 'Available' },
  },
  {
    title: 'that an older operator imported is not taken for one that it configured',
    machine: aMachine({ status: { config: CONFIGURATION, imported: true } }),
    steps: [{ do: 'adopt', uuid: UUID, disk: '/dev/nvme0n1' }],
    ...{ ready: 'Importing', ...running },
  },
  {
    title: 'that is ours needs no import',
    machine: aClaimedMachine(),
    world: { parent: importing },
    ...running,
  },
  {
    title: 'that was imported with the configuration that is wanted is only noted',
    machine: adopted({ [CONFIG]: '' }),
    steps: [{ do: 'noteConfig', config: { origin: 'as-edited', config: 'as-wanted' } }],
    ...running,
  },
  {
    title: 'that was imported with another configuration waits for consent',
    machine: adopted({ [CONFIG]: '' }),
    world: { seen: aMember({ fingerprint: 'as-before' }), change },
    ...{ ready: 'WaitsForConsent', ...running },
  },
  {
    title: 'that got its turn for something else gives it back before it waits for consent',
    machine: adopted({ [CONFIG]: '' }),
    world: { seen: aMember({ fingerprint: 'as-before' }), change, turn: 3 },
    steps: [{ do: 'endTurn', turn: 3 }],
    ...{ ready: 'WaitsForConsent', ...running },
  },
  {
    title: 'that was drained for something else takes pods again before it waits for consent',
    machine: adopted({ [CONFIG]: '' }),
    world: {
      ...{ seen: aMember({ fingerprint: 'as-before' }), change, turn: 3 },
      node: aNode({
        drain: { by: adopted().metadata.uid ?? '', since: '2030-01-01T00:00:00Z', cordoned: true },
      }),
    },
    steps: [{ do: 'uncordon', node: 'cp-1', uid: aNode().uid }],
    ...{ ready: 'WaitsForConsent', ...running },
  },
  {
    title: 'that was imported with another network in META waits for consent',
    machine: adopted(),
    world: { wanted },
    ...{ ready: 'WaitsForConsent', ...running },
  },
  {
    title: 'that gives its turn back waits for consent in that very pass',
    machine: adopted(),
    world: { wanted, turn: 3 },
    steps: [{ do: 'endTurn', turn: 3 }],
    ...{ ready: 'WaitsForConsent', ...running },
  },
  {
    title: 'that was imported gets its network in META with consent',
    machine: adopted({ [CONSENT]: token }),
    world: { wanted },
    steps: [{ do: 'writeMeta', uuid: UUID }],
    ...running,
  },
  {
    title: 'that was imported and configured since is one like any other',
    machine: adopted({ [CONFIG_TRIED]: 'x 1 2030-01-01T00:00:00Z live' }),
    world: { wanted },
    steps: [{ do: 'writeMeta', uuid: UUID }],
    ...running,
  },
  {
    title: 'that was imported, lacks its network in META and is not well says the latter',
    machine: adopted(),
    world: { wanted, node: aNode({ ready: false }) },
    ...{ ready: 'NodeNotReady', ...running },
  },
]
