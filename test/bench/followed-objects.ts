import type { ApiKind, ObjectOf } from '#api/meta.ts'
import { systemClock } from '#base/clock.ts'
import type { KubeClient } from '#kube/client.ts'
import { Informer } from '#kube/informer.ts'

/** The objects of a kind as they are now. Disposing of it ends to follow them. */
export interface FollowedObjects<K extends ApiKind> extends AsyncDisposable {
  objects(): ObjectOf<K>[]
  /** Resolves when it is so of all of them together. Rejects with what is missing after a while. */
  until(what: string, isSo: (objects: ObjectOf<K>[]) => boolean, withinMs: number): Promise<void>
  /** Called with every object that is new or another. */
  onSeen(listener: (object: ObjectOf<K>) => void): void
}

/** Follows the objects of a kind. Resolves when all have been seen once. */
export async function followObjects<K extends ApiKind>(
  client: KubeClient,
  kind: K,
): Promise<FollowedObjects<K>> {
  const clock = systemClock
  const stop = new AbortController()
  const informer = new Informer({ client, clock, kind })
  const running = informer.run(stop.signal)
  await informer.whenSynced(stop.signal)
  const objects = () => [...informer.cache.values()]
  return {
    objects,
    onSeen: (listener) => {
      informer.cache.listen((change) => {
        if (change.type !== 'removed') listener(change.object)
      })
    },
    until: (what, isSo, withinMs) =>
      new Promise((resolve, reject) => {
        const look = () => {
          if (!isSo(objects())) return
          leave()
          resolve()
        }
        const leave = () => {
          cancel()
          unlisten()
        }
        const unlisten = informer.cache.listen(look)
        const cancel = clock.after(withinMs, () => {
          leave()
          reject(new Error(`waited in vain for ${what}`))
        })
        look()
      }),
    [Symbol.asyncDispose]: async () => {
      stop.abort()
      await running
    },
  }
}
