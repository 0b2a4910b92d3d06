import { expect, test } from 'vitest'
import { terminalPicture } from './pictures.ts'

const picture = terminalPicture({
  command: 'run --now',
  columns: 20,
  frames: [
    { seconds: 0.5, lines: ['NAME  READY', 'one   no'] },
    { seconds: 2, lines: ['NAME  READY', 'one   <no>'] },
    { seconds: 3.5, lines: ['NAME  READY', 'one   yes', '  & two'] },
  ],
})
const lines = picture.split('\n').filter((line) => line.endsWith('</text>'))
const lineWith = (text: string) => lines.find((line) => line.includes(`>${text}<`))

test('what is on the last screen is seen where nothing moves, and nothing else is', () => {
  expect(lines.filter((line) => !line.includes('class="past"'))).toEqual([
    expect.stringContaining('$ run --now'),
    lineWith('NAME'),
    lineWith('yes'),
    lineWith('&amp; two'),
  ])
})

test('a line is seen from when it came until another one took its place', () => {
  expect(lineWith('no')).toContain('animation: on 1.5s 0.5s')
  expect(lineWith('&lt;no>')).toContain('animation: on 1.5s 2s')
  expect(lineWith('yes')).toContain('animation: off 3.5s')
})

test('a cell has its place, which no font changes', () => {
  expect(lineWith('&amp; two')).toContain('<tspan x="32" textLength="40">&amp; two</tspan>')
  expect(lineWith('yes')).toContain('<tspan x="16" textLength="24">one</tspan><tspan x="64"')
})
