import { expect, test } from 'vitest'
import { metricSum } from './metric-sum.ts'

const TEXT = `# HELP calls Calls.
# TYPE calls counter
calls{verb="GET",code="200"} 12
calls{verb="PATCH",code="200"} 3
calls{verb="PATCH",code="409"} 1
calls_more{verb="PATCH",code="200"} 100
alone 1.5e3
`

test('the series of a metric are summed, as far as their labels are meant', () => {
  expect(metricSum(TEXT, 'calls', /verb="PATCH"/)).toBe(4)
  expect(metricSum(TEXT, 'calls', /verb=/)).toBe(16)
})

test('a metric without labels has one series, and one that is not there none', () => {
  expect(metricSum(TEXT, 'alone', /^/)).toBe(1500)
  expect(metricSum(TEXT, 'never', /^/)).toBe(0)
})
