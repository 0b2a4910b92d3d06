import { expect, test } from 'vitest'
import { routeProblems } from './routes.ts'

test('what is wrong with routes', () => {
  const routes = [
    { network: '::/0', gateway: '::1', source: '::2' },
    { gateway: '::1' },
    { network: '::/0' },
    { network: '::', gateway: 'x', source: 'y' },
    { metric: 5 },
  ]
  expect([...routeProblems({ routes })]).toEqual([
    '[networking.os.device.route[3].network] "::": invalid network address',
    '[networking.os.device.route[3].gateway] "x": invalid network address',
    '[networking.os.device.route[3].source] "y": invalid network address',
    '[networking.os.device.route[4]]: either network or gateway should be set',
  ])
})
