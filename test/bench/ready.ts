import type { Cluster } from '#api/cluster.ts'
import type { Machine } from '#api/machine.ts'
import type { FollowedObjects } from './followed-objects.ts'

const WITHIN_MS = 600_000

export const isReady = ({ status }: Cluster | Machine): boolean =>
  status?.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True') === true

/** Resolves when there are so many, and all are ready. */
export const allReady = (
  followed: FollowedObjects<typeof Cluster | typeof Machine>,
  count: number,
): Promise<void> =>
  followed.until(
    `${count} to be ready`,
    (objects) => objects.length === count && objects.every(isReady),
    WITHIN_MS,
  )
