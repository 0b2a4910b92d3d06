import { Event } from '#api/foreign.ts'
import type { ApiKind } from '#api/meta.ts'
import type { World } from './world.ts'

/** What users are told of an object by events: `DryRun: would delete TalosWorker one`. */
export async function toldOf(
  { objects }: World,
  [kind, name]: readonly [ApiKind, string],
): Promise<string[]> {
  const events = await objects.list(Event)
  return events
    .filter(({ regarding }) => regarding.kind === kind.kind && regarding.name === name)
    .map(({ reason, note }) => `${reason}: ${note}`)
}

/** Until users are told so. */
export const untilTold = (
  world: World,
  of: readonly [ApiKind, string],
  what: string,
): Promise<void> =>
  world.until(`${of[1]} to be told of ${what}`, async () =>
    (await toldOf(world, of)).some((one) => one.includes(what)),
  )
