import { Cluster } from '#api/cluster.ts'
import { ControlPlane } from '#api/control-plane.ts'
import { KubernetesCluster } from '#api/kubernetes-cluster.ts'
import { Machine } from '#api/machine.ts'
import { ProvidedMachine } from '#api/provided-machine.ts'
import { Worker } from '#api/worker.ts'
import type { DemoAddresses, DemoSize } from './demo-addresses.ts'
import { demoCluster } from './demo-cluster.ts'
import { demoKubernetesCluster } from './demo-kubernetes-cluster.ts'

/** A kind whose objects can be shown. */
export type ShownKind =
  | typeof Cluster
  | typeof KubernetesCluster
  | typeof ProvidedMachine
  | typeof ControlPlane
  | typeof Worker
  | typeof Machine

/** What a demo makes, and what is to be seen of it. */
export interface DemoSubject {
  readonly kind: typeof Cluster | typeof KubernetesCluster
  /** In this order. */
  readonly shown: readonly ShownKind[]
  /** Whether a provider makes the machines, when they are asked for. */
  readonly isOrdered: boolean
  manifest(places: DemoAddresses, size: DemoSize): DemoManifest
}

export interface DemoManifest {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: { readonly name: string; readonly namespace: string }
  readonly spec: object
}

/** A cluster on machines that are there. */
const onMachines: DemoSubject = {
  kind: Cluster,
  shown: [Cluster, ControlPlane, Worker, Machine],
  isOrdered: false,
  manifest: demoCluster,
}

/** A cluster by its shape, whose machines are made for it. */
const byShape: DemoSubject = {
  kind: KubernetesCluster,
  shown: [KubernetesCluster, ProvidedMachine, ControlPlane, Worker, Machine],
  isOrdered: true,
  manifest: demoKubernetesCluster,
}

/** What the demo is about. */
export const subjectOf = ({ kubernetesCluster = false }): DemoSubject =>
  kubernetesCluster ? byShape : onMachines

/** How kubectl is asked for what is shown: `tc,tcp,tw,tm`. */
export const shortNamesOf = ({ shown }: DemoSubject): string =>
  shown.map(({ shortNames: [short], plural }) => short ?? plural).join(',')
