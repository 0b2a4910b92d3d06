import type { Clock } from '#base/clock.ts'
import { messageOf } from '#base/operator-error.ts'
import { problem } from '#base/problem.ts'
import { oneCluster } from '#engine/one-cluster.ts'
import type { ApiAccess } from '#kube/access.ts'
import { ApiError } from '#kube/api-error.ts'
import { clusterControllers } from '#operator/controllers.ts'
import { type OperatorState, runOperator } from '#operator/operator.ts'
import type { openPorts } from '#operator/ports.ts'
import { readSettings, type Settings } from '#operator/settings.ts'
import packageFile from '#package.json' with { type: 'json' }
import { calm } from '#runtime/calm-log.ts'
import { kindId } from '#runtime/kind-id.ts'
import { createLog } from '#runtime/log.ts'
import { createMetrics } from '#runtime/metrics.ts'
import { noResultsFolder } from './no-results-folder.ts'
import type { Output } from './output.ts'
import { isPassing } from './passing-failure.ts'

/** What it takes to do the operator's work for one cluster. */
export interface WorkOptions extends Output {
  readonly access: ApiAccess
  readonly clock: Clock
  /** Opens the ways to machines and clusters. */
  readonly openPorts: typeof openPorts
  readonly writesMeta: boolean
  /** The TalosControlPlane of the cluster. */
  readonly cluster: { readonly namespace: string; readonly name: string }
  /** Where objects are looked at. Empty: everywhere. */
  readonly namespaces: readonly string[]
  /** By which we lead, as an operator would. */
  readonly lease: { readonly namespace: string; readonly name: string }
  /** As what; something is appended that no other process has. */
  readonly identity: string
}

/** An operator in this process, for one cluster alone. Disposing of it ends it in good order, and gives the Lease back. */
export interface Work extends AsyncDisposable {
  /** Whether it leads, and makes passes. Throws a problem for people if it never will. */
  readonly isWorking: boolean
}

/**
 * Begins to do what an operator does, as soon as nobody else does. What it then logs as a warning, or worse, goes to `err`; before, only
 * what keeps it from beginning is told.
 */
export const startWork = (options: WorkOptions): Work => new InProcess(options)

class InProcess implements Work {
  readonly #options: WorkOptions
  readonly #stop = new AbortController()
  readonly #running: Promise<void>
  readonly #told = new Set<string>()
  #isWorking = false
  #hasWorked = false
  #failure: unknown

  constructor(options: WorkOptions) {
    this.#options = options
    const err = (text: string) => {
      if (this.#hasWorked) options.err(text)
    }
    const onState = (state: OperatorState) => this.#see(state)
    this.#running = run({ ...options, err }, onState, this.#stop.signal).catch((error: unknown) =>
      this.#fail(error),
    )
  }

  get isWorking(): boolean {
    if (this.#failure !== undefined) throw this.#failure
    return this.#isWorking
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort(new Error('the command ends'))
    await this.#running
  }

  #see(state: OperatorState): void {
    if (isTrouble(state)) {
      // Later it is in the log.
      if (!this.#hasWorked) this.#seeTrouble(state)
      return
    }
    const line = wordsFor(state, this.#options)
    if (line) this.#options.out(line)
    if (state.state === 'working') this.#isWorking = this.#hasWorked = true
    if (state.state === 'lost' || state.state === 'released') this.#isWorking = false
  }

  #seeTrouble(trouble: Trouble): void {
    const message = messageOf(trouble.error)
    if (isForGood(trouble)) this.#fail(whyNever(trouble, this.#options))
    else if (!this.#told.has(message)) this.#options.out(`${message}\n`)
    this.#told.add(message)
  }

  #fail(failure: unknown): void {
    this.#isWorking = false
    this.#failure ??= failure
  }
}

async function run(
  options: WorkOptions,
  onState: (state: OperatorState) => void,
  signal: AbortSignal,
): Promise<void> {
  const { access, clock, cluster, err } = options
  const { version } = packageFile
  using log = calm(
    createLog({ level: 'warn', format: 'text', write: err, now: () => clock.now() }),
    { clock },
  )
  const metrics = createMetrics({ version })
  const settings = settingsFor(options)
  await using opened = options.openPorts({ clock, log, version, metrics, settings })
  // Manifests for people to look at are where the operator runs, and not where somebody gives a command.
  const ports = { ...opened, provided: { ...opened.provided, results: noResultsFolder } }
  await runOperator({
    ...{ access, version, clock, log, signal, onState, settings, metrics },
    controllers: clusterControllers(ports),
    scope: oneCluster(cluster),
  })
}

/** Probes and metrics are for who runs for long. */
const settingsFor = ({ namespaces, lease, identity, writesMeta }: WorkOptions): Settings =>
  readSettings({
    env: {},
    flags: {
      ...{ metricsBindAddress: '0', healthProbeBindAddress: '0', enableMetaKey: writesMeta },
      ...{ leaderElectionNamespace: lease.namespace, leaderElectionName: lease.name },
      leaderElectionIdentity: identity,
      ...(namespaces.length > 0 && { namespaces: namespaces.join(',') }),
    },
  })

type Trouble = Extract<OperatorState, { error: unknown }>

const isTrouble = (state: OperatorState): state is Trouble => 'error' in state

function wordsFor(
  state: Exclude<OperatorState, Trouble>,
  { lease }: WorkOptions,
): string | undefined {
  const by = `the Lease ${lease.namespace}/${lease.name}`
  if (state.state === 'standby') {
    return state.leader === ''
      ? `nobody holds ${by}: whoever did last is given the time to have stopped\n`
      : `${state.leader} holds ${by}: waiting until it is given back, or has run out\n`
  }
  if (state.state === 'leading') return `this command leads, by ${by}\n`
  return state.state === 'lost'
    ? `this command leads no more, and does nothing until it does again: ${state.why}\n`
    : undefined
}

/** Whether it will not pass by itself. A Conflict is somebody else's turn. */
const isForGood = ({ error }: Trouble): boolean =>
  error instanceof ApiError && !isPassing(error) && error.status !== 409

function whyNever(trouble: Trouble, { lease }: WorkOptions): Error {
  const missing =
    trouble.state === 'blind'
      ? `follow ${kindId(trouble.kind)}`
      : `take the Lease ${lease.namespace}/${lease.name}`
  return problem({
    what: `no operator leads, and this command cannot do its work: it cannot ${missing}`,
    why: messageOf(trouble.error),
    remedy:
      'start an operator, or let this account do what one may (talos-operator manifests --rbac shows its roles)',
  })
}
