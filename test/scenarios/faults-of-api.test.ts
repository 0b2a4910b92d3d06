import { PassThrough, Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { Machine } from '#api/machine.ts'
import type { CarriedRequest, Carry } from '#kube/access.ts'
import { ApiFaults } from './faults-of-api.ts'

const WATCH = '/apis/a/v1/things?watch=true'
const LIST = '/apis/a/v1/things?limit=500'
const line = (name: string) => `{"type":"ADDED","object":{"metadata":{"name":"${name}"}}}`

const { signal } = new AbortController()
const asked = (method: string, path: string): CarriedRequest => ({
  ...{ method, url: new URL(path, 'https://api'), headers: {}, credentials: {}, signal },
})

/** An API whose watches say what they are told, and whose lists say how often they were asked for. */
function aPlace() {
  let nowMs = 0
  let lists = 0
  const watches: PassThrough[] = []
  const faults = new ApiFaults(() => nowMs)
  const answer: Carry = async ({ url, method }) => {
    if (url.search.includes('watch')) {
      const body = new PassThrough()
      watches.push(body)
      return { status: 200, headers: {}, body }
    }
    const text = method === 'GET' ? `list ${++lists}` : 'written'
    return { status: 200, headers: {}, body: Readable.from([Buffer.from(text)]) }
  }
  const carry = faults.through(answer)
  const ask = async (method: string, path: string) => {
    const { status, body } = await carry(asked(method, path))
    return `${status} ${await textOf(body)}`
  }
  return {
    ...{ faults, ask },
    pass: (ms: number) => {
      nowMs += ms
    },
    watch: async () => {
      const { body } = await carry(asked('GET', WATCH))
      const tell = (...names: string[]) =>
        watches.at(-1)?.write(names.map((name) => `${line(name)}\n`).join(''))
      return { body, tell, end: () => watches.at(-1)?.end() }
    },
  }
}

async function textOf(body: Readable): Promise<string> {
  let text = ''
  for await (const part of body) text += part
  return text
}

const namesIn = (text: string): (string | undefined)[] =>
  text
    .split('\n')
    .filter(Boolean)
    .map((one) => JSON.parse(one))
    .map(({ type, object }) => (type === 'ERROR' ? `${object.code}` : object.metadata.name))

test('events that are held back come in their order when they are let go', async () => {
  const { faults, watch } = aPlace()
  const { body, tell, end } = await watch()
  const letGo = faults.holdEvents()
  tell('a', 'b')
  await new Promise(setImmediate)
  const early = body.readableLength

  letGo()
  tell('c')
  end()

  expect(early).toBe(0)
  expect(namesIn(await textOf(body))).toEqual(['a', 'b', 'c'])
})

test('an event is dropped, and the watch ends so that its client lists again', async () => {
  const { faults, watch } = aPlace()
  const { body, tell } = await watch()
  const close = faults.dropEvents()
  tell('a', 'b')
  await new Promise(setImmediate)

  close()

  expect(namesIn(await textOf(body))).toEqual(['b', '410'])
})

test('a watch that has missed nothing goes on', async () => {
  const { faults, watch } = aPlace()
  const { body, tell, end } = await watch()

  faults.dropEvents()()
  tell('a')
  end()

  expect(namesIn(await textOf(body))).toEqual(['a'])
})

test('a watch is cut like a connection', async () => {
  const { faults, watch } = aPlace()
  const { body } = await watch()
  const reading = textOf(body)

  faults.cutWatches()

  await expect(reading).rejects.toMatchObject({ code: 'ECONNRESET' })
})

test('a list is what it was at first, however long ago that was', async () => {
  const { faults, ask, pass } = aPlace()
  await ask('GET', LIST)
  pass(3_600_000)
  await ask('GET', LIST)
  const end = faults.serveOldLists()
  const old = await ask('GET', LIST)
  end()

  expect([old, await ask('GET', LIST)]).toEqual(['200 list 1', '200 list 3'])
})

test('a list is what it was a moment ago, where it is not to be older', async () => {
  const { faults, ask, pass } = aPlace()
  await ask('GET', LIST)
  const end = faults.serveOldLists({ oldestMs: 30_000 })
  pass(20_000)
  const soon = await ask('GET', LIST)
  pass(20_000)
  const late = await ask('GET', LIST)
  end()

  expect([soon, late, await ask('GET', LIST)]).toEqual(['200 list 1', '200 list 2', '200 list 3'])
})

test('lists of one kind are old, and those of others are not', async () => {
  const { faults, ask } = aPlace()
  await ask('GET', LIST)
  faults.serveOldLists({ of: Machine })
  const other = await ask('GET', LIST)
  faults.serveOldLists({ of: { ...Machine, plural: 'things' } })

  expect([other, await ask('GET', LIST)]).toEqual(['200 list 2', '200 list 1'])
})

test('writes are refused so often, and reads are not', async () => {
  const { faults, ask } = aPlace()
  faults.refuse({ code: 503, reason: 'ServiceUnavailable' }, 1)

  expect(await ask('GET', LIST)).toBe('200 list 1')
  expect(await ask('PATCH', '/apis/a/v1/things/one')).toContain('ServiceUnavailable')
  expect(await ask('PATCH', '/apis/a/v1/things/one')).toBe('200 written')
})

test('nobody is told of a conflict about what they make', async () => {
  const { faults, ask } = aPlace()
  faults.refuse({ code: 409, reason: 'Conflict' }, 1)

  expect(await ask('POST', '/apis/a/v1/things')).toBe('200 written')
  expect(await ask('PUT', '/apis/a/v1/things/one')).toContain('Conflict')
})
