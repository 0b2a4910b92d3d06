// A server of machines and of nothing else: it lists them in pages, and pours events down a watch as
// fast as they are read. It has next to nothing to do, so that it is the client that is measured.

import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import { machineAt } from '#test/bench/machines.ts'
import { answerQuestions } from './answering.ts'

// Versions of one length: all that differs between two events of a machine is these digits.
const FIRST_VERSION = 1_000_000_000
const EVENTS_AT_ONCE = 64

interface Settings {
  certificate: string
  key: string
  /** How many there are. */
  machines: number
  /** How many events a watch gets. Then it is silent. */
  events: number
}

const answers = {
  /** Resolves to the URL. */
  async listen({ certificate, key, ...settings }: Settings): Promise<string> {
    const lines = settings.events > 0 ? linesOf(settings.machines) : []
    const server = createServer({ cert: certificate, key }, (request, response) => {
      const { searchParams } = new URL(request.url ?? '', 'https://localhost')
      response.setHeader('content-type', 'application/json')
      if (searchParams.has('watch')) void pour(response, lines, settings.events)
      else response.end(pageOf(searchParams, settings.machines))
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    return `https://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`
  },
}

export type MachineServer = typeof answers

function pageOf(query: URLSearchParams, machines: number): string {
  const start = Number(query.get('continue') ?? 0)
  const end = Math.min(machines, start + Number(query.get('limit') ?? machines))
  return JSON.stringify({
    apiVersion: 'talos.alperen.cloud/v1alpha1',
    kind: 'TalosMachineList',
    metadata: {
      resourceVersion: String(FIRST_VERSION),
      ...(end < machines && { continue: String(end) }),
    },
    items: Array.from({ length: end - start }, (_, index) =>
      machineAt(start + index, String(FIRST_VERSION)),
    ),
  })
}

/** The line of an event for each machine, and where in it the version is. */
const linesOf = (machines: number): { line: Buffer; at: number }[] =>
  Array.from({ length: machines }, (_, index) => {
    const object = machineAt(index, String(FIRST_VERSION))
    const line = Buffer.from(`${JSON.stringify({ type: 'MODIFIED', object })}\n`)
    return { line, at: line.indexOf(String(FIRST_VERSION)) }
  })

async function pour(
  response: ServerResponse,
  lines: { line: Buffer; at: number }[],
  events: number,
): Promise<void> {
  response.flushHeaders()
  for (let sent = 0; sent < events && !response.destroyed; ) {
    // Each event is a chunk of its own, as kube-apiserver sends them, though many go out together.
    response.socket?.cork()
    for (const end = Math.min(events, sent + EVENTS_AT_ONCE); sent < end; sent++) {
      const { line, at } = lines[sent % lines.length] ?? { line: Buffer.alloc(0), at: 0 }
      const event = Buffer.from(line)
      event.write(String(FIRST_VERSION + 1 + sent), at, 'latin1')
      response.write(event)
    }
    response.socket?.uncork()
    if (response.writableNeedDrain) await once(response, 'drain').catch(() => {})
  }
}

answerQuestions(answers)
