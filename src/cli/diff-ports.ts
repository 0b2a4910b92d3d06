import { Cluster } from '#api/cluster.ts'
import { ControlPlane } from '#api/control-plane.ts'
import { KubernetesCluster } from '#api/kubernetes-cluster.ts'
import { Machine } from '#api/machine.ts'
import type { ApiKind, KubeObject, ObjectOf } from '#api/meta.ts'
import { ProvidedMachine } from '#api/provided-machine.ts'
import { Worker } from '#api/worker.ts'
import type { Clock } from '#base/clock.ts'
import type { Credentials } from '#engine/credentials.ts'
import type { TalosMachines } from '#engine/talos-machines.ts'
import { ApiError } from '#kube/api-error.ts'
import type { KubeClient } from '#kube/client.ts'
import { Discovery } from '#kube/discovery.ts'
import { typeMeta } from '#kube/paths.ts'
import type { SecretsBundle } from '#machineconfig/secrets/bundle.ts'
import { generateBundle } from '#machineconfig/secrets/generate-bundle.ts'
import { type Fetched, fetchAny } from '#runtime/fetch-any.ts'
import type { AnyRef } from '#runtime/fetch-any-object.ts'
import { HeldObjects } from './diff-held.ts'

/** What is asked, and never told to do anything. */
export interface DiffPorts {
  readonly client: KubeClient
  readonly machines: TalosMachines
  readonly credentials: Credentials
  readonly clock: Clock
  /** Whether the operator writes META. */
  readonly isMetaWritten: boolean
  readonly signal: AbortSignal
  /** Secrets for a cluster that has none yet, to try its configurations with. The same ones each time. */
  readonly trialBundle: () => Promise<SecretsBundle>
}

/** Makes them when they are wanted: in the way of an old Talos, which takes no time. */
export function trialBundles(clock: Clock): () => Promise<SecretsBundle> {
  let made: Promise<SecretsBundle> | undefined
  return () => {
    made ??= generateBundle({ talosVersion: 'v1.6.0', now: clock.now() })
    return made
  }
}

const HELD = [Cluster, ControlPlane, Worker, Machine]
// An API need not serve these.
const HELD_IF_SERVED = [KubernetesCluster, ProvidedMachine]

/** All objects of a namespace that machines follow from. */
export async function objectsOf(namespace: string, ports: DiffPorts): Promise<HeldObjects> {
  const lists = [
    ...HELD.map((kind) => listed(kind, namespace, ports)),
    ...HELD_IF_SERVED.map((kind) => listed(kind, namespace, ports).catch(noneIfNotServed)),
  ]
  return new HeldObjects((await Promise.all(lists)).flat())
}

async function listed(
  kind: ApiKind,
  namespace: string,
  { client, signal }: DiffPorts,
): Promise<KubeObject[]> {
  const { items } = await client.list<ApiKind>(kind, { namespace }, { signal })
  return items.map((item) => ({ ...item, ...typeMeta(kind) }))
}

function noneIfNotServed(error: unknown): KubeObject[] {
  if (error instanceof ApiError && error.status === 404) return []
  throw error
}

/** Looks at one namespace, in which some objects are other than the API has them. */
export class NamespaceReader {
  readonly #ports: DiffPorts
  readonly #namespace: string
  readonly #held: HeldObjects
  readonly #kinds: Discovery

  constructor(ports: DiffPorts, namespace: string, held: HeldObjects) {
    this.#ports = ports
    this.#namespace = namespace
    this.#held = held
    this.#kinds = new Discovery(ports)
  }

  async fetch<K extends ApiKind>(kind: K, name: string): Promise<ObjectOf<K> | undefined> {
    const { client, signal } = this.#ports
    const ref = { namespace: this.#namespace, name }
    return this.#held.get(kind, name) ?? client.find(kind, ref, { signal })
  }

  async fetchAny(ref: AnyRef): Promise<Fetched> {
    const { client, signal } = this.#ports
    const held = this.#held.named(ref)
    if (held) return { is: 'found', object: { ...held } }
    return fetchAny(ref, { client, watches: this.#kinds, namespace: this.#namespace, signal })
  }
}
