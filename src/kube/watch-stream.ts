import type { KubeObject } from '#api/meta.ts'
import { ApiError } from './api-error.ts'
import { parseObject } from './http-json.ts'
import { withoutManagedFields } from './managed-fields.ts'
import type { Response } from './transport.ts'

// An event holds one object, which a server stores only up to 1.5 MB by default.
const LONGEST_LINE_BYTES = 64 * 1024 * 1024
const NEWLINE = 0x0a

export type WatchEvent<Object extends KubeObject = KubeObject> =
  | { type: 'ADDED' | 'MODIFIED' | 'DELETED'; object: Object }
  /** Nothing happened up to this version. */
  | { type: 'BOOKMARK'; object: KubeObject }

type Line<Object extends KubeObject> =
  | WatchEvent<Object>
  | { type: 'ERROR'; object?: { code?: number; reason?: string; message?: string } }

/**
 * The events of a watch, as many at a time as arrived together. Ends when the server ends it; throws
 * an ApiError for an ERROR event and for what is no event. Half a line at the end is dropped: the
 * watch is resumed from the event before it.
 */
export async function* readWatch<Object extends KubeObject>(
  response: Response,
): AsyncGenerator<WatchEvent<Object>[]> {
  let rest: Buffer[] = []
  let restBytes = 0
  for await (const data of response.body) {
    const chunk: Buffer = data
    const end = chunk.lastIndexOf(NEWLINE)
    if (end === -1) {
      rest.push(chunk)
      restBytes += chunk.length
      if (restBytes > LONGEST_LINE_BYTES) throw garbled('a line that does not end')
      continue
    }
    const lines = withoutManagedFields(Buffer.concat([...rest, chunk.subarray(0, end)])).toString(
      'utf8',
    )
    rest = end + 1 < chunk.length ? [chunk.subarray(end + 1)] : []
    restBytes = chunk.length - end - 1
    const { events, error } = eventsIn<Object>(lines.split('\n').filter(Boolean))
    if (events.length > 0) yield events
    if (error) throw error
  }
}

/** The events up to the first line that is none: what came before it counts. */
function eventsIn<Object extends KubeObject>(
  lines: string[],
): { events: WatchEvent<Object>[]; error?: unknown } {
  const events: WatchEvent<Object>[] = []
  try {
    for (const line of lines) events.push(toEvent<Object>(line))
    return { events }
  } catch (error) {
    return { events, error }
  }
}

function toEvent<Object extends KubeObject>(text: string): WatchEvent<Object> {
  const line = parseObject<Line<Object> | null>(text)
  switch (line?.type) {
    case 'ADDED':
    case 'MODIFIED':
    case 'DELETED':
    case 'BOOKMARK':
      if (!line.object?.metadata?.resourceVersion) throw garbled('an event without an object')
      return line
    case 'ERROR':
      throw new ApiError(`the API server ended the watch: ${line.object?.message ?? 'no reason'}`, {
        status: line.object?.code ?? 0,
        reason: line.object?.reason ?? 'Unknown',
      })
    default:
      throw garbled('something that is no event')
  }
}

const garbled = (what: string): ApiError =>
  new ApiError(`the API server sent ${what} on a watch`, { status: 0, reason: 'Garbled' })
