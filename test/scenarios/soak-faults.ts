import type { KubeObject } from '#api/meta.ts'
import { NEXT } from './boundary.ts'
import { REFUSALS } from './faults-of-api.ts'
import { OURS } from './objects.ts'
import { machineDies, wrongMachine } from './soak-faults-machines.ts'
import type { FaultName, PlannedFault } from './soak-schedule.ts'
import type { World } from './world.ts'

/** Whatever a user may write at an object that means nothing to us. */
export const USERS_NOTE = 'example.com/note'

export type End = () => void
/** Makes it so. What is answered ends it. */
type Begin = (world: World, fault: PlannedFault) => End | Promise<void>

// These strike when something is installed, fetched or begun, and wait for that.
const WAITING: readonly FaultName[] = [
  'machine falls back',
  'machine dies',
  'registry refuses',
  'static pods fail',
]
const TIMES_LONGER = 10
const LISTED_AGAIN_MS = 15_000
// How old lists are that are late, and not of another time.
const LATE_MS = 30_000

const CALLS = ['ApplyConfiguration', 'Bootstrap', 'Reset', 'Version', 'List', 'Get'] as const

/** What is over as soon as it is done. */
const atOnce =
  (act: (world: World, fault: PlannedFault) => void): Begin =>
  async (world, fault) =>
    act(world, fault)

const begins: Readonly<Record<FaultName, Begin>> = {
  'killed before': atOnce((world) => world.killBefore(NEXT)),
  'killed after': atOnce((world) => world.killAfter(NEXT)),
  'reply lost': atOnce((world) => world.loseReplyOf(NEXT)),
  'operator killed': atOnce((world) => world.killNow()),
  'operator restarted': (world) => world.restartOperator(),
  'events held': ({ apiFaults }) => apiFaults.holdEvents(),
  'event dropped': ({ apiFaults }) => apiFaults.dropEvents(),
  'watches cut': atOnce(({ apiFaults }) => apiFaults.cutWatches()),
  'watches expired': atOnce(({ apiFaults }) => apiFaults.expireWatches()),
  'old lists': ({ apiFaults, clock }, { choice }) => {
    // Somebody has to list, now and once more before long.
    apiFaults.expireWatches()
    const end = apiFaults.serveOldLists(choice < 0.5 ? { oldestMs: LATE_MS } : {})
    const cancel = clock.after(LISTED_AGAIN_MS, () => apiFaults.expireWatches())
    return () => {
      cancel()
      end()
    }
  },
  'writes refused': atOnce(({ apiFaults }, { choice, forSeconds }) =>
    apiFaults.refuse(oneOf(REFUSALS, choice), 1 + (forSeconds % 4)),
  ),
  'machine unreachable': (world, { machine, choice }) =>
    world.fault('unreachable', machine, `how=${choice < 0.5 ? 'silent' : 'refused'}`),
  'machine slow': (world, { machine, choice }) =>
    world.fault('slow', machine, `by=${1 + Math.floor(choice * 100)}s`),
  'machine restarts': (world, { machine }) => {
    const restarting = world.fleet.machine(world.address(machine))
    restarting?.powerOff()
    return () => restarting?.powerOn()
  },
  'machine loses replies': (world, { machine, choice, forSeconds }) => {
    const [call, times] = [oneOf(CALLS, choice), 1 + (forSeconds % 3)]
    return world.fault('loses-reply', machine, `call=${call}`, `times=${times}`)
  },
  'machine refuses': (world, { machine }) => world.fault('rejects-config', machine),
  'machine falls back': (world, { machine }) => world.fault('falls-back', machine),
  'registry refuses': (world, { machine }) => world.fault('registry-refuses', machine),
  'etcd down': (world, { machine }) => world.fault('etcd-down', machine),
  'static pods fail': (world, { machine }) => world.fault('static-pod-fails', machine),
  'machine dies': machineDies,
  'wrong machine': wrongMachine,
  'status wiped': (world) => toEach(world, (kind, name) => world.objects.wipeStatus(kind, name)),
  'user edits': (world, { choice }) =>
    toEach(world, (kind, name) =>
      world.objects.patch(kind, name, {
        metadata: { annotations: { [USERS_NOTE]: `${choice}` }, labels: { [USERS_NOTE]: 'yes' } },
      }),
    ),
}

/** What went wrong so far, and what still does. */
export class Trouble {
  /** In words, in the order in which it came. */
  readonly told: string[] = []
  readonly #world: World
  readonly #ends = new Set<End>()
  readonly #underWay: Promise<void>[] = []

  constructor(world: World) {
    this.#world = world
  }

  begin(fault: PlannedFault): void {
    const world = this.#world
    this.told.push(`${wordsForFault(fault)}, at call ${world.boundary.count} and ${timeIn(world)}`)
    const begun = begins[fault.is](world, fault)
    if (begun instanceof Promise) this.#underWay.push(begun)
    else this.#endLater(begun, fault.forSeconds * (WAITING.includes(fault.is) ? TIMES_LONGER : 1))
  }

  /** From now on nothing goes wrong. */
  async end(): Promise<void> {
    for (const end of [...this.#ends]) end()
    this.#world.boundary.forgetPending()
    this.#world.apiFaults.calm()
    await Promise.all(this.#underWay)
    this.told.push(`nothing any more from ${timeIn(this.#world)} on`)
  }

  #endLater(ending: End, seconds: number): void {
    const end = () => {
      if (this.#ends.delete(end)) ending()
    }
    this.#ends.add(end)
    this.#world.clock.after(seconds * 1_000, end)
  }
}

const wordsForFault = ({ is, machine, forSeconds, choice }: PlannedFault): string =>
  `${is} (machine ${machine}, ${forSeconds} s, ${choice.toFixed(3)})`

const timeIn = ({ clock }: World): string => `${(clock.monotonicMs() / 1_000).toFixed(1)} s`

const oneOf = <Items extends readonly unknown[]>(items: Items, choice: number): Items[number] =>
  items[Math.floor(choice * items.length)]

/** To every object of ours that is still there by then. */
async function toEach(
  { objects }: World,
  change: (kind: (typeof OURS)[number], name: string) => Promise<void>,
): Promise<void> {
  for (const kind of OURS) {
    const listed: KubeObject[] = await objects.list(kind)
    for (const { metadata } of listed) {
      await change(kind, metadata.name).catch((error: unknown) => {
        if (!String(error).includes(': 404 ')) throw error
      })
    }
  }
}
