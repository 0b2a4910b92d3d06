import { Node } from '#api/foreign.ts'
import type { ObjectOf } from '#api/meta.ts'
import type { KubeClient } from '#kube/client.ts'
import { type DrainMark, drainAnnotation, drainMarkIn } from './drain-mark.ts'

const DEADLINE_MS = 15_000

/** A node, and for whom it is drained: the uid of a TalosMachine. */
interface Drained {
  name: string
  uid: string
  by: string
}

type Client = Pick<KubeClient, 'find' | 'patch'>
type NodeObject = ObjectOf<typeof Node>

/**
 * Cordons a node, and marks it in the same write: for whom and since when it is drained, and whether the cordon is ours.
 * Said again it does nothing. Resolves to the node as it is then; undefined where it is gone, or another one by now.
 */
export async function cordon(
  client: Client,
  { by, now, ...node }: Drained & { now: Date },
  signal: AbortSignal,
): Promise<NodeObject | undefined> {
  const live = await read(client, node, signal)
  if (!live) return undefined
  const mark = drainMarkIn(live.metadata)
  const isCordoned = live.spec?.unschedulable === true
  const isBegun = mark?.by === by && mark.stopped === undefined
  if (isBegun && isCordoned) return live
  const next: DrainMark = {
    by,
    since: isBegun ? mark.since : now.toISOString(),
    // One that was made for a machine which is gone is ours as well.
    cordoned: !isCordoned || mark?.cordoned === true,
  }
  return write(client, live, { mark: next, unschedulable: true, signal })
}

/**
 * Takes a mark off a node, and the cordon if that is ours; with `stopped` it stays written down that the drain was given up.
 * A node that has no mark of this drain is left as it is.
 */
export async function uncordon(
  client: Client,
  { by, stopped, ...node }: Drained & { stopped?: Date },
  signal: AbortSignal,
): Promise<NodeObject | undefined> {
  const live = await read(client, node, signal)
  const mark = live && drainMarkIn(live.metadata)
  if (!mark || mark.by !== by || (stopped && mark.stopped !== undefined)) return live
  const { since, cordoned } = mark
  const next = stopped && { by, since, cordoned: false, stopped: stopped.toISOString() }
  return write(client, live, { mark: next, ...(cordoned && { unschedulable: null }), signal })
}

async function read(
  client: Client,
  { name, uid }: Pick<Drained, 'name' | 'uid'>,
  signal: AbortSignal,
): Promise<NodeObject | undefined> {
  const live = await client.find(Node, { name }, { signal, deadlineMs: DEADLINE_MS })
  return live?.metadata.uid === uid ? live : undefined
}

/** On the version that was read alone: somebody may have cordoned it meanwhile. */
const write = (
  client: Client,
  { metadata: { name, resourceVersion } }: NodeObject,
  { mark, signal, ...spec }: Change,
): Promise<NodeObject> =>
  client.patch(
    Node,
    { name },
    {
      ...{ type: 'merge', signal, deadlineMs: DEADLINE_MS },
      body: { metadata: { resourceVersion, annotations: drainAnnotation(mark) }, spec },
    },
  )

interface Change {
  mark: DrainMark | undefined
  unschedulable?: true | null
  signal: AbortSignal
}
