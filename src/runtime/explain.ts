import type { Kind, KubeObject, ObjectOf } from '#api/meta.ts'
import { judgedBy } from './conditions.ts'
import { decide, isLeaving, isNotForUs } from './decide.ts'
import type { Definition } from './definition.ts'
import { withoutSecrets } from './log-redaction.ts'
import { type LookTools, lookAt } from './look.ts'
import type { Notice, Plan, Verdict } from './plan.ts'
import type { Reach } from './reader.ts'
import { type ReconcileMode, unknownModeNotice } from './reconcile-mode.ts'
import { wordsFor } from './telling.ts'

/** What a pass over a resource would come to now. Holds no secret. */
export interface Explained {
  mode: ReconcileMode
  /** Whose mode that is, if it is not its own: `TalosCluster prod`. */
  modeFrom?: string
  /** Whether the resource is being deleted. */
  isLeaving: boolean
  /** Whether nothing of ours keeps it from going any more. */
  finished: boolean
  /** What would be done next, in order: the step by its name, and in words. */
  steps: { step: string; message: string }[]
  /** What its status would say, by type of condition. None, where it is not even looked at. */
  conditions: Readonly<Record<string, Verdict>>
  notices: Notice[]
  /** When it would be looked at again though nothing changes. */
  wakeAt?: Date
}

interface ExplainOptions {
  tools: LookTools
  mode: ReconcileMode
  modeFrom: string | undefined
  reach: Reach
  signal: AbortSignal
}

/** The look and the plan of a pass, and nothing after that. Rejects if they fail. */
export async function explain<K extends Kind, World, Step extends { do: string }>(
  definition: Definition<K, World, Step>,
  resource: ObjectOf<K>,
  { mode, modeFrom, ...options }: ExplainOptions,
): Promise<Explained> {
  const base = { mode, ...(modeFrom && { modeFrom }), isLeaving: isLeaving(resource) }
  const nothing = { steps: [], conditions: {}, notices: [] }
  if (isNotForUs(definition.kind, resource, mode)) {
    return { ...base, ...nothing, finished: mode !== 'disable' }
  }
  const { plan, notices: stated } = await decide(definition, resource, {
    now: () => options.tools.clock.now(),
    look: (observe) =>
      lookAt(
        {
          ...options,
          namespace: resource.metadata.namespace ?? '',
          deadlineMs: definition.deadlines?.observeMs,
        },
        observe,
      ),
  })
  const notices = noticesOf(resource, stated)
  if (plan === 'finished') return { ...base, ...nothing, notices, finished: true }
  const steps = plan.steps.map((step) =>
    presentable({ step: step.do, message: wordsFor(definition, step).deed }),
  )
  return { ...base, ...toldBy(definition.kind, plan), notices, steps }
}

const toldBy = <Step, K extends Kind>(kind: K, { conditions, wakeAt }: Plan<Step, K>) => ({
  finished: false,
  conditions: judgedBy(kind, conditions),
  ...(wakeAt && { wakeAt }),
})

function noticesOf(resource: KubeObject, stated: readonly Notice[]): Notice[] {
  const unknownMode = unknownModeNotice(resource)
  return [...(unknownMode ? [unknownMode] : []), ...stated].map(presentable)
}

const presentable = <Said extends { message: string }>(said: Said): Said => ({
  ...said,
  message: withoutSecrets(said.message),
})
