// Records what a terminal shows while the demo runs in it, until it has said everything: docs/pictures/demo.json,
// from which `make generate` makes the picture of the README. To be run anew when the demo says something else:
//
//   make build && node_modules/.bin/tsx scripts/record-demo.ts && make generate
//
// The terminal is that of `script` (util-linux).

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Frame, RECORDING } from './demo/recording.ts'
import { TerminalScreen } from './demo/terminal-screen.ts'

const COMMAND = 'bin/talos-operator demo'
const [COLUMNS, ROWS] = [128, 60]
// As often as one can read.
const LOOK_EVERY_MS = 500
const ALL_SAID = 'Ctrl-C ends the demo and removes everything.'
const CTRL_C = '\u0003'

const startMs = performance.now()
const line = `stty cols ${COLUMNS} rows ${ROWS} -echoctl; exec ${COMMAND}`
const terminal = spawn('script', ['--quiet', '--return', '--command', line, '/dev/null'], {
  cwd: join(import.meta.dirname, '..'),
  stdio: ['pipe', 'pipe', 'inherit'],
})
const exited = once(terminal, 'exit')
const screen = new TerminalScreen(COLUMNS)
const frames: Frame[] = []

function look(): void {
  const lines = screen.lines()
  if (lines.length === 0 || lines.join('\n') === frames.at(-1)?.lines.join('\n')) return
  frames.push({ seconds: Number(((performance.now() - startMs) / 1_000).toFixed(1)), lines })
}

const isOver = () => screen.lines().join('\n').includes(ALL_SAID)
const looking = setInterval(look, LOOK_EVERY_MS)
terminal.stdout.setEncoding('utf8').on('data', (text) => {
  if (isOver()) return
  screen.write(text)
  if (!isOver()) return
  look()
  terminal.stdin.end(CTRL_C)
})
const [exitCode] = await exited
clearInterval(looking)
if (exitCode !== 0 || !isOver()) {
  throw new Error(`the demo ended with ${exitCode}, and showed:\n${screen.lines().join('\n')}`)
}
const recording = { command: COMMAND, columns: COLUMNS, frames }
await writeFile(RECORDING, `${JSON.stringify(recording, null, 1)}\n`)
process.stdout.write(`${RECORDING}: ${frames.length} screens in ${frames.at(-1)?.seconds} s\n`)
