import type { MachineInside } from '#simulator/machine/inside.ts'
import type { ShownResource } from '#simulator/resources/machine-resources.ts'
import type { MachineResource } from '#simulator/resources/resource-store.ts'
import { blockResources } from './block-resources.ts'
import { clusterResources } from './cluster-resources.ts'
import { configResources } from './config-resources.ts'
import { etcdResources } from './etcd-resources.ts'
import { hardwareResources } from './hardware-resources.ts'
import { kubernetesResources } from './kubernetes-resources.ts'
import { type MachineView, viewOf } from './machine-view.ts'
import { networkResources } from './network-resources.ts'
import { type Unmet, unmetConditions } from './readiness.ts'
import { runtimeResources } from './runtime-resources.ts'
import { serviceResources } from './service-resources.ts'

/** A part of what a machine shows, and what of the machine it follows from: only then it is looked at again. */
interface Area {
  readonly resources: (view: MachineView) => readonly ShownResource[]
  readonly inputs: (view: MachineView) => readonly unknown[]
}

const AREAS: readonly Area[] = [
  { resources: hardwareResources, inputs: ({ hardware }) => [hardware] },
  {
    resources: blockResources,
    inputs: ({ disks, systemDisk, hasBootDisk }) => [disks.length, systemDisk, hasBootDisk],
  },
  {
    resources: networkResources,
    inputs: ({ hostname, isNetworkReady, facts }) => [hostname, isNetworkReady, facts],
  },
  {
    resources: configResources,
    inputs: (view) => [view.activeText, view.persistentText, view.isInMaintenance],
  },
  {
    resources: clusterResources,
    inputs: ({ facts, affiliates }) => [facts, ...affiliates],
  },
  {
    resources: etcdResources,
    inputs: ({ facts, hostname, etcdMemberId, isTimeSynced, hasBootDisk }) => [
      ...[facts, hostname, etcdMemberId, isTimeSynced, hasBootDisk],
    ],
  },
  {
    resources: runtimeResources,
    inputs: ({ facts, stage, isInMaintenance, systemDisk, hasBootDisk, ...view }) => [
      ...[facts, isInMaintenance, systemDisk, hasBootDisk, view.isRestartDue],
      ...(facts?.install.isUnattended ? [stage] : []),
      ...view.metaValues.flat(),
    ],
  },
  {
    resources: serviceResources,
    inputs: ({ services, isTimeSynced }) => [
      isTimeSynced,
      ...services.flatMap(({ phase, health }) => [phase, health]),
    ],
  },
  {
    resources: kubernetesResources,
    inputs: ({ facts, hostname, hasBootDisk, isNetworkReady, ...view }) => [
      ...[facts, hostname, hasBootDisk, isNetworkReady, view.hasStaticPods, view.isApiUp],
      ...[view.node, ...view.staticPods, ...view.apiServers],
    ],
  },
]

interface Published {
  inputs: readonly unknown[]
  /** As the store has them, so that they are there only once. */
  resources: readonly MachineResource[]
}

/** Keeps what a machine shows of itself in step with what it is. */
export class Publisher {
  readonly #inside: MachineInside
  #bootId = ''
  #areas = new Map<Area, Published>()
  #status = ''

  constructor(inside: MachineInside) {
    this.#inside = inside
  }

  publish(): void {
    const { boot } = this.#inside
    if (!boot) return
    if (boot.id !== this.#bootId) this.#begin(boot.id)
    const view = viewOf(this.#inside, boot)
    for (const area of AREAS) this.#publishArea(area, view)
    this.#publishStatus(view)
  }

  #begin(bootId: string): void {
    this.#bootId = bootId
    this.#areas = new Map()
    this.#status = ''
  }

  #publishArea(area: Area, view: MachineView): void {
    const before = this.#areas.get(area)
    const inputs = area.inputs(view)
    if (before && isSame(before.inputs, inputs)) return
    const store = this.#inside.resources
    const resources = area.resources(view).map((resource) => store.put(resource))
    const kept = new Set(resources.map(placeOf))
    for (const old of before?.resources ?? []) {
      if (!kept.has(placeOf(old))) store.destroy(old.namespace, old.type, old.id)
    }
    this.#areas.set(area, { inputs, resources })
  }

  #publishStatus(view: MachineView): void {
    const unmet = unmetConditions(view)
    const isReady = unmet.length === 0
    const spec = { stage: view.stage, status: { ready: isReady, unmetConditions: unmet } }
    const type = 'MachineStatuses.runtime.talos.dev'
    this.#inside.isReady = isReady
    this.#inside.resources.put({ namespace: 'runtime', type, id: 'machine', spec })
    const status = JSON.stringify(spec)
    if (status === this.#status) return
    this.#status = status
    this.#tell(view, unmet)
  }

  #tell({ stage }: MachineView, unmet: readonly Unmet[]): void {
    const isReady = unmet.length === 0
    this.#inside.tell({ type: 'MachineStatusEvent', stage, isReady, unmet })
  }
}

const isSame = (one: readonly unknown[], other: readonly unknown[]): boolean =>
  one.length === other.length && one.every((value, index) => value === other[index])

const placeOf = ({ namespace, type, id }: MachineResource): string => `${namespace}/${type}/${id}`
