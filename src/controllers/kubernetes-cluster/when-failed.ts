import type { KubernetesCluster } from '#api/kubernetes-cluster.ts'
import { type Amendment, type Failure, no, type Verdict } from '#runtime/plan.ts'
import { waitingFor } from './machine-rules.ts'
import { isLeaving } from './own.ts'
import type { World } from './world.ts'

// By then the longest pause between two tries is reached.
const MOST_TRIES = 10

interface On {
  resource: KubernetesCluster
  /** Undefined where it could not be looked at. */
  world: World | undefined
  /** The Machines that were made before it failed. */
  made: readonly string[]
  tries: number
}

/** What a failure says of a cluster: each class has its condition, and Ready says it in one of its own words. */
export function whenFailed(
  { code, message }: Failure,
  { resource, world, made, tries }: On,
): Amendment<typeof KubernetesCluster> {
  if (code === 'FileSystemError') {
    return { conditions: { FilesGenerated: no('GenerationFailed', message) } }
  }
  if (isLeaving(resource)) return { conditions: { Ready: no('Deleting', message) } }
  const status = {
    ...(world && counted(world.machines.length + made.length)),
    ...(code === 'MachineCreationError' && tries >= MOST_TRIES && { phase: 'Failed' as const }),
  }
  const conditions = { ...verdictsFor({ code, message }, unmade(world, made)), ...unwritten(world) }
  return { ...(world && { status }), conditions }
}

/** What is there. The plan took those to be there, too, that it was about to make. */
const counted = (machineCount: number) => ({
  machineCount,
  ...(machineCount === 0 && { phase: 'Pending' as const }),
})

function verdictsFor({ code, message }: Failure, MachinesCreated: Verdict | undefined) {
  const verdict = no('CreationFailed', message)
  switch (code) {
    case 'MachineCreationError':
      return { MachinesCreated: verdict, Ready: verdict }
    case 'OwnerReferenceError':
      return { MachinesCreated: verdict, Ready: no('OwnerReferenceFailed', message) }
    default:
      return {
        ...(MachinesCreated && { MachinesCreated }),
        Ready: no('MachinesNotReady', message),
      }
  }
}

/** Where the plan has nothing to say against it, it takes all that are missing to be made by then. */
function unmade(world: World | undefined, made: readonly string[]): Verdict | undefined {
  if (!world || world.taken.length > 0 || waitingFor(world) !== undefined) return undefined
  const missing = world.free.filter((name) => !made.includes(name)).length
  if (missing === 0) return undefined
  return no(
    'CreationFailed',
    `${missing} Machines are not made yet: something else failed before, as Ready says`,
  )
}

/** They come last, so whatever failed has kept them from being written. */
const unwritten = (world: World | undefined): { FilesGenerated?: Verdict } => {
  const { stale = [], trouble } = world?.files ?? {}
  if (stale.length === 0 || trouble) return {}
  const message = `${stale.length} files are not written yet: something else failed before, as Ready says`
  return { FilesGenerated: no('GenerationFailed', message) }
}
