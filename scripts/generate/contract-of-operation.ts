// How the operator of KubernetesClusters works and is run: the second half of the points.

import {
  AT_ONCE,
  backoff,
  EXAMPLES,
  failed,
  failures,
  faults,
  files,
  GROUPS,
  HANDED_OVER,
  health,
  kustomize,
  LISTENS,
  LOOKED_AT,
  leader,
  leaving,
  life,
  METRICS,
  metrics,
  NAMED,
  type Point,
  plan,
  probes,
  REFUSED,
  real,
  rendered,
  SAME_ENDPOINT,
  SAYS,
  TAKEN,
  UNMADE,
  WRONG,
} from './contract-tests.ts'

export const ofOperation: readonly Point[] = [
  {
    id: 'R32',
    what: 'four classes of errors',
    shown: [
      life('A39: a spec that is edited into a wrong one fails'),
      faults('R32, R41, R50: MachineCreationError'),
      faults('R32: FileSystemError'),
      TAKEN,
      files('R32, R36: what cannot be written is a FileSystemError'),
      WRONG,
    ],
  },
  {
    id: 'R33',
    what: 'each class has its condition',
    shown: [
      plan('R33: a wrong spec makes nothing'),
      plan('R33, A11, A33: what belongs to another is named'),
      faults('R32, R41, R50: MachineCreationError'),
      faults('R32: FileSystemError'),
      faults('R33: a Machine that the server does not let be changed'),
      failed('R14, R33: whatever fails before Machines are made'),
      failed('R33, A11: who owns what is made has to be known'),
      ...[HANDED_OVER, UNMADE],
    ],
  },
  {
    id: 'R34',
    what: 'conditions and their reasons',
    shown: [
      plan('R14, R34: what is said after that'),
      failed('R34: files that the pass did not get to'),
      failed('A18: whatever else fails'),
      leaving('R34, A8: the other conditions stay as they were'),
      leaving('R34: while files cannot be removed FilesGenerated says so'),
      life('R37: Machines go first, then the files, then the cluster'),
    ],
  },
  {
    id: 'R35',
    what: 'lastTransitionTime',
    shown: ['src/runtime/conditions.test.ts', 'of one that $what'],
  },
  {
    id: 'R36',
    what: 'pauses between tries',
    shown: [
      backoff('backoff follows the table: 1, 2, 4, 8'),
      backoff('backoff begins anew after a success'),
      backoff('a user’s edit is tried at once, and begins the table anew'),
      files('R32, R36: what cannot be written is a FileSystemError'),
    ],
  },
  {
    id: 'R37',
    what: 'order of a deletion',
    shown: life('R37: Machines go first, then the files, then the cluster'),
  },
  {
    id: 'R38',
    what: 'clusters_total',
    shown: life('R38, R39: how many clusters are in which phase'),
  },
  {
    id: 'R39',
    what: 'machines_generated',
    shown: life('R38, R39: how many clusters are in which phase'),
  },
  {
    id: 'R40',
    what: 'reconciliation_duration_seconds',
    shown: [life('R40: each pass is measured'), metrics(METRICS)],
  },
  {
    id: 'R41',
    what: 'reconciliation_errors_total',
    shown: [
      faults('R32, R41, R50: MachineCreationError'),
      metrics('R41, A24: error_type is one of the four classes'),
    ],
  },
  {
    id: 'R42',
    what: 'file_operations_total',
    shown: [
      life('R42: what was done with files is counted'),
      faults('R32: FileSystemError'),
      failures('R42: a folder that cannot be made counts'),
      failures('R42: a marker that cannot be written counts'),
      failures('R42: what is somebody’s counts'),
      failures('R42, A20: what cannot be removed is counted'),
    ],
  },
  {
    id: 'R43',
    what: '/healthz, 500 when something is wrong',
    shown: [
      health('who is not ready is still well, and the other way round'),
      health('a blocked event loop is seen beyond the limit'),
      health('a pass that does not end is seen beyond the limit'),
      probes('R43: /healthz is about the event loop and passes'),
      probes('R43: a pass that never ends'),
    ],
  },
  {
    id: 'R44',
    what: '/readyz, 500 and not 503',
    shown: [
      health('what fails is told, a line for each, with 500 and not 503'),
      health('a gate holds until it is opened'),
      health('a watch may be broken for a while'),
      probes('R44: /readyz is about CRDs, caches and watches'),
      probes('R44: what cannot be listed'),
      probes('R44: a watch that is broken for more than two minutes'),
    ],
  },
  {
    id: 'R45',
    what: '/metrics',
    shown: ['test/conformance/runtime/operator-contract.ts', 'becomes ready, says what it does'],
  },
  {
    id: 'R46',
    what: 'levels of the log',
    shown: faults('R46: what was done is told at info'),
  },
  {
    id: 'R47',
    what: 'fields of the log',
    shown: [
      life('R47: each line of a pass says which controller'),
      life('R47: no line that is about one of the clusters leaves these out'),
      faults('R47: each line of a pass says what it has to'),
    ],
  },
  {
    id: 'R48',
    what: 'three published rules',
    shown: [
      ['src/runtime/rbac.test.ts', 'the published rules are word for word those of the document'],
      ['src/operator/roles.test.ts', 'R48: the role that the operator works by has the published'],
      [
        'test/conformance/packaging/chart.suite.ts',
        'may do everywhere what its controllers declare and what is published, and no more',
      ],
    ],
  },
  {
    id: 'R49',
    what: 'names of account, role and binding',
    shown: [
      'src/operator/roles.test.ts',
      'everywhere: one ClusterRole, bound to the account under the published names',
    ],
  },
  { id: 'R50', what: 'events', shown: faults('R50: creation, deletion and each class of errors') },
  {
    id: 'R51',
    what: 'one of several operators works',
    shown: [
      [
        'test/conformance/runtime/operator-contract.ts',
        'of two operators one works, and the other takes over',
      ],
      leader('of two processes the second leads when the first was killed'),
      leader('of two processes the second leads soon when the first was asked to end'),
      leader('of two processes the first does nothing any more when it was stopped'),
    ],
  },
  {
    id: 'R52',
    what: 'chart, its values and defaults',
    shown: [
      rendered('R52: has the published values and defaults'),
      rendered('R52: each of them can be another'),
      rendered('A30: the tag of the image is the version of the chart'),
    ],
  },
  {
    id: 'R53',
    what: 'installation with Helm',
    shown: [
      'test/conformance/packaging/chart.suite.ts',
      'R53: it is installed, upgraded and uninstalled, and what users have made stays',
    ],
  },
  {
    id: 'R54',
    what: 'make deploy IMG=<image>, config/default',
    shown: [
      [
        'test/conformance/packaging/make.suite.ts',
        'R54: deploy installs everything with the image that it is told',
      ],
      kustomize('R54: config/default is what `talos-operator manifests` prints'),
    ],
  },
  {
    id: 'R55',
    what: 'config/prometheus, config/network-policy',
    shown: [
      kustomize('R55: config/prometheus says where metrics are'),
      kustomize('R55: config/network-policy keeps metrics from all but namespaces with a label'),
    ],
  },
  {
    id: 'R56',
    what: 'KUBEBUILDER_ASSETS',
    shown: [
      'test/conformance/programs/build.test.ts',
      'KUBEBUILDER_ASSETS spares the building of what is there',
    ],
  },
  { id: 'R57', what: 'METRICS_BIND_ADDRESS', shown: [NAMED, LISTENS, REFUSED] },
  { id: 'R58', what: 'HEALTH_PROBE_BIND_ADDRESS', shown: [NAMED, LISTENS, REFUSED] },
  { id: 'R59', what: 'MAX_CONCURRENT_RECONCILES', shown: [NAMED, AT_ONCE, REFUSED] },
  { id: 'R60', what: 'RECONCILE_INTERVAL', shown: [NAMED, LOOKED_AT, REFUSED] },
  { id: 'R61', what: 'RESULTS_PATH', shown: [NAMED, LISTENS] },
  {
    id: 'R62',
    what: 'the simple example, verbatim',
    shown: [life('R62: the simple example, verbatim'), SAME_ENDPOINT, EXAMPLES],
  },
  {
    id: 'R63',
    what: 'the example with three groups, verbatim',
    shown: [GROUPS, SAME_ENDPOINT, EXAMPLES],
  },
  {
    id: 'R64',
    what: 'both without namespace, ranges and talosConfig',
    shown: [SAYS, GROUPS, real('R62, R63, R64: %s, verbatim in a namespace of its own')],
  },
]
