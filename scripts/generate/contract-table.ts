// Where each point of the document of vitistack.io is shown to hold: in docs/reference/kubernetes-cluster.md. A test of the
// repository looks whether the tests are there.

import { code, table } from './markdown.ts'

/** A test by its file and a part of its title. */
type Test = readonly [file: string, title: string]

/** One point of the contract, and the tests that show it; or why there is none. */
interface Point {
  id: string
  what: string
  shown: Test | readonly Test[] | { not: string }
}

const D = 'src/controllers/kubernetes-cluster'
const shape = (title: string) => [`${D}/shape.test.ts`, title] as const
const drafts = (title: string) => [`${D}/drafts.test.ts`, title] as const
const plan = (title: string) => [`${D}/plan.test.ts`, title] as const
const life = (title: string) => ['test/scenarios/kubernetes-cluster.test.ts', title] as const
const faults = (title: string) =>
  ['test/scenarios/kubernetes-cluster-faults.test.ts', title] as const
const real = (title: string) =>
  ['test/conformance/scenarios/kubernetes-cluster.suite.ts', title] as const
const files = (title: string) => ['src/operator/results-folder.test.ts', title] as const
const metrics = (title: string) => ['src/runtime/metrics.test.ts', title] as const
const health = (title: string) => ['src/operator/health.test.ts', title] as const
const settings = (title: string) => ['src/operator/settings-published.test.ts', title] as const
const variables = (title: string) =>
  ['test/scenarios/kubernetes-cluster-variables.test.ts', title] as const
const rendered = (title: string) =>
  ['test/conformance/packaging/chart-render.suite.ts', title] as const
const kustomize = (title: string) =>
  ['test/conformance/packaging/kustomize.suite.ts', title] as const
const program = (title: string) => ['test/e2e/run.test.ts', title] as const

const METRICS = 'the other four of the contract are as it says, without another label'
// Of the settings: their names and defaults, and what comes of a value that makes no sense.
const NAMED = settings('$point: $name is $usual where nothing is said, and can be $other')
const REFUSED = program('R57, R58, R59, R60: a variable that makes no sense stops it')
const LISTENS = program('R57, R58, R61: it listens where METRICS_BIND_ADDRESS')
const REACHES = [
  'test/scenarios/kubernetes-cluster-settings.test.ts',
  'what talosConfig says reaches the machines',
] as const
const AT_ONCE = variables('R28, R59: $what of many clusters is worked on at once')
const LOOKED_AT = variables('R27, R60: a cluster that nobody touches is looked at every $what')

const SAME_ENDPOINT = life('A3: both examples have the same endpoint')

