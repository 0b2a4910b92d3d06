import { ApiFailure } from '#apiserver/failure.ts'
import { paceOf } from '#apiserver/pace.ts'
import { includeIn } from '#apiserver/read/forms.ts'
import { selectionOf } from '#apiserver/read/selection.ts'
import { watchOptionsOf } from '#apiserver/read/watch-options.ts'
import { type Feed, WatchStream } from '#apiserver/read/watch-stream.ts'
import type { Streamed } from './answer.ts'
import type { Call } from './call.ts'
import { PacedSink } from './paced-sink.ts'

/** Changes as they happen. */
export function watch(feed: Feed, call: Call): Streamed {
  const { resource, path, query, form } = call
  if (form.syntax === 'yaml') throw notStreamed()
  const view = {
    resource,
    namespace: path.namespace,
    selection: selectionOf(resource, query),
    as: form.as,
    include: form.as === 'table' ? includeIn(query) : ('Metadata' as const),
    ...(form.as === 'table' && { columns: { told: false } }),
  }
  const options = watchOptionsOf(query)
  return {
    stream: (response) => {
      response.writeHead(200, {
        'cache-control': 'no-cache, private',
        'content-type': 'application/json',
      })
      response.flushHeaders()
      const stream = new WatchStream(feed, view, new PacedSink(response, paceOf(feed.clock)))
      const forget = call.onKindEnd(() => stream.end())
      response.on('close', () => {
        forget()
        stream.stop()
      })
      try {
        stream.start(options)
      } catch (error) {
        if (!(error instanceof ApiFailure)) throw error
        // A watch that cannot start says so in an event.
        response.end(`${JSON.stringify({ type: 'ERROR', object: error.status })}\n`)
      }
    },
  }
}

const notStreamed = (): ApiFailure =>
  new ApiFailure(
    406,
    'only the following media types are accepted: application/json;stream=watch, application/vnd.kubernetes.protobuf;stream=watch',
    { reason: 'NotAcceptable' },
  )
