// Writes to a store whose files may not become large, and prints what came of each write, as JSON.
// Argument: the directory.

import { lmdbBackend } from '#apiserver/store/backends/lmdb.ts'
import { openStore } from '#apiserver/store/open-store.ts'
import { NotKept } from '#apiserver/store/store.ts'
import { systemClock } from '#base/clock.ts'
import { messageOf } from '#base/operator-error.ts'

const [path = ''] = process.argv.slice(2)
const store = await openStore({ backend: lmdbBackend({ path }), clock: systemClock })

async function outcome(key: string, bytes: number): Promise<string> {
  try {
    await store.write(key, () => ({ put: () => Buffer.alloc(bytes, 'x') }))
    return `${key} kept`
  } catch (error) {
    return `${key} ${error instanceof NotKept ? 'not kept' : 'failed'}: ${messageOf(error)}`
  }
}

const outcomes: string[] = []
const problems: boolean[] = []
const note = () => problems.push(store.problem() !== undefined)
for (const name of ['a', 'b']) {
  outcomes.push(await outcome(`g/small/${name}`, 100))
  note()
  const large = [1, 2, 3].map((number) => outcome(`g/large/${name}${number}`, 2 * 1024 * 1024))
  outcomes.push(...(await Promise.all(large)))
  note()
}
outcomes.push(await outcome('g/small/c', 100))
const listed = store.list('').map(({ key }) => key)
process.stdout.write(JSON.stringify({ outcomes, problems, listed, revision: store.revision }))
await store[Symbol.asyncDispose]()
