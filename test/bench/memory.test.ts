import { expect, test } from 'vitest'
import { memoryIn } from './memory.ts'

const STATUS = `Name:\tnode
VmPeak:\t 1118808 kB
VmHWM:\t  295000 kB
VmRSS:\t  282500 kB
RssAnon:\t  240000 kB
`

test('the resident memory and its peak are read in millions of bytes', () => {
  expect(memoryIn(STATUS)).toEqual({ nowMb: 289.28, peakMb: 302.08 })
})

test('a program that is gone, and holds nothing, is no program of 0 MB', () => {
  expect(() => memoryIn('Name:\tnode\nState:\tZ (zombie)\n')).toThrow('has no VmRSS')
})
