import type { Kind, ObjectOf } from '#api/meta.ts'
import { messageOf } from '#base/operator-error.ts'
import { ApiError, isConflict } from '#kube/api-error.ts'
import { judgedBy } from './conditions.ts'
import { decide, isLeaving, isNotForUs } from './decide.ts'
import type { Definition } from './definition.ts'
import { failureCode, failureWords } from './failure-code.ts'
import type { Pass } from './pass.ts'
import type { Amendment, Plan } from './plan.ts'
import type { Wake } from './queue-run.ts'
import { unknownModeNotice } from './reconcile-mode.ts'
import { failureOf, wordsFor } from './telling.ts'
import type { Writer } from './writer.ts'

/** What a pass came to. */
export interface Outcome {
  /** `again`: something was done, and the caches have seen it. */
  wake: Wake
  /** What was done. */
  steps: readonly object[]
}

const nothing = (wake?: Date): Outcome => ({ wake, steps: [] })

/**
 * One pass over one resource: look, decide, do, say. Whatever it throws is shown in the resource's status
 * and tried again, except that a Conflict is nobody's fault and shown nowhere.
 */
export async function reconcile<K extends Kind, World, Step extends { do: string }>(
  definition: Definition<K, World, Step>,
  resource: ObjectOf<K>,
  pass: Pass<K>,
): Promise<Outcome> {
  if (isNotForUs(definition.kind, resource, pass.mode)) return nothing()
  const unknownMode = unknownModeNotice(resource)
  if (unknownMode) pass.notice(unknownMode)
  if (pass.mode === 'dryrun') return pretend(definition, resource, pass)

  const { plan, amendment } = await carriedOut(definition, resource, pass)
  if (plan === 'finished') return nothing()
  await report(plan, pass, amendment)
  await pass.settle()
  if (plan.failure) pass.found(plan.failure)
  return plan.steps.length > 0 ? { wake: 'again', steps: plan.steps } : nothing(plan.wakeAt)
}

/** What was decided, and is done by now. What fails is shown in the status. */
async function carriedOut<K extends Kind, World, Step extends { do: string }>(
  definition: Definition<K, World, Step>,
  resource: ObjectOf<K>,
  pass: Pass<K>,
): Promise<{ plan: Plan<Step, K> | 'finished'; amendment?: Amendment<K> | undefined }> {
  let decided: { plan: Plan<Step, K> | 'finished'; world: World } | undefined
  try {
    const { plan, world, notices } = await decide(definition, resource, pass)
    decided = { plan, world }
    for (const notice of notices) pass.notice(notice)
    if (plan !== 'finished') {
      return { plan, amendment: await carryOut(definition, plan, { resource, world, pass }) }
    }
    await pass.release()
    return { plan }
  } catch (failure) {
    const { plan = 'finished', world } = decided ?? {}
    const amendment = amend(definition, failure, { resource, world })
    await pass.failed(plan === 'finished' ? undefined : plan, failure, amendment)
    throw failure
  }
}

const amend = <K extends Kind, World, Step extends { do: string }>(
  { whenFailed }: Definition<K, World, Step>,
  failure: unknown,
  on: { resource: ObjectOf<K>; world: World | undefined },
) => whenFailed?.({ code: failureCode(failure), message: failureWords(failure) }, on)

/** Does the steps. Resolves with what those that failed aside change in what the plan says. */
async function carryOut<K extends Kind, World, Step extends { do: string }>(
  definition: Definition<K, World, Step>,
  plan: Plan<Step, K>,
  { resource, world, pass }: Doing<K, World>,
): Promise<Amendment<K> | undefined> {
  // Before the first step: what a step makes must not be left behind by a deletion in between.
  const isHeld = !isLeaving(resource) && definition.teardown && plan.needsTeardown !== false
  const held = isHeld ? await pass.hold() : resource
  let amendment: Amendment<K> | undefined
  for (const step of plan.steps) {
    const aside = await act(definition, step, { resource: held, world, pass })
    amendment = aside
      ? { ...amendment, ...amend(definition, aside.failure, { resource, world }) }
      : amendment
  }
  return amendment
}

interface Doing<K extends Kind, World> {
  resource: ObjectOf<K>
  world: World
  pass: Pass<K>
}

async function report<Step, K extends Kind>(
  plan: Plan<Step, K>,
  pass: Pass<K>,
  amendment: Amendment<K> | undefined,
): Promise<void> {
  try {
    await pass.report(plan, undefined, amendment)
  } catch (failure) {
    // What the server does not take it never will: let it at least say that.
    const isRefused = failure instanceof ApiError && failure.reason === 'Invalid'
    if (isRefused) await pass.failed(undefined, failure)
    throw failure
  }
}

/** Only says what would be done, and what is in the way of it. */
async function pretend<K extends Kind, World, Step extends { do: string }>(
  definition: Definition<K, World, Step>,
  resource: ObjectOf<K>,
  pass: Pass<K>,
): Promise<Outcome> {
  const { plan, notices } = await decide(definition, resource, pass).catch((failure: unknown) => {
    pass.warn('DryRunFailed', messageOf(failure))
    throw failure
  })
  if (plan === 'finished') {
    pass.pretend('would let the object go')
    return nothing()
  }
  // Once, whatever it is: in this mode no status says that it was told.
  for (const notice of notices) pass.notice({ ...notice, hasHappened: false })
  for (const step of plan.steps) pass.pretend(`would ${wordsFor(definition, step).deed}`)
  // Nobody sees it otherwise: what a plan says of conditions is not written either.
  const { Ready: ready } = judgedBy(definition.kind, plan.conditions)
  if (plan.steps.length === 0 && ready && ready.ok !== true) {
    pass.pretend(`would do nothing now: ${ready.message} (${ready.reason})`)
  }
  return nothing(plan.wakeAt)
}

async function act<K extends Kind, World, Step extends { do: string }>(
  definition: Definition<K, World, Step>,
  step: Step,
  { resource, world, pass }: Doing<K, World>,
): Promise<{ failure: unknown } | undefined> {
  // Which entry belongs to which step the compiler has checked where the controller was defined.
  const acts: Readonly<Record<string, Effect<K, World, Step>>> = definition.act
  const effect = acts[step.do]
  if (!effect) throw new Error(`there is no way to ${step.do}`)
  const told = wordsFor(definition, step)
  try {
    await pass.act(told, step.do, (write) => effect(step, { resource, world, write }))
    return undefined
  } catch (failure) {
    if (!isConflict(failure)) pass.warn(told.failure, failureOf(told, failure))
    else if (told.conflict !== undefined) pass.overtaken(step.do, told.conflict)
    if (!isAside(definition, step, failure)) throw failure
    pass.aside(step.do, failure)
    return { failure }
  }
}

/** Who does not lead any more does not go on, whatever it was at. */
const isAside = <K extends Kind, World, Step extends { do: string }>(
  { asides = [] }: Definition<K, World, Step>,
  step: Step,
  failure: unknown,
): boolean =>
  asides.some((one) => one === step.do) &&
  !isConflict(failure) &&
  failureCode(failure) !== 'LeadershipLost'

// A method, because the compiler lets a method take less than all steps.
type Effect<K extends Kind, World, Step> = {
  run(step: Step, on: { resource: ObjectOf<K>; world: World; write: Writer }): Promise<unknown>
}['run']
