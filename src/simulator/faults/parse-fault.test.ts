import { expect, it } from 'vitest'
import { faultHelp } from './fault-help.ts'
import { parseFault } from './parse-fault.ts'

it('reads a fault with its machine and its options', () => {
  const { options, ...fault } = parseFault(
    'dies:127.50.0.1,at=after-install,times=2,after=30s,for=1m',
  )

  expect(fault).toEqual({
    ...{ name: 'dies', machine: '127.50.0.1', times: 2, afterMs: 30_000, forMs: 60_000 },
  })
  expect(options.get('at')).toBe('after-install')
})

it('a fault without a machine is one of all, and strikes as often as is usual for it', () => {
  expect(parseFault('unreachable')).toMatchObject({
    machine: undefined,
    times: Infinity,
    afterMs: 0,
  })
  expect(parseFault('falls-back')).toMatchObject({ times: 1 })
})

it('an address of the newer kind may be named', () => {
  expect(parseFault('slow:fd00::1,by=100ms').machine).toBe('fd00::1')
})

it('a clock may be behind', () => {
  expect(parseFault('clock-skew,by=-1h').options.get('by')).toBe('-3600000')
})

it.each([
  ['', 'there is no fault ""'],
  ['constructor', 'there is no fault "constructor"'],
  ['dies', 'dies needs at=…'],
  ['dies:', 'the machine after the colon is missing'],
  ['dies,at=lunch', 'dies: at is one of before-install'],
  ['dies,at', 'dies: "at" is not of the form key=value'],
  ['slow,by=fast', 'slow: by is a duration like 30s: it is no duration'],
  ['slow,by=1s,by=2s', 'slow: by is told twice'],
  ['slow,by=', 'slow: by is empty'],
  ['slow,by=-1s', 'slow: by is a duration like 30s: a duration has no sign'],
  ['loses-reply,call=Bootstap', 'loses-reply: call: machines have no call "Bootstap"'],
  [
    'unreachable,__proto__=1',
    'unreachable has no "__proto__": its keys are how, times, after, for',
  ],
  ['falls-back,times=0', 'falls-back: times is a whole number from 1 on'],
  [`unreachable:${'x'.repeat(500)}`, 'not longer than 500'],
])('says what is wrong with %j', (text, problem) => {
  expect(() => parseFault(text)).toThrow(problem)
})

it('tells how every fault is written', () => {
  const help = faultHelp()

  expect(help).toHaveLength(18)
  expect(help.find((line) => line.startsWith('slow'))).toMatch(
    /^slow\[:MACHINE\],by=DURATION\[,call=CALL\]\[,times=NUMBER\].* {2}every answer comes later/,
  )
})
