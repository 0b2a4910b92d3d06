import { MACHINE_UUID } from '#api/labels.ts'
import { Machine } from '#api/machine.ts'
import type { Cached, Index } from '#kube/cache.ts'
import type { CacheReader } from '#runtime/reader.ts'
import type { Seen } from './world.ts'

/** What machine objects are found by: which machine they have, and whether that answered when it was last looked at. */
export const foundBy: Readonly<Record<'uuid' | 'answers', Index<Machine>>> = {
  uuid: ({ metadata }) => {
    const uuid = metadata.annotations?.[MACHINE_UUID]
    return uuid === undefined ? [] : [uuid]
  },
  answers: ({ status }) => {
    const reachable = status?.conditions?.find(({ type }) => type === 'Reachable')
    return [reachable?.status === 'False' ? 'no' : 'yes']
  },
}

/** All objects that have the machine of this UUID, wherever they are. */
export const claimantsOf = (read: CacheReader, uuid: string): Cached<Machine>[] =>
  read.find(Machine, 'uuid', uuid)

/** How many machines there are that answer, or that do not, as the one that is seen. */
export const alikeTo = (seen: Seen, read: CacheReader): number =>
  read.count(Machine, 'answers', seen.is === 'silent' || seen.is === 'stranger' ? 'no' : 'yes')
