import { DeadlineExceeded, withDeadline } from '#base/deadline.ts'
import { untilAborted } from '#base/share-runs.ts'
import type { Tracing, TracingOptions } from './tracing.ts'

const SHUTDOWN_WITHIN_MS = 3_000

const off: Tracing = {
  span: (_name, _attributes, work) => work(),
  headers: () => ({}),
  shutdown: async () => {},
}

/** Tracing that costs nothing while it is off: OpenTelemetry is loaded when it is on, and only then. */
export async function createTracing(options: TracingOptions): Promise<Tracing> {
  if (!options.enabled) return off
  const { startTracing } = await import('./tracing-opentelemetry.ts')
  const { end, ...tracing } = startTracing(options)
  return { ...tracing, shutdown: () => within(options, end) }
}

async function within({ clock, log }: TracingOptions, end: () => Promise<void>): Promise<void> {
  try {
    await withDeadline({ clock, deadlineMs: SHUTDOWN_WITHIN_MS }, (signal) =>
      untilAborted(end(), signal),
    )
  } catch (error) {
    // Why the collector does not take them was told when it began.
    if (error instanceof DeadlineExceeded) log.warn('traces lost', { error })
  }
}
