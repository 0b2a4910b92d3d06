// What real talosctl and kubectl say of a cluster, in a form that can be compared with what it is to be.

import { parseYamlDocuments } from '#base/yaml.ts'
import type { AShell } from './a-shell.ts'

/** The machines of a cluster, by their addresses. */
export interface Shape {
  readonly controlPlanes: readonly string[]
  readonly workers: readonly string[]
}

export interface SeenCluster {
  /** What each machine is called. */
  readonly hostnames: Readonly<Record<string, string>>
  /** The members of etcd by the names of their machines: `https://10.0.0.1:2380`, with `learner` if it is one. */
  readonly etcd: Readonly<Record<string, string>>
  /** The Talos that each machine answers with. */
  readonly talos: Readonly<Record<string, string>>
  /** Whether Talos on each machine says that it runs, and is ready. */
  readonly stages: Readonly<Record<string, string>>
  /** Whom each machine knows, by name: `controlplane Talos (v1.13.0) 10.0.0.1`. */
  readonly members: Readonly<Record<string, Readonly<Record<string, string>>>>
  /** The image that each machine runs its kubelet from. */
  readonly kubelets: Readonly<Record<string, string>>
  /** The images of the pods that control plane machines run by themselves. */
  readonly pods: Readonly<Record<string, readonly string[]>>
  /** The nodes as their own API server has them: `Ready v1.35.0 Talos (v1.13.0) 10.0.0.1`. */
  readonly nodes: Readonly<Record<string, string>>
  /** What `talosctl health` ended with. */
  readonly health: number
}

/** Looks at a cluster as an administrator would, with the credentials that are exported. */
export async function lookAtCluster(user: AShell, shape: Shape): Promise<SeenCluster> {
  const [first = ''] = shape.controlPlanes
  const all = [...shape.controlPlanes, ...shape.workers]
  const [hostnames, stages, kubelets, members, pods] = await Promise.all([
    resources(user, 'hostname', all),
    resources(user, 'machinestatus', all),
    resources(user, 'kubeletspec', all),
    resources(user, 'members', all),
    resources(user, 'staticpods', shape.controlPlanes),
  ])
  const [etcd, version, nodes, health] = await Promise.all([
    user.types(`talosctl etcd members -n ${first}`),
    user.types(`talosctl version -n ${all.join(',')}`),
    user.types('kubectl --kubeconfig kubeconfig get nodes -o json'),
    user.tries(`talosctl health -n ${first} --wait-timeout 30s`),
  ])
  return {
    hostnames: byNode(hostnames, (spec) => spec.hostname),
    etcd: membersIn(etcd),
    talos: Object.fromEntries(
      [...version.matchAll(/NODE: +(\S+)\n\tTag: +(\S+)/g)].map(([, node, tag]) => [node, tag]),
    ),
    stages: byNode(stages, (spec) => `${spec.stage}${spec.status.ready ? ' ready' : ''}`),
    members: grouped(members, (spec) => [
      spec.hostname,
      `${spec.machineType} ${spec.operatingSystem} ${spec.addresses.join()}`,
    ]),
    kubelets: byNode(kubelets, (spec) => spec.image),
    pods: listed(pods, (spec) => spec.spec.containers[0].image),
    nodes: nodesIn(nodes),
    health: health.exitCode,
  }
}

/** What a cluster looks like in which everything is as it is to be. */
export function asWanted(
  { controlPlanes, workers }: Shape,
  { talos, kubernetes }: { talos: string; kubernetes: string },
  { hostnames }: Pick<SeenCluster, 'hostnames'>,
): SeenCluster {
  const all = [...controlPlanes, ...workers]
  const nameOf = (address: string) => hostnames[address] ?? `${address} has no name`
  const named = (addresses: readonly string[], say: (address: string) => string) =>
    Object.fromEntries(addresses.map((address) => [nameOf(address), say(address)]))
  const each = <Said>(addresses: readonly string[], said: Said) =>
    Object.fromEntries(addresses.map((address) => [address, said]))
  const typeOf = (address: string) => (workers.includes(address) ? 'worker' : 'controlplane')
  return {
    hostnames: Object.fromEntries(all.map((address) => [address, nameOf(address)])),
    etcd: named(controlPlanes, (address) => `https://${address}:2380`),
    talos: each(all, talos),
    stages: each(all, 'running ready'),
    members: each(
      all,
      named(all, (address) => `${typeOf(address)} Talos (${talos}) ${address}`),
    ),
    kubelets: each(all, `ghcr.io/siderolabs/kubelet:${kubernetes}`),
    pods: each(
      controlPlanes,
      PODS.map((pod) => `registry.k8s.io/${pod}:${kubernetes}`),
    ),
    nodes: named(all, (address) => `Ready ${kubernetes} Talos (${talos}) ${address}`),
    health: 0,
  }
}

const PODS = ['kube-apiserver', 'kube-controller-manager', 'kube-scheduler']

/** What is in a resource of Talos, as talosctl prints it: compared, and never believed. */
type Spec = ReturnType<ObjectConstructor>

interface Shown {
  node: string
  spec: Spec
}

async function resources(user: AShell, type: string, nodes: readonly string[]): Promise<Shown[]> {
  const text = await user.types(`talosctl get ${type} -n ${nodes.join(',')} -o yaml`)
  return parseYamlDocuments(text).map((one) => Object(one))
}

/** All that each node shows. */
const perNode = <Said>(shown: readonly Shown[], say: (specs: readonly Spec[]) => Said) =>
  Object.fromEntries(
    [...new Set(shown.map(({ node }) => node))].map((node) => [
      node,
      say(shown.filter((one) => one.node === node).map(({ spec }) => spec)),
    ]),
  )

const byNode = (shown: readonly Shown[], say: (spec: Spec) => string) =>
  perNode(shown, (specs) => specs.map(say).join())

const grouped = (shown: readonly Shown[], say: (spec: Spec) => [string, string]) =>
  perNode(shown, (specs): Record<string, string> => Object.fromEntries(specs.map(say)))

const listed = (shown: readonly Shown[], say: (spec: Spec) => string) =>
  perNode(shown, (specs) => specs.map(say).sort())

const membersIn = (table: string): Record<string, string> =>
  Object.fromEntries(
    [...table.matchAll(/^\S+ +[0-9a-f]{16} +(\S+) +(\S+) +\S+ +(true|false)$/gm)].map(
      ([, name = '', url = '', learner]) => [name, `${url}${learner === 'true' ? ' learner' : ''}`],
    ),
  )

interface ShownNode {
  metadata: { name: string }
  status: {
    conditions: { type: string; status: string }[]
    addresses: { type: string; address: string }[]
    nodeInfo: { kubeletVersion: string; osImage: string }
  }
}

function nodesIn(json: string): Record<string, string> {
  const items: ShownNode[] = JSON.parse(json).items
  return Object.fromEntries(
    items.map(({ metadata, status: { conditions, addresses, nodeInfo } }) => {
      const ready = conditions.find(({ type }) => type === 'Ready')
      const at = addresses.find(({ type }) => type === 'InternalIP')
      const is = ready?.status === 'True' ? 'Ready' : 'NotReady'
      return [metadata.name, `${is} ${nodeInfo.kubeletVersion} ${nodeInfo.osImage} ${at?.address}`]
    }),
  )
}
