import { ControlPlane } from '#api/control-plane.ts'
import { Machine } from '#api/machine.ts'
import { Worker } from '#api/worker.ts'
import { systemClock } from '#base/clock.ts'
import { withDeadline } from '#base/deadline.ts'
import { messageOf } from '#base/operator-error.ts'
import { problem } from '#base/problem.ts'
import { Credentials } from '#engine/credentials.ts'
import type { KubeClient } from '#kube/client.ts'
import { generateBundle } from '#machineconfig/secrets/generate-bundle.ts'
import { controllersWith } from '#operator/controllers.ts'
import { optionalKinds } from '#operator/operator.ts'
import type { Ports } from '#operator/ports.ts'
import { readSettings } from '#operator/settings.ts'
import packageFile from '#package.json' with { type: 'json' }
import { wantedBy } from '#runtime/controller-run.ts'
import type { Explained } from '#runtime/explain.ts'
import { createLog } from '#runtime/log.ts'
import type { Watches } from '#runtime/watches.ts'
import { TalosClient } from '#talos/client.ts'
import { type AsEdited, EditedWatches } from './explain-edited.ts'
import { AwaitedNodes } from './explain-nodes.ts'
import type { Target } from './explain-target.ts'
import { noResultsFolder } from './no-results-folder.ts'
import { placesToLook } from './places-to-look.ts'

interface ExplainerOptions {
  readonly client: KubeClient
  readonly namespace: string
  readonly writesMeta: boolean
  readonly err: (text: string) => void
  /** Of what is not as it is. */
  readonly asEdited?: AsEdited
}

/** Knows what the operator would do. */
export interface Explainer extends AsyncDisposable {
  /** Undefined for what is not there. Rejects with what the operator would fail with. */
  explain(target: Target): Promise<Explained | undefined>
}

const clock = systemClock
const LISTED_WITHIN_MS = 30_000
const SEEN_WITHIN_MS = 15_000

/** Lists what the operator looks at. Nothing is written, by this or by what it opens. */
export async function openExplainer(options: ExplainerOptions): Promise<Explainer> {
  const { client, namespace, asEdited = (_kind, object) => object } = options
  const ports = readingPorts(options)
  const controllers = controllersWith(ports)
  const stop = new AbortController()
  const { signal } = stop
  const namespaces = await placesToLook(client, namespace)
  let trouble: unknown
  const watches = new EditedWatches(
    asEdited,
    {
      ...{ client, clock, namespaces, optionalKinds },
      onState: (_kind, state) => {
        if (state.state === 'failed') trouble = state.error
      },
    },
    controllers.flatMap(wantedBy),
  )
  const following = watches.run(signal)
  const explainer = {
    explain: async ({ kind, name }: Target) => {
      const tools = { client, clock, watches }
      const ask = (asked: Target['kind'], key: string) =>
        controllers.find((one) => one.kind === asked)?.explain({ tools, key, signal })
      const controlPlane = controlPlaneKeyOf({ kind, name }, namespace, watches)
      // Only this look leads to the nodes of its cluster, which are then waited for.
      if (controlPlane) await ask(ControlPlane, controlPlane)
      await ports.nodes.whenSeen({ clock, withinMs: SEEN_WITHIN_MS, signal })
      return ask(kind, `${namespace}/${name}`)
    },
    [Symbol.asyncDispose]: async () => {
      stop.abort()
      await following
      await ports[Symbol.asyncDispose]()
    },
  }
  try {
    await withDeadline({ clock, deadlineMs: LISTED_WITHIN_MS, signal }, (within) =>
      watches.whenSynced(within),
    )
  } catch (error) {
    await explainer[Symbol.asyncDispose]()
    throw problem({
      what: `${watches.unsynced.join(', ')} cannot be listed`,
      why: messageOf(trouble ?? error),
      remedy: 'use a kubeconfig whose user may list all that the operator looks at',
    })
  }
  return explainer
}

/** As the operator's own, which is not asked to do anything. */
function readingPorts({ writesMeta, err }: ExplainerOptions): Ports & { nodes: AwaitedNodes } {
  const log = createLog({ level: 'error', format: 'text', write: err })
  const machines = new TalosClient({ clock })
  const userAgent = `talos-operator/${packageFile.version}`
  const nodes = new AwaitedNodes({ clock, log, userAgent })
  return {
    ...{ clock, machines, nodes, writesMeta, credentials: new Credentials({ clock }) },
    newBundle: generateBundle,
    provided: {
      results: noResultsFolder,
      tally: { machineGenerated: () => undefined },
      resyncMs: readSettings({ env: {}, flags: {} }).reconcileInterval.ms,
    },
    [Symbol.asyncDispose]: async () => {
      machines.close()
      await nodes.close()
    },
  }
}

/** The control plane whose cluster matters for what is asked. */
function controlPlaneKeyOf({ kind, name }: Target, namespace: string, watches: Watches) {
  const key = `${namespace}/${name}`
  if (kind === ControlPlane) return key
  if (kind !== Machine) return undefined
  const { workerRef, controlPlaneRef } = watches.get(Machine, key)?.spec ?? {}
  const worker = workerRef?.name && watches.get(Worker, `${namespace}/${workerRef.name}`)
  const own = worker ? worker.spec?.controlPlaneRef?.name : controlPlaneRef?.name
  return own ? `${namespace}/${own}` : undefined
}
