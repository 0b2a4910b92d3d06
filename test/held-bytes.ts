import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** How much memory something takes for as long as it is kept, garbage aside. */
export function heldBytes(make: () => unknown): number {
  setFlagsFromString('--expose-gc')
  const collect: () => void = runInNewContext('gc')
  // What one collection finds to be garbage may let go of more, which only the next one finds.
  for (let times = 0; times < 3; times++) collect()
  const before = process.memoryUsage().heapUsed
  const kept = [make()]
  collect()
  const held = process.memoryUsage().heapUsed - before
  // Used after that, so that it is there until then.
  if (kept.length !== 1) throw new Error('nothing was made')
  return held
}
