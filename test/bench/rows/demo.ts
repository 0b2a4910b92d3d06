import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Row } from '#test/bench/row.ts'
import { root } from '#test/bench/subject.ts'

const READY = /is ready, ([\d.]+) s after the start/

/** How long the demo takes until its cluster is ready, as a user sees it who types nothing else. */
export const demoReady: Row = {
  name: 'demo-ready',
  budget: 60,
  unit: 's',
  better: 'less',
  async measure() {
    const startedMs = performance.now()
    const said = await demoUntilReady()
    const seconds = (performance.now() - startedMs) / 1_000
    return {
      value: seconds,
      detail: `from the start of \`bin/talos-operator demo\` to its last lines; it says ${said} s itself`,
    }
  },
}

/** Starts a demo, ends it when it is ready, and answers with how long it took by its own words. */
async function demoUntilReady(): Promise<string> {
  const child = spawn(join(root, 'bin/talos-operator'), ['demo'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = once(child, 'exit')
  let text = ''
  child.stdout.setEncoding('utf8')
  for await (const more of child.stdout) {
    text += more
    if (READY.test(text)) break
  }
  child.kill('SIGINT')
  await exited
  const [, seconds] = READY.exec(text) ?? []
  if (seconds === undefined) throw new Error('the demo ended before its cluster was ready')
  return seconds
}
