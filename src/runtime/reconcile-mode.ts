import { RECONCILE_MODE } from '#api/labels.ts'
import type { KubeObject } from '#api/meta.ts'
import type { Notice } from './plan.ts'

/**
 * What may be done for an object. `disable`: nothing at all, deletion work included. `dryrun`: only say
 * what would be done. `import` is `reconcile` as far as the runtime goes; the plan sees it.
 */
export type ReconcileMode = 'reconcile' | 'disable' | 'dryrun' | 'import'

const MODES: readonly ReconcileMode[] = ['reconcile', 'disable', 'dryrun', 'import']

/** Those that forbid something, the strictest first. */
const RESTRAINTS: readonly ReconcileMode[] = ['disable', 'dryrun']

/** The mode that an object's annotation asks for. */
export const modeOf = (object: KubeObject): ReconcileMode => wordIn(object) ?? 'reconcile'

/** The mode of an object for which those of others hold too: what any of them forbids is forbidden. */
export function modeAmong(
  object: KubeObject,
  others: readonly (KubeObject | undefined)[],
): ReconcileMode {
  const all = [object, ...others].map((one) => one && modeOf(one))
  return RESTRAINTS.find((mode) => all.includes(mode)) ?? modeOf(object)
}

/** Whether the object's mode forbids anything. */
export const isRestrained = (object: KubeObject): boolean => RESTRAINTS.includes(modeOf(object))

/** What an object is told of whose mode holds up somebody else, in words after its name. Undefined: it does not. */
export const restraintIn = (object: KubeObject): string | undefined =>
  isRestrained(object)
    ? `has the reconcile-mode ${modeOf(object)}: remove that annotation to go on`
    : undefined

/** Whose mode it is that holds for an object, if it is not its own: `TalosCluster prod`. */
export function holderAmong(
  object: KubeObject,
  others: readonly (KubeObject | undefined)[],
): string | undefined {
  const mode = modeAmong(object, others)
  if (modeOf(object) === mode) return undefined
  const holder = others.find((one) => one && modeOf(one) === mode)
  return holder && `${holder.kind} ${holder.metadata.name}`
}

/** What the annotation says if it is none of the modes: the published operator then goes on, and so do we. */
export const unknownModeOf = (object: KubeObject): string | undefined => {
  const said = object.metadata.annotations?.[RECONCILE_MODE]
  return said && !wordIn(object) ? said : undefined
}

/** What users are told of such an annotation. */
export function unknownModeNotice(object: KubeObject): Notice | undefined {
  const said = unknownModeOf(object)
  if (said === undefined) return undefined
  const message = `reconcile-mode "${said}" is none of reconcile, disable, dryrun, import: going on as with reconcile`
  return { type: 'Warning', reason: 'UnknownReconcileMode', message }
}

const wordIn = ({ metadata }: KubeObject): ReconcileMode | undefined => {
  const said = metadata.annotations?.[RECONCILE_MODE]?.trim().toLowerCase()
  return MODES.find((mode) => mode === said)
}
