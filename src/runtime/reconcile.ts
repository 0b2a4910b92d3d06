import type { Kind, ObjectOf } from '#api/meta.ts'
import { messageOf } from '#base/operator-error.ts'
import { ApiError, isConflict } from '#kube/api-error.ts'
import type { Definition, Told } from './definition.ts'
import { hasFinalizer } from './finalizer.ts'
import type { Pass } from './pass.ts'
import type { Plan } from './plan.ts'
import type { Wake } from './queue-run.ts'
import { modeOf, unknownModeOf } from './reconcile-mode.ts'
import { toldOf } from './telling.ts'
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
  const mode = modeOf(resource)
  const isLeaving = resource.metadata.deletionTimestamp !== undefined
  if (mode === 'disable' || (isLeaving && !hasFinalizer(definition.kind, resource))) {
    return nothing()
  }
  warnOfUnknownMode(resource, pass)
  if (mode === 'dryrun') return pretend(definition, resource, pass)

  let plan: Plan<Step, K> | 'finished' | undefined
  try {
    plan = await planFor(definition, resource, pass)
    if (plan !== 'finished') await carryOut(definition, plan, { resource, pass })
    else await pass.release()
  } catch (failure) {
    await pass.failed(plan === 'finished' ? undefined : plan, failure)
    throw failure
  }

  if (plan === 'finished') return nothing()
  await report(plan, pass)
  await pass.settle()
  return plan.steps.length > 0 ? { wake: 'again', steps: plan.steps } : nothing(plan.wakeAt)
}

async function planFor<K extends Kind, World, Step extends { do: string }>(
  { observe, plan, teardown }: Definition<K, World, Step>,
  resource: ObjectOf<K>,
  pass: Pass<K>,
): Promise<Plan<Step, K> | 'finished'> {
  const world = await pass.look((read) => observe(resource, read))
  if (resource.metadata.deletionTimestamp === undefined) return plan(resource, world, pass.now())
  return teardown?.(resource, world, pass.now()) ?? 'finished'
}

async function carryOut<K extends Kind, World, Step extends { do: string }>(
  definition: Definition<K, World, Step>,
  plan: Plan<Step, K>,
  { resource, pass }: { resource: ObjectOf<K>; pass: Pass<K> },
): Promise<void> {
  for (const notice of plan.notices ?? []) pass.notice(notice)
  const isLeaving = resource.metadata.deletionTimestamp !== undefined
  // Before the first step: what a step makes must not be left behind by a deletion in between.
  if (!isLeaving && definition.teardown && plan.needsTeardown !== false) await pass.hold()
  for (const step of plan.steps) await act(definition, step, { resource, pass })
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

function warnOfUnknownMode<K extends Kind>(resource: ObjectOf<K>, pass: Pass<K>): void {
  const unknownMode = unknownModeOf(resource)
  if (unknownMode === undefined) return
  const message = `reconcile-mode "${unknownMode}" is none of reconcile, disable, dryrun, import: going on as with reconcile`
  pass.notice({ type: 'Warning', reason: 'UnknownReconcileMode', message })
}

/** Only says what would be done, and what is in the way of it. */
async function pretend<K extends Kind, World, Step extends { do: string }>(
  definition: Definition<K, World, Step>,
  resource: ObjectOf<K>,
  pass: Pass<K>,
): Promise<Outcome> {
  const plan = await planFor(definition, resource, pass).catch((failure: unknown) => {
    pass.warn('DryRunFailed', messageOf(failure))
    throw failure
  })
  if (plan === 'finished') {
    pass.pretend({ reason: 'Release', message: 'let the object go' })
    return nothing()
  }
  for (const notice of plan.notices ?? []) pass.notice(notice)
  for (const step of plan.steps) pass.pretend(wordsFor(definition, step))
  return nothing(plan.wakeAt)
}

async function act<K extends Kind, World, Step extends { do: string }>(
  definition: Definition<K, World, Step>,
  step: Step,
  { resource, pass }: { resource: ObjectOf<K>; pass: Pass<K> },
): Promise<void> {
  // Which entry belongs to which step the compiler has checked where the controller was defined.
  const acts: Readonly<Record<string, Effect<K, Step>>> = definition.act
  const effect = acts[step.do]
  if (!effect) throw new Error(`there is no way to ${step.do}`)
  const told = wordsFor(definition, step)
  try {
    await pass.act(told, step.do, (write) => effect(step, resource, write))
  } catch (failure) {
    if (!isConflict(failure)) {
      pass.warn(`${told.reason}Failed`, `could not ${told.message}: ${messageOf(failure)}`)
    }
    throw failure
  }
}

function wordsFor<K extends Kind, World, Step extends { do: string }>(
  definition: Definition<K, World, Step>,
  step: Step,
): Told {
  const tell: Readonly<Record<string, Words<Step> | undefined>> = definition.tell ?? {}
  return tell[step.do]?.(step) ?? toldOf(step)
}

// Methods, because the compiler lets a method take less than all steps.
type Effect<K extends Kind, Step> = {
  run(step: Step, resource: ObjectOf<K>, write: Writer): Promise<unknown>
}['run']

type Words<Step> = { of(step: Step): Told }['of']
