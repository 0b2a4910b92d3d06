import type { KubernetesCluster } from '#api/kubernetes-cluster.ts'
import { type Amendment, type Failure, no } from '#runtime/plan.ts'
import type { World } from './world.ts'

// By then the longest pause between two tries is reached.
const MOST_TRIES = 10

/** What a failure says of a cluster: each class has its condition. */
export function whenFailed(
  { code, message }: Failure,
  { world, tries }: { world: World; tries: number },
): Amendment<typeof KubernetesCluster> {
  if (code === 'FileSystemError') {
    return { conditions: { FilesGenerated: no('GenerationFailed', message) } }
  }
  if (code !== 'MachineCreationError') return {}
  const verdict = no('CreationFailed', message)
  return {
    status: {
      machineCount: world.machines.length,
      ...(tries >= MOST_TRIES && { phase: 'Failed' as const }),
    },
    conditions: { MachinesCreated: verdict, Ready: verdict },
  }
}
