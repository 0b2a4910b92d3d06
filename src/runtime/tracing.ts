import type { Clock } from '#base/clock.ts'
import type { Log } from '#base/log.ts'
import type { Secret } from '#base/secret.ts'

/** What a span is about. Shown to whoever reads traces: holds no secret. */
type SpanAttributes = Readonly<Record<string, string | number | boolean>>

/** Tells how long what took, and what was part of what, to an OpenTelemetry collector. */
export interface Tracing {
  /** Does the work as a span, which is a part of the span that it is called in. Returns as the work does. */
  span<Result>(
    name: string,
    attributes: SpanAttributes,
    work: () => Promise<Result>,
  ): Promise<Result>
  /** The headers by which whoever is called goes on with the current trace (W3C trace context). */
  headers(): Record<string, string>
  /** Sends what is left, within a deadline. Never rejects. */
  shutdown(): Promise<void>
}

export interface TracingOptions {
  enabled: boolean
  /** The collector: `localhost:4318`, or a URL. `/v1/traces` is appended. */
  endpoint: string
  /** What the collector wants to be sent along, a token for instance. */
  headers?: Secret<Readonly<Record<string, string>>>
  /** How we call ourselves in traces: `talos-operator`. */
  serviceName: string
  version: string
  clock: Clock
  log: Log
}
