import { createHash } from 'node:crypto'
import type { Machine } from '#simulator/machine/machine.ts'
import { Refusal } from '#simulator/refusal.ts'
import type { Answers } from '#simulator/services/served-method.ts'
import { ContainerDriver } from '#talos/generated/common/common_pb.ts'
import type { MachineService } from '#talos/generated/machine/machine_pb.ts'

interface Container {
  readonly namespace: string
  readonly id: string
  readonly image: string
  readonly pid: number
  readonly status: string
  readonly podId: string
  readonly name: string
}

/** What runs in containers on a machine: its own services, and its static pods. */
export const containers: Answers<typeof MachineService> = {
  containers: ({ namespace, driver }, { machine }) => ({
    messages: [{ containers: [...found(machine, namespace, driver)] }],
  }),
  stats: ({ namespace, driver }, { machine }) => ({
    messages: [
      {
        stats: found(machine, namespace, driver).map(({ id, podId, name, pid, ...container }) => ({
          ...{ namespace: container.namespace, id, podId, name },
          memoryUsage: BigInt(20_000_000 + (pid % 97) * 1_000_000),
          cpuUsage: BigInt(uptimeMs(machine) * (1_000 + (pid % 13) * 500)),
        })),
      },
    ],
  }),
  restart: ({ namespace, driver, id }, { machine }) => {
    if (!found(machine, namespace, driver).some((container) => container.id === id)) {
      throw new Refusal('Unknown', `container ${JSON.stringify(id)} not found`)
    }
    return { messages: [{}] }
  },
}

function found(machine: Machine, namespace: string, driver: ContainerDriver): readonly Container[] {
  if (namespace === '') throw new Refusal('InvalidArgument', "namespace can't be empty")
  if (driver === ContainerDriver.CRI && namespace !== 'k8s.io') {
    throw new Refusal('Unknown', 'CRI inspector is supported only for K8s namespace')
  }
  return namespace === 'k8s.io' ? podContainers(machine) : serviceContainers(machine)
}

// These run in containers; the others are parts of machined itself.
const CONTAINED: ReadonlySet<string> = new Set(['apid', 'trustd', 'etcd', 'kubelet'])

const serviceContainers = (machine: Machine): readonly Container[] =>
  machine.services
    .filter(({ id, phase }) => phase === 'Running' && (CONTAINED.has(id) || id.startsWith('ext-')))
    .map(({ id }) => ({
      namespace: 'system',
      ...{ id, name: id, podId: '', image: id, status: 'RUNNING', pid: pidOf(machine, id) },
    }))

/** The containers of a machine's static pods, as the kubelet names them. */
export const podContainers = (machine: Machine): readonly Container[] =>
  machine.resources.list('k8s', 'StaticPodStatuses.kubernetes.talos.dev').flatMap(({ id: pod }) => {
    const name = (pod.split('/')[1] ?? pod).replace(`-${machine.hostname}`, '')
    const digest = createHash('sha256').update(`${machine.bootId}${pod}`).digest('hex')
    const shared = { namespace: 'k8s.io', podId: pod, pid: pidOf(machine, pod) }
    return [
      {
        ...shared,
        id: pod,
        name: pod,
        image: 'registry.k8s.io/pause:3.10',
        status: 'SANDBOX_READY',
      },
      {
        ...shared,
        id: `${pod}:${name}:${digest.slice(0, 12)}`,
        name,
        image: `registry.k8s.io/${name}`,
        status: 'CONTAINER_RUNNING',
      },
    ]
  })

/** The same for as long as the machine runs. */
export function pidOf(machine: Machine, name: string): number {
  const digest = createHash('sha256').update(`${machine.bootId}/${name}`).digest()
  return 1000 + (digest.readUInt16BE(0) % 30_000)
}

/** Since the first thing that happened after the boot. */
export function uptimeMs(machine: Machine): number {
  const { kept } = machine.events
  const [first, last] = [kept[0]?.atMs ?? 0, kept.at(-1)?.atMs ?? 0]
  return last - first
}
