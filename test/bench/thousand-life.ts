import { systemClock } from '#base/clock.ts'
import { type Edits, editEach, labelOne } from './edits.ts'
import type { Management } from './management.ts'
import { type CameUp, comeUp, type ManyClusters, manyClusters } from './many-clusters.ts'
import { startOperator } from './operator-process.ts'

export const EDITED = 100
const EDIT_EVERY_MS = 1_000

/** What became of very many small clusters. */
export interface ThousandLife extends CameUp {
  edits: Edits
  restart: Restart
}

interface Restart {
  /** From the start of its process to the first 200 on /readyz. */
  readySeconds: number
  /** From the start of its process until a machine is told what was edited at that moment. */
  servedSeconds: number
}

/** All clusters are applied at once and come up; they rest, some are edited, and the operator starts anew. */
export async function thousandLife(
  count: number,
  startApi: () => Promise<Management>,
): Promise<ThousandLife> {
  await using many = await manyClusters(count, startApi)
  return { ...(await firstLife(many)), restart: await restarted(many) }
}

async function firstLife(many: ManyClusters): Promise<Omit<ThousandLife, 'restart'>> {
  const { management, fleet, clusters } = many
  await using operator = await startOperator(management.kubeconfig)
  const cameUp = await comeUp(operator, many)
  const { client } = management
  const edits = await editEach(spread(clusters, EDITED), { client, fleet }, EDIT_EVERY_MS)
  return { ...cameUp, edits }
}

/** So many of them, from the first to the last. */
const spread = <Item>(items: readonly Item[], count: number): Item[] =>
  items.filter((_, at) => at % Math.ceil(items.length / count) === 0)

/** Another operator is started, and at that moment somebody edits the last cluster. */
async function restarted({ management, fleet, clusters }: ManyClusters): Promise<Restart> {
  const { client, kubeconfig } = management
  const [last] = clusters.slice(-1)
  if (!last) throw new Error('there is no cluster')
  await fleet.ask('listen', { addresses: last.addresses, call: 'ApplyConfiguration' })
  const startedAtMs = systemClock.now().getTime()
  const starting = startOperator(kubeconfig)
  await labelOne(client, last, 'again')
  await using operator = await starting
  const servedSeconds = ((await fleet.ask('heardAtMs', undefined)) - startedAtMs) / 1e3
  return { readySeconds: operator.readySeconds, servedSeconds }
}