export const contract: readonly Point[] = [
  {
    id: 'R1',
    what: 'one controller, of KubernetesCluster',
    shown: [`${D}/controller.test.ts`, 'R1: of vitistack.io one kind is worked on'],
  },
  {
    id: 'R2',
    what: 'layout of the repository',
    shown: { not: 'a table in docs/differences.md says where each path is here' },
  },
  {
    id: 'R3',
    what: 'the kind and its status subresource',
    shown: real('R3: its status is written apart from it'),
  },
  {
    id: 'R4',
    what: 'clusterName',
    shown: shape('R4: the name of the object is that of the cluster'),
  },
  { id: 'R5', what: 'versions', shown: shape('R5: %j is no version') },
  { id: 'R6', what: 'clusterEndpoint', shown: shape('R6, A3: %s is %s') },
  {
    id: 'R7',
    what: 'podSubnets, serviceSubnets',
    shown: shape('R7: one IPv4 and one IPv6 range each are fine'),
  },
  {
    id: 'R8',
    what: '1, 3 or 5 control planes',
    shown: [shape('R8: %i control planes are refused'), shape('R8: %i control planes are fine')],
  },
  {
    id: 'R9',
    what: 'groups of workers',
    shown: [shape('R9: without a name'), life('R63: the example with three groups, verbatim')],
  },
  {
    id: 'R10',
    what: 'talosConfig.machine',
    shown: [shape('R10: what a problem is told with is no value of a key'), REACHES],
  },
  {
    id: 'R11',
    what: 'talosConfig.cluster and its defaults',
    shown: [shape('R7, R11: ranges and domain are the usual ones'), REACHES],
  },
  {
    id: 'R12',
    what: 'talosConfig.install and its defaults',
    shown: [shape('R12: how Talos is installed where nothing is said'), REACHES],
  },
  {
    id: 'R13',
    what: 'phases',
    shown: plan('R13, A8: a cluster whose Machines all run is running'),
  },
  { id: 'R14', what: 'status', shown: life('R14: readiness follows what providers say') },
  {
    id: 'R15',
    what: 'finalizer',
    shown: life('R15, R24: the finalizer was there before the first Machine'),
  },
  {
    id: 'R16',
    what: 'Machines in the namespace of the cluster',
    shown: drafts('R16: a Machine is in the namespace'),
  },
  { id: 'R17', what: 'names of Machines', shown: drafts('R17, R23: control planes by index') },
  { id: 'R18', what: 'labels of Machines', shown: life('R18, R19, R20: what a Machine says') },
  {
    id: 'R19',
    what: 'owner of Machines',
    shown: [
      life('R18, R19, R20: what a Machine says'),
      life('R19: with the operator stopped and the finalizer removed, Machines go'),
      real('R19: with the operator stopped and the finalizer removed, Machines go'),
    ],
  },
  {
    id: 'R20',
    what: 'the template, and what the machine becomes',
    shown: drafts('R20, R21: the template is copied'),
  },
  { id: 'R21', what: 'networks in Machines', shown: drafts('R20, R21: the template is copied') },
  {
    id: 'R22',
    what: 'the role decides the type',
    shown: drafts('R22: the role decides what a machine becomes'),
  },
  { id: 'R23', what: 'order of Machines', shown: drafts('R17, R23: control planes by index') },
  {
    id: 'R24',
    what: 'order of the steps',
    shown: plan('R24: Machines in their order, then their files'),
  },
  {
    id: 'R25',
    what: 'settled means no writes',
    shown: real('R25: while nothing changes, nothing is written'),
  },
  {
    id: 'R26',
    what: 'a Machine that is there already',
    shown: faults('R26, R32: OwnerReferenceError'),
  },
  {
    id: 'R27',
    what: 'looked at every RECONCILE_INTERVAL',
    shown: LOOKED_AT,
  },
  { id: 'R28', what: 'MAX_CONCURRENT_RECONCILES', shown: AT_ONCE },
  {
    id: 'R29',
    what: 'one folder, one file for each Machine',
    shown: files('R29: one folder for each cluster'),
  },
  {
    id: 'R30',
    what: 'files created, updated, removed',
    shown: [
      files('R30, A14: only what differs is written'),
      files('R30, A16: only what was written here is removed'),
    ],
  },
  {
    id: 'R31',
    what: 'files are manifests that a server accepts',
    shown: real('R31: every file is a manifest'),
  },
  {
    id: 'R32',
    what: 'four classes of errors',
    shown: [
      life('A39: a spec that is edited into a wrong one fails'),
      faults('R32, R41, R50: MachineCreationError'),
      faults('R32: FileSystemError'),
      faults('R26, R32: OwnerReferenceError'),
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
    ],
  },
  {
    id: 'R34',
    what: 'conditions and their reasons',
    shown: [
      plan('R14, R34: what is said after that'),
      [`${D}/when-failed.test.ts`, 'R34: files that the pass did not get to'],
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
    shown: ['src/runtime/queue-backoff.test.ts', 'backoff follows the table: 1, 2, 4, 8'],
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
  { id: 'R40', what: 'reconciliation_duration_seconds', shown: metrics(METRICS) },
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
    shown: life('R42: what was done with files is counted'),
  },
  {
    id: 'R43',
    what: '/healthz, 500 when something is wrong',
    shown: [
      health('who is not ready is still well, and the other way round'),
      health('a blocked event loop is seen beyond the limit'),
    ],
  },
  {
    id: 'R44',
    what: '/readyz, 500 and not 503',
    shown: health('what fails is told, a line for each, with 500 and not 503'),
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
    shown: life('R47: each line of a pass says which controller'),
  },
  {
    id: 'R48',
    what: 'three published rules',
    shown: [
      'src/runtime/rbac.test.ts',
      'the published rules are word for word those of the document',
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
      'test/conformance/runtime/operator-contract.ts',
      'of two operators one works, and the other takes over',
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
    shown: [life('R62: the simple example, verbatim'), SAME_ENDPOINT],
  },
  {
    id: 'R63',
    what: 'the example with three groups, verbatim',
    shown: [life('R63: the example with three groups, verbatim'), SAME_ENDPOINT],
  },
  {
    id: 'R64',
    what: 'both without namespace, ranges and talosConfig',
    shown: real('R62, R63, R64: %s, verbatim in a namespace of its own'),
  },
]

/** The tests that show a point; none where it is not shown. */
export const testsOf = ({ shown }: Point): readonly Test[] => {
  if ('not' in shown) return []
  return isOne(shown) ? [shown] : shown
}

const isOne = (shown: Test | readonly Test[]): shown is Test => typeof shown[0] === 'string'

/** The section of the reference page. */
export const contractSection = (): string[] => [
  '## The contract, point by point',
  '',
  'The points of the published document, and the tests that show that they hold.',
  '',
  ...table(
    ['point', 'what', 'shown by'],
    contract.map((point) => [point.id, point.what, wordsFor(point)]),
  ),
]

const wordsFor = (point: Point): string =>
  'not' in point.shown
    ? point.shown.not
    : testsOf(point)
        .map(([file, title]) => `${code(file)}: ${title}`)
        .join('<br>')
