import { expect, test } from 'vitest'
import { loggingProblems } from './logging.ts'

test.for([
  [{ endpoint: 'tcp://a.example:5044/', format: 'json_lines' }, []],
  [{ endpoint: 'udp://[::1]:5044', format: 'json_lines' }, []],
  [{ format: 'json_lines' }, ['empty logging endpoint']],
  [
    { endpoint: '' },
    [
      "empty logging endpoint's host",
      'unexpected logging endpoint scheme ""',
      'unknown logging format ""',
    ],
  ],
  [
    { endpoint: 'https://a.example', format: 'xml' },
    ['unexpected logging endpoint scheme "https"', 'unknown logging format "xml"'],
  ],
] as const)('logs to %j', ([destination, problems]) => {
  expect([...loggingProblems({ logging: { destinations: [destination] } })]).toEqual(problems)
})
