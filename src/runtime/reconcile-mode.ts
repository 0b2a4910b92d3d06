import { RECONCILE_MODE } from '#api/labels.ts'
import type { KubeObject } from '#api/meta.ts'

/**
 * What may be done for an object. `disable`: nothing at all, deletion work included. `dryrun`: only say
 * what would be done. `import` is `reconcile` as far as the runtime goes; the plan sees it.
 */
type ReconcileMode = 'reconcile' | 'disable' | 'dryrun' | 'import'

const MODES: readonly ReconcileMode[] = ['reconcile', 'disable', 'dryrun', 'import']

/** The mode that an object's annotation asks for. */
export const modeOf = (object: KubeObject): ReconcileMode => wordIn(object) ?? 'reconcile'

/** What the annotation says if it is none of the modes: the published operator then goes on, and so do we. */
export const unknownModeOf = (object: KubeObject): string | undefined => {
  const said = object.metadata.annotations?.[RECONCILE_MODE]
  return said && !wordIn(object) ? said : undefined
}

const wordIn = ({ metadata }: KubeObject): ReconcileMode | undefined => {
  const said = metadata.annotations?.[RECONCILE_MODE]?.trim().toLowerCase()
  return MODES.find((mode) => mode === said)
}
