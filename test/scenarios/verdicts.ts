import { Cluster } from '#api/cluster.ts'
import { Lease } from '#api/foreign.ts'
import type { ApiKind, KubeObject } from '#api/meta.ts'
import { APPLIED } from './objects.ts'
import type { World } from './world.ts'

interface Condition {
  type: string
  status: string
  reason: string
  message: string
}

/** Where objects are looked at, and how it is waited for them. */
type Watched = Pick<World, 'objects' | 'until'>

/** A condition of an object; undefined while it has none of that name. */
export async function conditionOf(
  { objects }: Pick<Watched, 'objects'>,
  [kind, name]: readonly [ApiKind, string],
  type: string,
): Promise<Condition | undefined> {
  const found: KubeObject | undefined = await objects.find(kind, name)
  const conditions: Condition[] = Object(found).status?.conditions ?? []
  return conditions.find((one) => one.type === type)
}

export const untilReady = (world: World, name: string): Promise<void> =>
  world.until(
    `${name} to be Ready`,
    async () => (await conditionOf(world, [Cluster, name], 'Ready'))?.status === 'True',
  )

/** Until a condition is so, which is then the answer. */
export async function untilSays(
  world: Watched,
  of: readonly [ApiKind, string],
  wanted: { type: string; reason: string },
): Promise<string> {
  let message = ''
  await world.until(`${of[1]} to say ${wanted.reason}`, async () => {
    const condition = await conditionOf(world, of, wanted.type)
    message = condition?.message ?? ''
    return condition?.reason === wanted.reason
  })
  return message
}

export const untilGone = (world: World): Promise<void> =>
  world.until('all objects to be gone', async () => {
    const left = await Promise.all(APPLIED.map((kind) => world.objects.list(kind)))
    return left.flat().length === 0
  })

/** What the operator wrote since then, but for the Lease by which it works. */
export const writesSince = ({ boundary }: World, since: number) =>
  boundary.history
    .slice(since)
    .filter((call) => !(call.to === 'kubernetes' && call.kind === Lease.plural))

/** One sample of the operator's metrics, by its name and labels; 0 while there is none. */
export async function sampleOf(world: World, of: string): Promise<number> {
  const lines = (await world.metrics()).split('\n')
  const found = lines.find((line) => line.startsWith(`${of} `))
  return Number(found?.slice(of.length) ?? 0)
}
