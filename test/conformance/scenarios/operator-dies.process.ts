import {
  CHANGE,
  CLUSTER,
  type Fate,
  IMPORT,
  KUBERNETES,
  type Lived,
  lived,
  POOL,
  SCALE,
} from '#test/scenarios/operator-dies.cases.ts'
import { SHAPE } from '#test/scenarios/operator-dies-shape.ts'
import { WHOLE } from '#test/scenarios/operator-dies-whole.ts'
import { doJobs } from './side-by-side.ts'

/** Which life, with what in it. */
export interface Job {
  life: keyof typeof LIVES
  fate: Fate
}

const LIVES = {
  cluster: CLUSTER,
  pool: POOL,
  scale: SCALE,
  change: CHANGE,
  kubernetes: KUBERNETES,
  import: IMPORT,
  shape: SHAPE,
  whole: WHOLE,
}

export type Answer = { lived: Lived } | { broken: string }

/** Names of machines have it in them, and are the same in every process: nobody listens there. */
const SUBNET = '127.80.21'

// By IPC, from the suite beside it.
doJobs(async (job): Promise<Answer> => {
  const { life, fate }: Job = Object(job)
  try {
    const fates = fate.map((one) => one ?? undefined)
    return { lived: await lived(SUBNET, LIVES[life], fates) }
  } catch (error) {
    return { broken: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
})
