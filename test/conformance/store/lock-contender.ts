// Takes and lets go of a directory when it is told to, line by line, and prints what came of it:
//   take      won, or lost and why
//   let go    gone
// Argument: the directory.

import { createInterface } from 'node:readline'
import { lockDirectory } from '#apiserver/store/backends/directory-lock.ts'
import { messageOf } from '#base/operator-error.ts'

const [directory = ''] = process.argv.slice(2)
let held: AsyncDisposable | undefined

async function take(): Promise<string> {
  try {
    held = await lockDirectory(directory)
    return 'won'
  } catch (error) {
    return `lost: ${messageOf(error)}`
  }
}

async function letGo(): Promise<string> {
  await held?.[Symbol.asyncDispose]()
  held = undefined
  return 'gone'
}

for await (const line of createInterface({ input: process.stdin })) {
  process.stdout.write(`${await (line === 'take' ? take() : letGo())}\n`)
}
