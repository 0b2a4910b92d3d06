import { expect, test } from 'vitest'
import { passesIn } from './passes.ts'

test('passes are read from a log that has other lines as well', () => {
  const log = [
    '{"level":"debug","message":"pass done","cluster":"one","steps":0,"seconds":0.012}',
    '{"level":"info","message":"step done","cluster":"one","seconds":3}',
    'not JSON at all',
    '{"level":"debug","message":"pass done","cluster":"two","steps":1,"seconds":0.5}',
    '',
  ].join('\n')

  expect(passesIn(log)).toEqual([
    { cluster: 'one', seconds: 0.012 },
    { cluster: 'two', seconds: 0.5 },
  ])
})
