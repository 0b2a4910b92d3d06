import type { Kind, ObjectOf } from '#api/meta.ts'
import { messageOf } from '#base/operator-error.ts'
import { ApiError, isConflict } from '#kube/api-error.ts'
import { judgedBy } from './conditions.ts'
import { decide, isLeaving, isNotForUs } from './decide.ts'
import type { Definition } from './definition.ts'
import type { Pass } from './pass.ts'
import type { Plan } from './plan.ts'
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

  let plan: Plan<Step, K> | 'finished' | undefined
  try {
    const decided = await decide(definition, resource, pass)
    plan = decided.plan
    for (const notice of decided.notices) pass.notice(notice)
    if (plan === 'finished') await pass.release()
    else await carryOut(definition, plan, { resource, world: decided.world, pass })
  } catch (failure) {
    await pass.failed(plan === 'finished' ? undefined : plan, failure)
    throw failure
  }

  if (plan === 'finished') return nothing()
  await report(plan, pass)
  await pass.settle()
  return plan.steps.length > 0 ? { wake: 'again', steps: plan.steps } : nothing(plan.wakeAt)
}

async function carryOut<K extends Kind, World, Step extends { do: string }>(
  definition: Definition<K, World, Step>,
  plan: Plan<Step, K>,
  { resource, world, pass }: Doing<K, World>,
): Promise<void> {
  // Before the first step: what a step makes must not be left behind by a deletion in between.
  const isHeld = !isLeaving(resource) && definition.teardown && plan.needsTeardown !== false
  const held = isHeld ? await pass.hold() : resource
  for (const step of plan.steps) await act(definition, step, { resource: held, world, pass })
}

interface Doing<K extends Kind, World> {
  resource: ObjectOf<K>
  world: World
  pass: Pass<K>
}

async function report<Step, K extends Kind>(plan: Plan<Step, K>, pass: Pass<K>): Promise<void> {
  try {
    await pass.report(plan)
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
): Promise<void> {
  // Which entry belongs to which step the compiler has checked where the controller was defined.
  const acts: Readonly<Record<string, Effect<K, World, Step>>> = definition.act
  const effect = acts[step.do]
  if (!effect) throw new Error(`there is no way to ${step.do}`)
  const told = wordsFor(definition, step)
  try {
    await pass.act(told, step.do, (write) => effect(step, { resource, world, write }))
  } catch (failure) {
    if (!isConflict(failure)) pass.warn(told.failure, failureOf(told, failure))
    throw failure
  }
}

// A method, because the compiler lets a method take less than all steps.
type Effect<K extends Kind, World, Step> = {
  run(step: Step, on: { resource: ObjectOf<K>; world: World; write: Writer }): Promise<unknown>
}['run']
