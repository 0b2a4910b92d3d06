import { expect, test } from 'vitest'
import { addSwitch, each, GoCommand, list } from './go-command.ts'

function parsed(...args: string[]): unknown {
  const command = new GoCommand('x')
    .exitOverride()
    .configureOutput({ writeErr: () => undefined })
    .option('--number <number>')
    .option('--list <items>', '', list)
    .option('--each <text>', '', each)
  addSwitch(command, { flags: '--on', description: 'on', isOn: true })
  addSwitch(command, { flags: '-o, --off', description: 'off', isOn: false })
  command.parse(args, { from: 'user' })
  return command.opts()
}

const DEFAULTS = { on: true, off: false }

test.each([
  [[], {}],
  [['--on', '-o'], { off: true }],
  [['--on=true', '--off=T'], { off: true }],
  [['--on=0', '--off=False'], { on: false }],
  [['--off', '--off=f'], { off: false }],
  [['--number=1'], { number: '1' }],
  [['--list', 'a,b', '--list=', '--list', 'c'], { list: ['a', 'b', 'c'] }],
  [['--each', 'a,b', '--each='], { each: ['a,b', ''] }],
])('%j are %j', (args, options) => {
  expect(parsed(...args)).toEqual({ ...DEFAULTS, ...options })
})

test('what is neither true nor false is refused', () => {
  expect(() => parsed('--on=maybe')).toThrow("unknown option '--on=maybe'")
})

test('commands below take switches in the same way', () => {
  const program = new GoCommand('x')
  const below = addSwitch(program.command('y'), { flags: '--on', description: '', isOn: true })
  program.parse(['y', '--on=false'], { from: 'user' })

  expect(below.opts()).toEqual({ on: false })
})
