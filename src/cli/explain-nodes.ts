import type { Clock } from '#base/clock.ts'
import { onAbort } from '#base/on-abort.ts'
import { ClusterNodes, type NodesAccess } from '#engine/cluster-nodes.ts'

/** The nodes of clusters, and whether all has been seen that there is to be seen of those that are followed. */
export class AwaitedNodes extends ClusterNodes {
  readonly #followed = new Set<string>()

  override follow(cluster: string, access: NodesAccess): void {
    this.#followed.add(cluster)
    super.follow(cluster, access)
  }

  /** Resolves when every cluster has answered, or failed to; at the latest when the time is over. */
  whenSeen({ clock, withinMs, signal }: { clock: Clock; withinMs: number; signal: AbortSignal }) {
    return new Promise<void>((resolve) => {
      const end = () => {
        cancel()
        unlink()
        leave()
        resolve()
      }
      const look = () => {
        const isSeen = (cluster: string) => this.seen(cluster).api.is !== 'connecting'
        if ([...this.#followed].every(isSeen)) end()
      }
      const cancel = clock.after(withinMs, end)
      const leave = this.onChange(look)
      const unlink = onAbort(signal, end)
      look()
    })
  }
}
