import type { Clock } from '#base/clock.ts'
import { withDeadline } from '#base/deadline.ts'
import { untilAborted } from '#base/share-runs.ts'
import type { KubeClient } from '#kube/client.ts'
import { DeclaredReader, type Reach, type Reader } from './reader.ts'
import type { Watches } from './watches.ts'

const USUAL_MS = 30_000

/** What it takes to look, and not to do anything. */
export interface LookTools {
  client: KubeClient
  clock: Clock
  watches: Watches
}

interface LookOptions {
  tools: LookTools
  reach: Reach
  /** Of the resource. */
  namespace: string
  /** 30 s if left out. */
  deadlineMs: number | undefined
  signal: AbortSignal
}

/** Looks at the world, within the time that a look may take. */
export function lookAt<World>(
  { tools, reach, namespace, deadlineMs = USUAL_MS, signal }: LookOptions,
  observe: (read: Reader) => World | Promise<World>,
): Promise<World> {
  const { client, clock, watches } = tools
  return withDeadline({ clock, deadlineMs, signal }, (within) => {
    const reader = new DeclaredReader({ client, watches, reach, namespace, signal: within })
    return inTime(within, async () => observe(reader))
  })
}

/** Work that may not care about its signal: when time is up it is left to itself, and cannot write. */
export const inTime = <Result>(within: AbortSignal, work: () => Promise<Result>): Promise<Result> =>
  untilAborted(work(), within)
