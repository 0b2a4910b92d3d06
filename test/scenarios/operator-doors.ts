import type { KubeObject } from '#api/meta.ts'
import { OperatorError } from '#base/operator-error.ts'
import type { FilesOwner, ResultsFolder } from '#controllers/kubernetes-cluster/results.ts'
import { ClusterNodes } from '#engine/cluster-nodes.ts'
import { Credentials } from '#engine/credentials.ts'
import type { ApiAccess, Carry } from '#kube/access.ts'
import { generateBundle, type NewBundle } from '#machineconfig/secrets/generate-bundle.ts'
import type { openPorts, Ports } from '#operator/ports.ts'
import { DiskResultsFolder } from '#operator/results-folder.ts'
import type { Metrics } from '#runtime/metrics.ts'
import type { Boundary } from './boundary.ts'
import type { ApiFaults } from './faults-of-api.ts'
import { throughBoundary } from './kubernetes-gate.ts'
import { type Known, MachineGate } from './machine-gate.ts'
import type { ProvidedAround } from './provided-around.ts'
import type { RacingClock } from './racing-clock.ts'
import type { Ways } from './ways.ts'

export interface DoorsOptions {
  ways: Ways
  clock: RacingClock
  boundary: Boundary
  /** What is wrong with its API, if anything can be. */
  apiFaults: ApiFaults | undefined
  lookAt: (address: string) => Promise<Known>
  lookAtProvided: (sent: KubeObject | undefined) => Promise<ProvidedAround>
  isRefusing: (address: string) => boolean
  loseReply: (address: string, call: string) => void
  /** Ends the process, at once. */
  kill: () => void
}

type Given = Pick<Parameters<typeof openPorts>[0], 'log' | 'metrics' | 'settings'>

/** The doors through which one process that works as an operator reaches everything: all of it goes through the boundary. */
export interface OperatorDoors {
  readonly access: ApiAccess
  openPorts(given: Given): Ports
  /** As if the process were killed: nothing that it does from now on has any effect. Resolves when all is closed. */
  shut(): Promise<unknown>
}

export async function openDoors(options: DoorsOptions): Promise<OperatorDoors> {
  const { clock, ways, kill } = options
  const dead = new AbortController()
  let shutting: Promise<unknown> | undefined
  const machines = new MachineGate({ ...options, talos: ways.talos, kill })
  const through = throughBoundary({ ...options, kill })
  const gate = await ways.openGate((onward) =>
    through(options.apiFaults?.through(onward) ?? onward),
  )
  const { carry } = ways.nodes
  return {
    access: gate.access,
    openPorts: ({ log, metrics, settings }) => {
      const nodes = new ClusterNodes({
        ...{ clock, log, userAgent: 'a scenario' },
        ...(carry && { carry: unlessDead(through(carry), dead.signal) }),
      })
      return {
        ...{ clock, machines, nodes, writesMeta: false, credentials: new Credentials({ clock }) },
        newBundle: (given: NewBundle) => clock.elsewhere(() => generateBundle(given)),
        provided: {
          results: onDisk({
            ...{ root: settings.resultsPath, namespaces: settings.namespaces },
            ...{ clock, tally: metrics },
            ...{ boundary: options.boundary, kill, dead: dead.signal },
          }),
          ...{ tally: metrics, resyncMs: settings.reconcileInterval.ms },
        },
        [Symbol.asyncDispose]: () => nodes.close(),
      }
    },
    shut: () => {
      dead.abort(new Error('this operator is dead'))
      shutting ??= Promise.all([machines[Symbol.dispose](), gate[Symbol.asyncDispose]()])
      return shutting
    },
  }
}

/** What a dead operator asks for is not even sent. */
const unlessDead =
  (carry: Carry, dead: AbortSignal): Carry =>
  async (request) => {
    dead.throwIfAborted()
    return carry(request)
  }

interface DiskOptions {
  root: string
  namespaces: readonly string[]
  clock: RacingClock
  tally: Metrics
  boundary: Boundary
  kill: () => void
  dead: AbortSignal
}

/** The disk takes its time whatever the clock says. What is changed on it goes through the boundary, too. */
function onDisk(options: DiskOptions): ResultsFolder {
  const results = new DiskResultsFolder(options)
  const { clock } = options
  return {
    look: (...given) => clock.elsewhere(() => results.look(...given)),
    write: (owner, files) =>
      change('write', owner, { ...options, act: () => results.write(owner, files) }),
    remove: (owner, names) =>
      change('remove', owner, { ...options, act: () => results.remove(owner, names) }),
  }
}

async function change(
  method: 'write' | 'remove',
  { folder }: FilesOwner,
  { clock, boundary, kill, dead, act }: DiskOptions & { act: () => Promise<void> },
): Promise<void> {
  dead.throwIfAborted()
  const { call, interruption } = boundary.enter({ to: 'disk', method, folder })
  if (interruption === 'killed before') {
    call.outcome = 'never made'
    kill()
    dead.throwIfAborted()
  }
  await clock.elsewhere(act)
  call.outcome = interruption === 'reply lost' ? 'reply lost' : 'done'
  if (interruption === 'killed after') kill()
  if (interruption === 'reply lost') {
    throw new OperatorError('FileSystemError', { message: 'the disk says nothing of it' })
  }
}
