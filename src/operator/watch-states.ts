import type { ApiKind } from '#api/meta.ts'
import type { Log } from '#base/log.ts'
import type { ReflectorState } from '#kube/reflector.ts'
import { kindId } from '#runtime/kind-id.ts'
import type { Metrics } from '#runtime/metrics.ts'

/** Tells log and metrics what becomes of the watches. */
export const tellWatches =
  (log: Log, metrics: Metrics) =>
  (kind: ApiKind, state: ReflectorState): void => {
    metrics.watchTold(kind, state)
    const fields = { kind: kindId(kind), ...state, state: undefined }
    if (state.state === 'failed') log.warn('watch failed', fields)
    else if (state.state === 'troubled') log.error('object not understood', fields)
    else if (state.state === 'missing') log.info('kind not served', fields)
    else if (state.state === 'listed') log.info('listed', fields)
    else log.debug(`watch ${state.state}`, fields)
  }
