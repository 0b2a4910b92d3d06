// Machines and what is seen of them, for tests of what follows from it.

import { CONFIG, ETCD_MEMBER, MACHINE_UUID } from '#api/labels.ts'
import type { Machine } from '#api/machine.ts'
import type { Member, Waiting, World } from '#controllers/machine/world.ts'
import type { NodeSeen } from '#engine/cluster-nodes-seen.ts'
import { aControlPlane, aMachine, type Overrides } from './builders.ts'

export const NOW = new Date('2030-01-01T00:00:00Z')
export const UUID = '00000000-0000-4000-8000-000000000001'
export const OTHER_UUID = '00000000-0000-4000-8000-000000000002'

/** Of etcd. */
const MEMBER = '00000000000000aa'

/** A machine object that stands for {@link UUID}, and knows which member of etcd that is. */
export const aClaimedMachine = (
  annotations: Record<string, string> = {},
  over: Overrides<Machine> = {},
): Machine =>
  aMachine({
    ...over,
    metadata: {
      ...over.metadata,
      annotations: {
        ...{ [MACHINE_UUID]: UUID, [ETCD_MEMBER]: MEMBER, [CONFIG]: 'as-edited as-wanted' },
        ...annotations,
      },
    },
  })

/** As it waits, with one disk. */
export const aWaiting = (over: Partial<Waiting> = {}): Waiting => ({
  is: 'waiting',
  uuid: UUID,
  version: 'v1.13.0',
  disks: [aDisk('/dev/sda')],
  ...over,
})

export const aDisk = (path: string, gib = 100) => ({
  path,
  sizeBytes: gib * 1024 ** 3,
  isReadOnly: false,
  isCd: false,
  isUsb: false,
  isFlash: true,
  symlinks: [],
})

/** One of a control plane that runs, with etcd and all that belongs to it. */
export const aMember = (over: Partial<Member> = {}): Member => ({
  is: 'member',
  uuid: UUID,
  version: 'v1.13.0',
  stage: 'running',
  isReady: true,
  unmet: [],
  type: 'controlplane',
  hostname: 'cp-1',
  addresses: ['192.0.2.1'],
  etcdMember: { id: MEMBER, learner: false },
  etcdMembers: [{ id: MEMBER, name: 'cp-1', learner: false }],
  isKubeletWell: true,
  config: undefined,
  fingerprint: 'as-wanted',
  kubernetes: undefined,
  boot: undefined,
  metaText: '',
  ...over,
})

export const aNode = (over: Partial<NodeSeen> = {}): NodeSeen => ({
  name: 'cp-1',
  uid: 'uid-of-node',
  ready: true,
  reason: 'KubeletReady',
  addresses: ['192.0.2.1'],
  kubeletVersion: 'v1.35.0',
  machineUuid: UUID,
  isUnschedulable: false,
  ...over,
})

/** All is well: the machine runs as its spec says. */
export const aWorld = (over: Partial<World> = {}): World => ({
  parent: { is: 'there', controlPlane: aControlPlane() },
  rivals: [],
  wanted: {
    ...{ is: 'known', fingerprint: 'as-wanted', origin: 'as-edited' },
    metaText: undefined,
  },
  change: undefined,
  turn: undefined,
  long: undefined,
  isKubernetesMoving: false,
  mayKubeletsMove: false,
  components: { is: 'unasked' },
  disk: { is: 'settled' },
  seen: aMember(),
  isOld: false,
  alike: 1,
  node: aNode(),
  formerNodes: [],
  areNodesKnown: true,
  apiSilentSince: undefined,
  pods: { is: 'unasked' },
  hasTakenConfig: false,
  means: {},
  ...over,
})
