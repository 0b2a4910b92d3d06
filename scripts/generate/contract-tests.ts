// The tests that points of the document of vitistack.io are shown by, and what a point is.

/** A test by its file and a part of its title. */
export type Test = readonly [file: string, title: string]

/** One point of the contract, and the tests that show it. */
export interface Point {
  id: string
  what: string
  shown: Test | readonly Test[]
}

export const D = 'src/controllers/kubernetes-cluster'
export const shape = (title: string) => [`${D}/shape.test.ts`, title] as const
export const drafts = (title: string) => [`${D}/drafts.test.ts`, title] as const
export const looks = (title: string) => [`${D}/observe.test.ts`, title] as const
export const failed = (title: string) => [`${D}/when-failed.test.ts`, title] as const
export const leaving = (title: string) => [`${D}/teardown.test.ts`, title] as const
export const plan = (title: string) => [`${D}/plan.test.ts`, title] as const
export const life = (title: string) => ['test/scenarios/kubernetes-cluster.test.ts', title] as const
export const faults = (title: string) =>
  ['test/scenarios/kubernetes-cluster-faults.test.ts', title] as const
export const real = (title: string) =>
  ['test/conformance/scenarios/kubernetes-cluster.suite.ts', title] as const
export const files = (title: string) => ['src/operator/results-folder.test.ts', title] as const
export const failures = (title: string) => ['src/operator/results-failures.test.ts', title] as const
export const leader = (title: string) => ['test/conformance/leader/leader.suite.ts', title] as const
export const named = (title: string) =>
  ['test/scenarios/kubernetes-cluster-names.test.ts', title] as const
export const metrics = (title: string) => ['src/runtime/metrics.test.ts', title] as const
export const probes = (title: string) =>
  ['test/conformance/runtime/probes-contract.ts', title] as const
export const health = (title: string) => ['src/operator/health.test.ts', title] as const
const settings = (title: string) => ['src/operator/settings-published.test.ts', title] as const
const variables = (title: string) =>
  ['test/scenarios/kubernetes-cluster-variables.test.ts', title] as const
export const rendered = (title: string) =>
  ['test/conformance/packaging/chart-render.suite.ts', title] as const
export const kustomize = (title: string) =>
  ['test/conformance/packaging/kustomize.suite.ts', title] as const
export const backoff = (title: string) => ['src/runtime/queue-backoff.test.ts', title] as const
export const layout = (title: string) => ['test/repo/layout.test.ts', title] as const
export const refused = (title: string) =>
  ['test/scenarios/kubernetes-cluster-refused.test.ts', title] as const
export const atOnce = (title: string) =>
  ['test/scenarios/kubernetes-cluster-at-once.test.ts', title] as const
export const readiness = (title: string) => [`${D}/readiness.test.ts`, title] as const
const program = (title: string) => ['test/e2e/run.test.ts', title] as const

export const METRICS = 'the other four of the contract are as it says, without another label'
// Of the settings: their names and defaults, and what comes of a value that makes no sense.
export const NAMED = settings('$point: $name is $usual where nothing is said, and can be $other')
export const REFUSED = program('R57, R58, R59, R60: a variable that makes no sense stops it')
export const LISTENS = program('R57, R58, R61: it listens where METRICS_BIND_ADDRESS')
export const REACHES = [
  'test/scenarios/kubernetes-cluster-settings.test.ts',
  'what talosConfig says reaches the machines',
] as const
export const AT_ONCE = variables('R28, R59: $what of many clusters is worked on at once')
export const LOOKED_AT = variables(
  'R27, R60: a cluster that nobody touches is looked at every $what',
)

export const WRONG = refused('R5–R12, R24, R32: the wrong spec %s becomes a condition')
export const TAKEN = faults('R26, R29, R32: OwnerReferenceError')
export const HANDED_OVER = [
  'test/scenarios/kubernetes-cluster-handed-over.test.ts',
  'A33, R26, R33: while the Machine of %s, no machine is drained',
] as const
export const UNMADE = [
  'test/scenarios/kubernetes-cluster-unmade.test.ts',
  'R14, R33: Machines that are not made, because something else fails before',
] as const
export const TEMPLATE = life('A34, R30: what a template says anew reaches Machines')
export const GROUPS = life('R63, R64: the example with three groups, verbatim')
export const CALLED = named(
  'R4, R17, R18, R29: everything of a cluster is called by its clusterName',
)
export const SAYS = life('R18, R19, R20: what a Machine says')
export const EXAMPLES = [
  'test/repo/examples.test.ts',
  'R62, R63: $ours says what the published $theirs says',
] as const
export const SAME_ENDPOINT = life('A3: both examples have the same endpoint')
