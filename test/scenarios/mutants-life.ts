import { Cluster } from '#api/cluster.ts'
import type { ApiKind } from '#api/meta.ts'
import type { Ports } from '#operator/ports.ts'
import type { Controller } from '#runtime/controller.ts'
import { endState } from './end-state.ts'
import { bootstrapsIn, brokenInvariants, resetsIn } from './invariants.ts'
import { QUICK, type Versions } from './manifests.ts'
import { APPLIED } from './objects.ts'
import { conditionOf } from './verdicts.ts'
import { aWorld, type World } from './world.ts'

const STEP_MINUTES = 1 / 12
const LONG_MINUTES = 5
// Machines that are quick are looked at less often until they are what they should be.
const SPEED = 60

/** A life with the fault that a safety rule is there for, and what is left of it as long as the rule holds. */
export interface Life {
  title: string
  machines: number
  /** The numbers of further ones that a provider can make. */
  provided?: readonly number[]
  /** `QUICK` unless told. */
  versions?: Versions
  /** Whether something can be wrong with the API. */
  hasApiFaults?: boolean
  /** Waits for nothing for ever: with a rule less, it may never come. */
  live: (world: World) => Promise<unknown>
  bootstraps: number
  resets: number
  /** How often machines are told to install another Talos. Left out: nobody counts. */
  installs?: number
  /** What the end state says, so that the life is known to have got to where the rule matters. */
  ends: readonly string[]
  mutants: readonly Mutant[]
}

/** An operator that does without a safety rule, or has its opposite. */
export interface Mutant {
  title: string
  controllers: (ports: Ports, world: () => World) => readonly Controller[]
  /** What the harness has to say of it. */
  said: string
}

/** What the harness says after a life: broken invariants, deeds that were too many or too few, and the end state. */
export interface Verdict {
  broken: string[]
  state: string[]
}

/** Lives a life with an operator, the one that is shipped unless told. */
export async function verdictOn(
  subnet: string,
  { machines, provided, versions = QUICK, hasApiFaults = false, live, ...right }: Life,
  mutant?: Mutant,
): Promise<Verdict> {
  const seen: { world?: World } = {}
  const worldSeen = () => {
    if (!seen.world) throw new Error('there is no world yet')
    return seen.world
  }
  await using world = await aWorld({
    ...{ subnet, machines, versions, hasApiFaults, speed: SPEED },
    ...(mutant && { controllers: (ports) => mutant.controllers(ports, worldSeen) }),
  })
  seen.world = world
  if (provided) await world.provider(provided)
  await live(world)
  const broken = [
    ...(await brokenInvariants(world)),
    ...told('bootstraps', bootstrapsIn(world), right.bootstraps),
    ...told('resets', resetsIn(world), right.resets),
    ...told('installs', installsIn(world), right.installs ?? installsIn(world)),
  ]
  return { broken, state: await endState(world) }
}

const installsIn = ({ history }: World): number =>
  history.filter(({ method, outcome }) => /^upgrade\./.test(method) && outcome !== 'never made')
    .length

const told = (what: string, count: number, right: number): string[] =>
  count === right ? [] : [`${count} ${what} instead of ${right}`]

/** How the end differs from the right one, a line each. */
export const differences = (right: readonly string[], state: readonly string[]): string[] => [
  ...right.filter((line) => !state.includes(line)).map((line) => `not in the end: ${line}`),
  ...state.filter((line) => !right.includes(line)).map((line) => `instead: ${line}`),
]

/** Waits until it is so, or for as long as that may take. */
export async function soon(
  world: World,
  isSo: () => boolean | Promise<boolean>,
  minutes = LONG_MINUTES,
): Promise<void> {
  const end = world.clock.monotonicMs() + minutes * 60_000
  while (world.clock.monotonicMs() < end && !(await isSo())) await world.pass(STEP_MINUTES)
}

/** Until an object is Ready, and what was under way then is done. */
export async function settled(
  world: World,
  of: string | readonly [ApiKind, string],
): Promise<void> {
  const object = typeof of === 'string' ? ([Cluster, of] as const) : of
  await soon(world, async () => (await conditionOf(world, object, 'Ready'))?.status === 'True')
  await world.pass(1)
}

/** Until all objects are gone. */
export const gone = (world: World): Promise<void> =>
  soon(world, async () => {
    const left = await Promise.all(APPLIED.map((kind) => world.objects.list(kind)))
    return left.flat().length === 0
  })
