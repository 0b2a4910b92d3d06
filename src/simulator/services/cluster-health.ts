import { durationMs } from '@bufbuild/protobuf/wkt'
import { sleep } from '#base/clock.ts'
import type { Machine } from '#simulator/machine/machine.ts'
import { Refusal } from '#simulator/refusal.ts'
import { ClusterService, type HealthCheckRequest } from '#talos/generated/cluster/cluster_pb.ts'
import type { Call } from './call.ts'
import { controlPlaneOnly } from './control-plane-only.ts'
import { served } from './served-method.ts'
import { fieldOf } from './system-disk.ts'

const LOOK_EVERY_MS = 5_000

interface Check {
  readonly what: string
  /** What is amiss; nothing if all is well. */
  readonly amiss: (machines: readonly Machine[]) => string | undefined
}

/** Whether a cluster is healthy, as one of its control planes finds. */
export const clusterHealth = served(ClusterService, {
  healthCheck: async function* (request, call) {
    controlPlaneOnly(call.machine, 'cluster health check')
    const machines = chosen(request, [call.machine, ...call.peers()])
    yield {
      message: `discovered nodes: [${machines.map(({ address }) => `"${address}"`).join(' ')}]`,
    }
    const { clock } = call
    const deadline =
      clock.monotonicMs() + (request.waitTimeout ? durationMs(request.waitTimeout) : 0)
    for (const check of CHECKS) yield* passed(check, machines, { call, deadline })
  },
})

function chosen({ clusterInfo }: HealthCheckRequest, all: readonly Machine[]): readonly Machine[] {
  const named = [...(clusterInfo?.controlPlaneNodes ?? []), ...(clusterInfo?.workerNodes ?? [])]
  return named.length === 0 ? all : all.filter(({ address }) => named.includes(address))
}

async function* passed(
  { what, amiss }: Check,
  machines: readonly Machine[],
  { call, deadline }: { call: Call; deadline: number },
) {
  yield { message: `waiting for ${what}: ...` }
  let last: string | undefined
  for (;;) {
    const found = amiss(machines)
    if (found === undefined) {
      yield { message: `waiting for ${what}: OK` }
      return
    }
    if (found !== last) yield { message: `waiting for ${what}: ${found}` }
    last = found
    if (call.clock.monotonicMs() >= deadline) {
      throw new Refusal('Unknown', `healthcheck error: 1 error occurred:\n\t* ${found}\n\n`)
    }
    await sleep(call.clock, LOOK_EVERY_MS, call.signal)
  }
}

const CHECKS: readonly Check[] = [
  { what: 'etcd to be healthy', amiss: (all) => unhealthy(all.filter(isControlPlane), 'etcd') },
  { what: 'etcd members to be consistent across nodes', amiss: inconsistent },
  { what: 'apid to be ready', amiss: (all) => unhealthy(all, 'apid') },
  { what: 'kubelet to be healthy', amiss: (all) => unhealthy(all, 'kubelet') },
  { what: 'all nodes to finish boot sequence', amiss: unfinished },
  { what: 'all k8s nodes to report ready', amiss: notReady },
]

const isControlPlane = ({ type }: Machine): boolean => type === 'controlplane'

function unhealthy(machines: readonly Machine[], id: string): string | undefined {
  for (const { address, services } of machines) {
    const service = services.find((one) => one.id === id)
    if (service?.phase === 'Running' && service.health.isHealthy) continue
    return `1 error occurred:\n\t* ${address}: service "${id}" not in expected state "Running": current state [${service?.phase ?? 'missing'}] ${service?.health.message ?? ''}\n\n`
  }
  return undefined
}

function inconsistent(machines: readonly Machine[]): string | undefined {
  const lists = machines.filter(isControlPlane).map(({ etcd }) =>
    (etcd?.members() ?? [])
      .map(({ id, name, isLearner }) => `${id}/${name}/${isLearner}`)
      .sort()
      .join(),
  )
  return new Set(lists).size > 1 ? 'etcd members are not the same on all nodes' : undefined
}

function unfinished(machines: readonly Machine[]): string | undefined {
  const busy = machines.find(({ resources }) => stageOf(resources) !== 'running')
  return busy && `nodes ["${busy.address}"] are still in stage ${stageOf(busy.resources)}`
}

const stageOf = (resources: Machine['resources']): unknown =>
  fieldOf(resources.get('runtime', 'MachineStatuses.runtime.talos.dev', 'machine')?.spec, 'stage')

function notReady(machines: readonly Machine[]): string | undefined {
  const found = machines.find(({ resources }) =>
    resources
      .list('k8s', 'NodeStatuses.kubernetes.talos.dev')
      .every(({ spec }) => fieldOf(spec, 'nodeReady') !== true),
  )
  return found && `some nodes are not ready: [${found.hostname}]`
}
