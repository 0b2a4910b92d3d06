import type { KubernetesCluster } from '#api/kubernetes-cluster.ts'
import { type Amendment, type Failure, no, type Verdict } from '#runtime/plan.ts'
import { isLeaving } from './own.ts'
import type { World } from './world.ts'

// By then the longest pause between two tries is reached.
const MOST_TRIES = 10

interface On {
  resource: KubernetesCluster
  /** Undefined where it could not be looked at. */
  world: World | undefined
  tries: number
}

/** What a failure says of a cluster: each class has its condition, and Ready says it in one of its own words. */
export function whenFailed(
  { code, message }: Failure,
  { resource, world, tries }: On,
): Amendment<typeof KubernetesCluster> {
  if (code === 'FileSystemError') {
    return { conditions: { FilesGenerated: no('GenerationFailed', message) } }
  }
  if (isLeaving(resource)) return { conditions: { Ready: no('Deleting', message) } }
  const files = unwritten(world)
  if (code !== 'MachineCreationError') {
    return { conditions: { Ready: no('MachinesNotReady', message), ...files } }
  }
  const verdict = no('CreationFailed', message)
  const machineCount = world?.machines.length
  return {
    status: {
      ...(machineCount !== undefined && { machineCount }),
      // The plan took those to be there that it was about to make.
      ...(machineCount === 0 && { phase: 'Pending' as const }),
      ...(tries >= MOST_TRIES && { phase: 'Failed' as const }),
    },
    conditions: { MachinesCreated: verdict, Ready: verdict, ...files },
  }
}

/** They come last, so whatever failed has kept them from being written. */
const unwritten = (world: World | undefined): { FilesGenerated?: Verdict } => {
  const { stale = [], trouble } = world?.files ?? {}
  if (stale.length === 0 || trouble) return {}
  const message = `${stale.length} files are not written yet: something else failed before, as Ready says`
  return { FilesGenerated: no('GenerationFailed', message) }
}
