import { expect, test } from 'vitest'
import { cachesAreFull, Health, loopIsFree, passesEnd, watchesWork } from './health.ts'

const ask = (health: Health, path: '/healthz' | '/readyz', query = '') =>
  health.routes[path](new URLSearchParams(query))

test('a process about which nothing is wrong is well and ready', () => {
  const health = new Health()
  health.addLiveness('loop', () => undefined)
  health.addReadiness('caches', () => undefined)

  expect(ask(health, '/healthz')).toEqual({ status: 200, body: 'ok' })
  expect(ask(health, '/readyz')).toEqual({ status: 200, body: 'ok' })
})

test('what fails is told, a line for each, with 500 and not 503', () => {
  const health = new Health()
  health.addReadiness('crds', () => 'not found')
  health.addReadiness('caches', () => undefined)
  health.addReadiness('watches', () => {
    throw new Error('no idea')
  })

  expect(ask(health, '/readyz')).toEqual({
    status: 500,
    body: 'crds: not found\nwatches: could not be checked: no idea\n',
  })
  expect(ask(health, '/readyz', 'verbose')).toEqual({
    status: 500,
    body: 'crds: not found\ncaches: ok\nwatches: could not be checked: no idea\n',
  })
})

test('who is not ready is still well, and the other way round', () => {
  const health = new Health()
  health.addReadiness('caches', () => 'empty')
  expect(ask(health, '/healthz')).toMatchObject({ status: 200 })

  const stuck = new Health()
  stuck.addLiveness('loop', () => 'blocked')
  expect(ask(stuck, '/readyz')).toMatchObject({ status: 200 })
  expect(ask(stuck, '/healthz')).toMatchObject({ status: 500 })
})

test('a gate holds until it is opened, and again when it is closed', () => {
  const health = new Health()
  const crds = health.addGate('crds', 'not looked for yet')
  expect(ask(health, '/readyz')).toEqual({ status: 500, body: 'crds: not looked for yet\n' })

  crds.open()
  expect(ask(health, '/readyz', 'verbose')).toEqual({ status: 200, body: 'crds: ok\n' })
  crds.close('machines.vitistack.io is gone')
  expect(ask(health, '/readyz')).toEqual({
    status: 500,
    body: 'crds: machines.vitistack.io is gone\n',
  })
})

test('a blocked event loop is seen beyond the limit', () => {
  const lag = { seconds: 10 }
  const check = loopIsFree(lag, 10)
  expect(check()).toBeUndefined()

  lag.seconds = 12.3

  expect(check()).toBe('the event loop was blocked for 12 s, more than 10 s')
})

test('a pass that does not end is seen beyond the limit, and nothing under way is fine', () => {
  const longest = { what: 'TalosMachine a/b', forMs: 600_000 }

  expect(passesEnd({ longest: undefined })()).toBeUndefined()
  expect(passesEnd({ longest }, 600_000)()).toBeUndefined()
  expect(passesEnd({ longest }, 599_000)()).toBe(
    'the pass over TalosMachine a/b has taken 600 s, more than 599 s',
  )
})

test('caches are full when nothing is left to be listed', () => {
  expect(cachesAreFull({ unsynced: [] })()).toBeUndefined()
  expect(cachesAreFull({ unsynced: ['a', 'b'] })()).toBe('not listed yet: a, b')
})

test('a watch may be broken for a while', () => {
  const broken = [
    { kind: 'machines', forMs: 120_000 },
    { kind: 'workers', forMs: 121_000 },
  ]

  expect(watchesWork({ broken: broken.slice(0, 1) })()).toBeUndefined()
  expect(watchesWork({ broken })()).toBe('no changes are seen of workers for 121 s')
})
