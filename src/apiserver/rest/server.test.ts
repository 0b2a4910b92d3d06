import { generateKeyPairSync } from 'node:crypto'
import { IncomingMessage, ServerResponse } from 'node:http'
import { PassThrough } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { TLSSocket } from 'node:tls'
import { expect, onTestFinished, test } from 'vitest'
import { openApi } from '#apiserver/open-api.ts'
import { paceOf } from '#apiserver/pace.ts'
import { signingKeyOf } from '#apiserver/security/json-web-token.ts'
import { memoryBackend } from '#apiserver/store/backends/memory.ts'
import { openStore } from '#apiserver/store/open-store.ts'
import { FakeClock } from '#test/fake-clock.ts'
import { quietLog } from '#test/quiet-log.ts'

const REQUESTS = 20

/** A server by whose clock each look at it takes a while, and requests that come to it all at once. */
async function aCrowd({ last = '/version' } = {}) {
  let ms = 0
  const clock = Object.assign(new FakeClock(), { monotonicMs: () => (ms += 2) })
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const api = await openApi({
    ...{ store: await openStore({ backend: memoryBackend(), clock }), clock, log: quietLog() },
    ...{ authentication: false, authority: '', accountKey: signingKeyOf(privateKey) },
  })
  onTestFinished(() => api[Symbol.dispose]())
  // What the API does by itself when it begins has its turns, too.
  while (paceOf(clock).isSpent) await nextTurn()
  const answered: number[] = []
  const sockets = Array.from({ length: REQUESTS }, (_, index) => {
    const socket = new TLSSocket(new PassThrough())
    onTestFinished(() => void socket.destroy())
    const url = index === REQUESTS - 1 ? last : '/version'
    const request = Object.assign(new IncomingMessage(socket), { method: 'GET', url })
    const response = new ServerResponse(request)
    void api.rest
      .handle(request, response)
      .then(() => response.writableEnded && answered.push(index))
    return socket
  })
  return { answered, sockets }
}

test('what comes all at once is begun a little in each turn of the event loop, and in its order', async () => {
  const { answered } = await aCrowd()
  const perTurn: number[] = []
  for (let before = 0; before < REQUESTS; before = answered.length) {
    await nextTurn()
    perTurn.push(answered.length - before)
  }

  expect(answered).toEqual(Array.from({ length: REQUESTS }, (_, index) => index))
  expect(Math.max(...perTurn)).toBeLessThan(REQUESTS / 4)
})

test('what nobody waits for any more is not begun', async () => {
  const { answered, sockets } = await aCrowd()
  sockets.at(-2)?.destroy()
  while (!answered.includes(REQUESTS - 1)) await nextTurn()

  expect(answered).not.toContain(REQUESTS - 2)
})

test('whoever asks for its health is told before those who wait', async () => {
  const { answered } = await aCrowd({ last: '/livez' })
  while (answered.length < REQUESTS) await nextTurn()

  expect(answered.indexOf(REQUESTS - 1)).toBeLessThan(REQUESTS / 4)
})
