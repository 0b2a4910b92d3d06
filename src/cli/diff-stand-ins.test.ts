import { expect, test } from 'vitest'
import { StandIns } from './diff-stand-ins.ts'

test('each gets an address of its own, and the same one again', () => {
  const standIns = new StandIns()
  const [first, second] = [standIns.of('a'), standIns.of('b')]

  expect([first, second, standIns.of('a')]).toEqual(['198.18.0.1', '198.18.0.2', '198.18.0.1'])
  expect([standIns.has(first), standIns.has('192.0.2.1'), standIns.has(undefined)]).toEqual([
    ...[true, false, false],
  ])
})

test('there are enough for any cluster', () => {
  const standIns = new StandIns()
  for (let count = 1; count < 65_536; count++) standIns.of(`${count}`)

  expect(standIns.of('the last')).toBe('198.19.0.0')
})
