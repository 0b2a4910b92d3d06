import { setImmediate as nextTurn } from 'node:timers/promises'
import { type Clock, systemClock } from '#base/clock.ts'
import type { Log } from '#base/log.ts'
import type { SecretsBundle } from '#machineconfig/secrets/bundle.ts'
import { generateBundle } from '#machineconfig/secrets/generate-bundle.ts'
import type {
  ClusterFacts,
  ComponentFacts,
  ControlPlaneComponent,
  ControlPlaneFacts,
  NodeFacts,
} from './cluster-kubernetes.ts'
import { type SimulatedKubernetes, simulatedKubernetes } from './simulated-kubernetes.ts'
import type { KubernetesTiming } from './timing.ts'

let made: Promise<SecretsBundle> | undefined

/** The secrets of a cluster of today, made once: a key of RSA takes seconds. */
export function someSecrets(): Promise<SecretsBundle> {
  made ??= generateBundle({ talosVersion: 'v1.6', now: systemClock.now() })
  return made
}

export const factsOf = (
  secrets: SecretsBundle,
  more: Partial<ClusterFacts> = {},
): ClusterFacts => ({
  name: 'prod',
  endpoint: 'https://127.0.0.1:6443',
  secrets,
  dnsDomain: 'cluster.local',
  podSubnets: ['10.244.0.0/16'],
  serviceSubnets: ['10.96.0.0/12'],
  cni: 'flannel',
  hasKubeProxy: true,
  hasCoreDns: true,
  ...more,
})

export const aNode = (name: string, more: Partial<NodeFacts> = {}): NodeFacts => ({
  name,
  address: `10.0.0.${1 + (name.codePointAt(name.length - 1) ?? 0)}`,
  uuid: '11111111-2222-3333-4444-555555555555',
  bootId: `boot-of-${name}`,
  type: 'worker',
  kubeletVersion: 'v1.35.0',
  talosVersion: 'v1.13.0',
  labels: {},
  annotations: {},
  taints: [],
  cpus: 4,
  memoryMiB: 4096,
  isRegistered: true,
  ...more,
})

const CONTROL_PLANE = 'node-role.kubernetes.io/control-plane'

/** A node that only takes what belongs to the control plane. */
export const aControlPlaneNode = (name: string, more: Partial<NodeFacts> = {}): NodeFacts =>
  aNode(name, {
    type: 'controlplane',
    taints: [{ key: CONTROL_PLANE, value: '', effect: 'NoSchedule' }],
    ...more,
  })

export const aComponent = (
  name: ControlPlaneComponent,
  more: Partial<ComponentFacts> = {},
): ComponentFacts => ({
  image: `registry.k8s.io/${name}:v1.35.0`,
  configVersion: '1',
  state: 'running',
  ...more,
})

export const aControlPlane = (
  nodeName: string,
  more: Partial<ControlPlaneFacts> = {},
): ControlPlaneFacts => ({
  address: '127.0.0.1',
  nodeName,
  furtherAddresses: [],
  certSans: [],
  components: {
    'kube-apiserver': aComponent('kube-apiserver'),
    'kube-controller-manager': aComponent('kube-controller-manager'),
    'kube-scheduler': aComponent('kube-scheduler'),
  },
  addOnImages: {
    proxy: 'registry.k8s.io/kube-proxy:v1.35.0',
    coreDns: 'registry.k8s.io/coredns/coredns:v1.14.2',
    flannel: 'ghcr.io/siderolabs/flannel:v0.28.4',
  },
  ...more,
})

interface AKubernetesOptions {
  clock?: Clock
  wallClock?: Clock
  facts?: Partial<ClusterFacts>
  timing?: Partial<KubernetesTiming>
}

/** A Kubernetes with no machines. Disposing of it fails if it logged an error. */
export async function aKubernetes(
  options: AKubernetesOptions = {},
): Promise<{ kubernetes: SimulatedKubernetes } & AsyncDisposable> {
  const errors: unknown[] = []
  const kubernetes = simulatedKubernetes(factsOf(await someSecrets(), options.facts), {
    clock: options.clock ?? systemClock,
    log: logOf(errors),
    port: 0,
    ...(options.wallClock && { wallClock: options.wallClock }),
    ...(options.timing && { timing: options.timing }),
  })
  return {
    kubernetes,
    [Symbol.asyncDispose]: async () => {
      await kubernetes[Symbol.asyncDispose]()
      if (errors.length > 0) throw new Error(`errors were logged: ${JSON.stringify(errors)}`)
    },
  }
}

function logOf(errors: unknown[]): Log {
  const log: Log = {
    error: (message, fields) => void errors.push({ message, ...fields }),
    warn: (message, fields) => {
      // A pod may be made before the account of its namespace is.
      if (!/service account/.test(String(fields?.error))) errors.push({ message, ...fields })
    },
    info: () => undefined,
    debug: () => undefined,
    with: () => log,
  }
  return log
}

const QUIET_TURNS = 30

/** Resolves when nothing happens any more without time passing: as many turns with no change as no chain of causes is long. */
export async function settled(kubernetes: SimulatedKubernetes): Promise<void> {
  let revision = -1
  for (let quiet = 0; quiet < QUIET_TURNS; quiet++) {
    await nextTurn()
    const { revision: now } = await kubernetes.snapshot()
    if (now !== revision) quiet = 0
    revision = now
  }
}
