import { getEventListeners } from 'node:events'
import { expect, it } from 'vitest'
import { aborted } from '#base/on-abort.ts'
import { FakeClock } from '#test/fake-clock.ts'
import { until } from '#test/until.ts'
import { ServiceFailure, Services } from './services.ts'

function someServices() {
  const boot = new AbortController()
  const services = new Services({ clock: new FakeClock(), signal: boot.signal, tell: () => {} })
  const service = services.load('kubelet', false)
  const waiting = () => getEventListeners(boot.signal, 'abort').length
  return { boot, services, service, waiting }
}

it('runs on when all is done to bring it up, and holds nothing for that', async () => {
  const { services, service, waiting } = someServices()
  services.start('kubelet', async (started) => started.to('Running', 'Started'))
  expect(waiting()).toBe(1)
  await until(
    'it is done',
    async () => waiting(),
    (count) => count === 0,
  )
  expect(services.isStarted('kubelet')).toBe(true)
  services.stop('kubelet')
  expect(services.isStarted('kubelet')).toBe(false)
  expect(service.phase).toBe('Finished')
})

it('ends what still works for a service when that is stopped, or the machine goes down', async () => {
  const { boot, services } = someServices()
  const ended: string[] = []
  services.load('etcd', false)
  for (const id of ['kubelet', 'etcd']) {
    services.start(id, async (_, signal) => {
      await aborted(signal)
      ended.push(id)
    })
  }
  services.stop('kubelet')
  await until(
    'one is stopped',
    async () => ended,
    ({ length }) => length === 1,
  )
  expect(services.isStarted('etcd')).toBe(true)
  boot.abort(new Error('no power'))
  await until(
    'the other is',
    async () => ended,
    ({ length }) => length === 2,
  )
  expect(ended).toEqual(['kubelet', 'etcd'])
})

it('can be started again after it failed', async () => {
  const { services, service } = someServices()
  services.start('kubelet', async () => {
    throw new ServiceFailure('no image')
  })
  await until(
    'it fails',
    async () => service.phase,
    (phase) => phase === 'Failed',
  )
  expect(services.isStarted('kubelet')).toBe(false)
  services.start('kubelet', async (started) => started.to('Running', 'Started'))
  expect(service.phase).toBe('Running')
})
