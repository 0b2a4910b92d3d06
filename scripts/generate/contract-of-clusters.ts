// What a KubernetesCluster says and becomes: the first half of the points.

import {
  AT_ONCE,
  atOnce,
  CALLED,
  D,
  drafts,
  failed,
  faults,
  files,
  GROUPS,
  HANDED_OVER,
  LOOKED_AT,
  layout,
  life,
  looks,
  metrics,
  named,
  type Point,
  plan,
  REACHES,
  readiness,
  real,
  refused,
  SAYS,
  shape,
  TAKEN,
  TEMPLATE,
  UNMADE,
  WRONG,
} from './contract-tests.ts'

export const ofClusters: readonly Point[] = [
  {
    id: 'R1',
    what: 'one controller, of KubernetesCluster',
    shown: [`${D}/controller.test.ts`, 'R1: of vitistack.io one kind is worked on'],
  },
  {
    id: 'R2',
    what: 'layout of the repository',
    shown: [
      layout('R2: what the published layout has is here'),
      layout('R2: config/default is made of'),
    ],
  },
  {
    id: 'R3',
    what: 'the kind and its status subresource',
    shown: real('R3: its status is written apart from it'),
  },
  {
    id: 'R4',
    what: 'clusterName',
    shown: [
      shape('R4: the name of the object is that of the cluster'),
      CALLED,
      named('A22, A26: metrics and the log call it so'),
      named('A11, A33: another cluster of the namespace with that clusterName'),
    ],
  },
  {
    id: 'R5',
    what: 'versions',
    shown: [shape('R5: %j is no version'), WRONG, refused('A37: $name, for a new cluster')],
  },
  {
    id: 'R6',
    what: 'clusterEndpoint',
    shown: [shape('R6, A3: %s is %s'), shape('R6, A3: %j is no endpoint'), WRONG],
  },
  {
    id: 'R7',
    what: 'podSubnets, serviceSubnets',
    shown: [
      shape('R7: one IPv4 and one IPv6 range each are fine'),
      shape('A4: ranges of the spec go before those of talosConfig'),
      shape('A4: %s is told'),
      WRONG,
    ],
  },
  {
    id: 'R8',
    what: '1, 3 or 5 control planes',
    shown: [
      shape('R8: %i control planes are refused'),
      shape('R8: %i control planes are fine'),
      WRONG,
    ],
  },
  {
    id: 'R9',
    what: 'groups of workers',
    shown: [shape('R9: without a name'), GROUPS, WRONG],
  },
  {
    id: 'R10',
    what: 'talosConfig.machine',
    shown: [
      shape('R10: a type that is none'),
      shape('R10: what a problem is told with is no value of a key'),
      REACHES,
      WRONG,
    ],
  },
  {
    id: 'R11',
    what: 'talosConfig.cluster and its defaults',
    shown: [
      shape('R7, R11: ranges and domain are the usual ones'),
      drafts('R11, R12, R21: ranges, domain and disk'),
      ...[SAYS, REACHES, WRONG],
    ],
  },
  {
    id: 'R12',
    what: 'talosConfig.install and its defaults',
    shown: [
      shape('R12: how Talos is installed where nothing is said'),
      drafts('R11, R12, R21: ranges, domain and disk'),
      ...[SAYS, REACHES, WRONG],
    ],
  },
  {
    id: 'R13',
    what: 'phases',
    shown: [
      metrics('the phases are those of the kind'),
      plan('A8: a cluster that has no Machine, and can have none, is pending'),
      plan('R14, R34: what is said after that'),
      plan('R13, A8: a cluster whose Machines all run is running'),
      readiness('A8, A9: a cluster of which each Machine has joined'),
      life('a Machine that fails makes its cluster fail'),
      faults('R32, R41, R50: MachineCreationError'),
      faults('A8: a cluster whose Machines cannot be created however often'),
    ],
  },
  {
    id: 'R14',
    what: 'status',
    shown: [
      life('R62: the simple example, verbatim'),
      life('R14: readiness follows what providers say'),
      readiness('A9: control planes of which a provider says nothing are waited for'),
      failed('R14, R33: whatever fails before Machines are made'),
      UNMADE,
    ],
  },
  {
    id: 'R15',
    what: 'finalizer',
    shown: life('R15, R24: the finalizer was there before the first Machine'),
  },
  {
    id: 'R16',
    what: 'Machines in the namespace of the cluster',
    shown: [drafts('R16: a Machine is in the namespace'), drafts('R31: the file is the manifest')],
  },
  {
    id: 'R17',
    what: 'names of Machines',
    shown: [drafts('R17, R23: control planes by index'), CALLED],
  },
  { id: 'R18', what: 'labels of Machines', shown: [SAYS, CALLED] },
  {
    id: 'R19',
    what: 'owner of Machines',
    shown: [
      SAYS,
      life('R19: with the operator stopped and the finalizer removed, Machines go'),
      real('R19: with the operator stopped and the finalizer removed, Machines go'),
    ],
  },
  {
    id: 'R20',
    what: 'the template, and what the machine becomes',
    shown: [drafts('R20, R21: the template is copied'), TEMPLATE],
  },
  {
    id: 'R21',
    what: 'networks in Machines',
    shown: [
      drafts('R20, R21: the template is copied'),
      drafts('R11, R12, R21: ranges, domain and disk'),
      ...[SAYS, REACHES],
    ],
  },
  {
    id: 'R22',
    what: 'the role decides the type',
    shown: drafts('R22: the role decides what a machine becomes'),
  },
  { id: 'R23', what: 'order of Machines', shown: drafts('R17, R23: control planes by index') },
  {
    id: 'R24',
    what: 'order of the steps',
    shown: [
      plan('R24: Machines in their order, then their files'),
      life('R15, R24: the finalizer was there before the first Machine'),
      refused('R24: none of them has a Machine'),
      WRONG,
    ],
  },
  {
    id: 'R25',
    what: 'settled means no writes',
    shown: [
      life('R25, R27: settled means that nothing is written'),
      real('R25: while nothing changes, nothing is written'),
    ],
  },
  {
    id: 'R26',
    what: 'a Machine that is there already',
    shown: [
      TAKEN,
      HANDED_OVER,
      atOnce('R26, A13: a Machine that appears between the look and its making'),
    ],
  },
  {
    id: 'R27',
    what: 'looked at every RECONCILE_INTERVAL',
    shown: LOOKED_AT,
  },
  {
    id: 'R28',
    what: 'MAX_CONCURRENT_RECONCILES',
    shown: [AT_ONCE, atOnce('R28: with MAX_CONCURRENT_RECONCILES of four')],
  },
  {
    id: 'R29',
    what: 'one folder, one file for each Machine',
    shown: [
      files('R29: one folder for each cluster'),
      looks('R29, A33: a Machine of somebody else has no file'),
      looks('R29: of very many Machines those have a file that are there'),
      TAKEN,
      life('R62: the simple example, verbatim'),
      CALLED,
      named('A16, R29, R30: of two namespaces with that clusterName'),
      real('A16, R29, R30: of two namespaces with one clusterName'),
    ],
  },
  {
    id: 'R30',
    what: 'files created, updated, removed',
    shown: [
      files('R30, A14: only what differs is written'),
      files('R30, A16: only what was written here is removed'),
      TEMPLATE,
      [`${D}/files-rules.test.ts`, 'R30, R42: a thousand manifests on a slow disk are written'],
      named('A16, R29, R30: of two namespaces with that clusterName'),
    ],
  },
  {
    id: 'R31',
    what: 'files are manifests that a server accepts',
    shown: real('R31: every file is a manifest'),
  },
]
