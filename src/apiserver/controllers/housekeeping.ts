import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Housekeeper, Seen, World } from './world.ts'

const BETWEEN_TURNS = 200

/**
 * Runs the API's own controllers: each is shown what is there, bit by bit, and every change from now on.
 * Returns a way to stop them.
 */
export function keepHouse({ store, log }: World, housekeepers: readonly Housekeeper[]): () => void {
  let isStopped = false
  const show = (seen: Seen) => {
    for (const one of housekeepers) {
      try {
        one.see(seen)
      } catch (error) {
        // The others see it, and this one sees what comes next.
        log.error('housekeeping failed', { key: seen.key, error: String(error) })
      }
    }
  }
  const unsubscribe = store.onChanges((changes) => {
    for (const change of changes) show(change)
  })
  const showAll = async () => {
    for (const [index, { key }] of store.list('').entries()) {
      // It may have changed, or gone, since this began: what counts is what is there now.
      const now = store.get(key)
      if (now) show({ type: 'put', previous: undefined, ...now })
      if (index % BETWEEN_TURNS === BETWEEN_TURNS - 1) await nextTurn()
      if (isStopped) return
    }
  }
  void showAll().catch((error: unknown) =>
    log.error('housekeeping failed', { error: String(error) }),
  )
  return () => {
    isStopped = true
    unsubscribe()
    for (const one of housekeepers) one.stop()
  }
}
