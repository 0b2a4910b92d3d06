import type { IncomingHttpHeaders } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import type { Call, RawHttp, Reply, Stream } from './raw-http.ts'
import type { Entry, Transcript } from './transcript.ts'
import { at } from './values.ts'

const LOOK_EVERY_MS = 20
const PATIENCE_MS = 90_000

export interface Answer {
  status: number
  /** The parsed body, or the text if it is not JSON. */
  body: unknown
  /** Not compared, but for a few. */
  headers: IncomingHttpHeaders
  /** As it was sent: numbers lose digits when they are parsed. */
  text: string
}

interface Options extends Omit<Call, 'method' | 'path' | 'body'> {
  /** What of the body is compared. Left out: all of it. */
  show?: (body: unknown) => unknown
}

/** A watch that has begun. */
interface Watching {
  status: number
  /** Waits for this many further events, and notes them. */
  take(count: number): Promise<unknown[]>
  /** Waits for the server to end it, and notes what came until then. */
  toItsEnd(): Promise<unknown[]>
}

/** Where a case is played: it speaks to one API, and all that is answered is noted for comparison. */
export interface Stage {
  /** Of this case alone: the name of its namespace, and a part of each name outside of that. */
  id: string
  /** The API group of the kinds that are defined for all cases. */
  group: string
  send(call: Call, show?: Options['show']): Promise<Answer>
  get(path: string, options?: Options): Promise<Answer>
  post(path: string, body: unknown, options?: Options): Promise<Answer>
  put(path: string, body: unknown, options?: Options): Promise<Answer>
  patch(path: string, body: unknown, options?: Options): Promise<Answer>
  delete(path: string, body?: unknown, options?: Options): Promise<Answer>
  /** Sends what is only a preparation: its answer is not compared. */
  quietly(call: Call): Promise<Answer>
  /** Asks again and again until the answer is as wanted. Only that one is noted. */
  until(path: string, wanted: (answer: Answer) => boolean, options?: Options): Promise<Answer>
  watch(path: string, options?: Options): Promise<Watching>
  /** Notes something else that must be equal. */
  note(step: string, body: unknown): void
}

interface StageOptions {
  http: RawHttp
  id: string
  group: string
}

/** The transcript grows while the case is played; what it says is not normalised yet. */
export function stageOf({ http, id, group }: StageOptions): {
  stage: Stage
  transcript: Transcript
  close(): void
} {
  const transcript: Transcript = []
  const streams: Stream[] = []

  const send: Stage['send'] = async (call, show = (body) => body) => {
    const reply = await http.ask(call)
    const answer = answerOf(reply)
    transcript.push({ ...headOf(call, reply), body: show(answer.body) })
    return answer
  }
  const sendWith = (call: Call, { show, ...options }: Options = {}) =>
    send({ ...call, ...options }, show)

  const stage: Stage = {
    id,
    group,
    send,
    get: (path, options) => sendWith({ method: 'GET', path }, options),
    post: (path, body, options) => sendWith({ method: 'POST', path, body }, options),
    put: (path, body, options) => sendWith({ method: 'PUT', path, body }, options),
    patch: (path, body, options) => sendWith({ method: 'PATCH', path, body }, options),
    delete: (path, body, options) => sendWith({ method: 'DELETE', path, body }, options),
    quietly: async (call) => answerOf(await http.ask(call)),
    until: async (path, wanted, { show = (body: unknown) => body, ...options } = {}) => {
      const call = { method: 'GET', path, ...options }
      const { reply, answer } = await lookUntil(() => http.ask(call), wanted, path)
      transcript.push({ ...headOf(call, reply), body: show(answer.body) })
      return answer
    },
    watch: async (path, { show = (body: unknown) => body, ...options } = {}) => {
      const call = { method: 'GET', path, ...options }
      const stream = await http.open(call)
      streams.push(stream)
      transcript.push(headOf(call, stream))
      const note = (step: string, events: unknown[]) =>
        transcript.push({ step: `${step} of ${path}`, body: events.map(show) })
      return watching(stream, note)
    },
    note: (step, body) => {
      transcript.push({ step, body })
    },
  }
  const close = () => {
    for (const stream of streams) stream.close()
  }
  return { stage, transcript, close }
}

const answerOf = ({ status, headers, text }: Reply): Answer => ({
  status,
  headers,
  body: parsed(text),
  text,
})

async function lookUntil(
  ask: () => Promise<Reply>,
  wanted: (answer: Answer) => boolean,
  path: string,
): Promise<{ reply: Reply; answer: Answer }> {
  const deadline = performance.now() + PATIENCE_MS
  for (;;) {
    const reply = await ask()
    const answer = answerOf(reply)
    if (wanted(answer)) return { reply, answer }
    if (performance.now() > deadline) {
      throw new Error(`${path} did not become as wanted: ${reply.status} ${reply.text}`)
    }
    await delay(LOOK_EVERY_MS)
  }
}

function watching(stream: Stream, note: (step: string, events: unknown[]) => void): Watching {
  let taken = 0
  const until = async (enough: () => boolean) => {
    const deadline = performance.now() + PATIENCE_MS
    while (!enough() && !stream.ended) {
      if (performance.now() > deadline) break
      await delay(LOOK_EVERY_MS)
    }
  }
  const events = () => stream.lines.map(parsed).filter((event) => !isPeriodic(event))
  const next = (count: number): unknown[] => {
    const found = events().slice(taken, taken + count)
    taken += found.length
    return found
  }
  return {
    status: stream.status,
    take: async (count) => {
      await until(() => events().length >= taken + count)
      const found = next(count)
      note(`${count} events`, found)
      return found
    },
    toItsEnd: async () => {
      await until(() => false)
      const found = [...next(stream.lines.length), ...(stream.rest ? [parsed(stream.rest)] : [])]
      note(stream.ended ? 'the events until the end' : 'the events, and no end', found)
      return found
    },
  }
}

/** A bookmark that comes when the server likes. The one that ends the initial events is not. */
const isPeriodic = (event: unknown): boolean =>
  at(event, 'type') === 'BOOKMARK' && !JSON.stringify(event).includes('k8s.io/initial-events-end')

// These steer clients; the rest is of one connection, or tells no more.
const COMPARED_HEADERS = ['retry-after', 'allow', 'location', 'www-authenticate', 'cache-control']

function headOf(
  { method, path }: Call,
  { status, headers }: Pick<Reply, 'status' | 'headers'>,
): Entry {
  const warnings = warningsIn(headers.warning)
  const others = COMPARED_HEADERS.flatMap((name) => {
    const value = headers[name]
    return value === undefined ? [] : [[name, String(value)]]
  })
  return {
    step: `${method} ${path}`,
    status,
    contentType: headers['content-type'] ?? '',
    ...(warnings.length > 0 && { warnings }),
    ...(others.length > 0 && { headers: Object.fromEntries(others) }),
  }
}

// Each warning reads `299 - "text"`; several are joined by commas.
const warningsIn = (header: string | undefined): string[] =>
  [...(header ?? '').matchAll(/\d{3} \S+ "((?:[^"\\]|\\.)*)"/g)].map(([, text = '']) => text)

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
