import { context, propagation, SpanStatusCode, trace } from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import {
  AlwaysOnSampler,
  BatchSpanProcessor,
  NodeTracerProvider,
  ParentBasedSampler,
  type SpanExporter,
} from '@opentelemetry/sdk-trace-node'
import { messageOf } from '#base/operator-error.ts'
import { failureCode } from './failure-code.ts'
import { presentableText } from './log-fields.ts'
import type { Tracing, TracingOptions } from './tracing.ts'

/** Tracing that is on, and how it ends. Only `createTracing` has a reason to load this file. */
export function startTracing(
  options: TracingOptions,
): Omit<Tracing, 'shutdown'> & { end: () => Promise<void> } {
  const { serviceName, version } = options
  const provider = new NodeTracerProvider({
    resource: resourceOf({ 'service.name': serviceName, 'service.version': version }),
    sampler: new ParentBasedSampler({ root: new AlwaysOnSampler() }),
    spanLimits: { attributeValueLengthLimit: 1_024, attributeCountLimit: 32 },
    spanProcessors: [new BatchSpanProcessor(exporterOf(options), BATCHES)],
  })
  // With the context that follows asynchronous calls, and W3C headers.
  provider.register()
  const tracer = provider.getTracer(serviceName, version)
  return {
    span: (name, attributes, work) =>
      tracer.startActiveSpan(name, { attributes }, async (span) => {
        try {
          return await work()
        } catch (error) {
          span.setAttribute('error.type', failureCode(error))
          span.setStatus({
            code: SpanStatusCode.ERROR,
            message: presentableText(messageOf(error)),
          })
          throw error
        } finally {
          span.end()
        }
      }),
    headers: () => {
      const headers: Record<string, string> = {}
      propagation.inject(context.active(), headers)
      return headers
    },
    end: async () => {
      trace.disable()
      context.disable()
      propagation.disable()
      await provider.shutdown()
    },
  }
}

// What does not fit while the collector is away is dropped: traces are not worth more memory.
const BATCHES = {
  maxQueueSize: 2_048,
  maxExportBatchSize: 512,
  scheduledDelayMillis: 5_000,
  exportTimeoutMillis: 5_000,
}

/** Sends spans to the collector, and tells once when that stops working, and once when it works again. */
function exporterOf({ endpoint, headers, log }: TracingOptions): SpanExporter {
  const url = `${endpoint.includes('://') ? endpoint : `http://${endpoint}`}/v1/traces`
  const exporter = new OTLPTraceExporter({
    url,
    timeoutMillis: BATCHES.exportTimeoutMillis,
    ...(headers && { headers: { ...headers.open() } }),
  })
  let isFailing = false
  const told = (error: Error | undefined) => {
    if (error && !isFailing) log.warn('traces not sent', { collector: url, error })
    if (!error && isFailing) log.info('traces sent again', { collector: url })
    isFailing = error !== undefined
  }
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        told(result.error)
        done(result)
      }),
    shutdown: () => exporter.shutdown(),
    forceFlush: () => exporter.forceFlush(),
  }
}

type Resource = NonNullable<
  NonNullable<ConstructorParameters<typeof NodeTracerProvider>[0]>['resource']
>

/** What all spans have in common. The library that makes these would be a dependency more. */
function resourceOf(attributes: Record<string, string>): Resource {
  return {
    attributes,
    merge: (other) => resourceOf({ ...attributes, ...Object(other?.attributes) }),
    getRawAttributes: () => Object.entries(attributes),
  }
}
