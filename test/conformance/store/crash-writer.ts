// Opens a store and writes to it, as fast as it can and from many sides, until it is killed. Each line
// that it prints is out when the call returns, so what was printed is all that happened:
//   opened {"revision":…,"entries":[[key, revision, hash], …]}
//   try <key> <revision> <hash, or - for a removal>      decided, and perhaps never kept
//   done <revision>                                      acknowledged
// Arguments: the directory, and a seed.

import { createHash } from 'node:crypto'
import { writeSync } from 'node:fs'
import { lmdbBackend } from '#apiserver/store/backends/lmdb.ts'
import { openStore } from '#apiserver/store/open-store.ts'
import type { Entry, Store } from '#apiserver/store/store.ts'
import { systemClock } from '#base/clock.ts'

const WRITERS = 24
const KEYS = 60

const print = (line: string): void => void writeSync(1, `${line}\n`)
const hashOf = (text: string): string => createHash('sha1').update(text).digest('hex')

/** Numbers below a bound, the same for the same seed. */
function numbersFrom(seed: number): (bound: number) => number {
  let state = seed | 1
  return (bound) => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) % bound
  }
}

/** `revision:hash:text`, so that a value tells by itself whether it is whole and where it belongs. */
function checked({ key, revision, value }: Entry): [string, number, string] {
  const [inside, hash, text] = value.toString().split(':')
  const isWhole = inside === String(revision) && hash === hashOf(text ?? '')
  return [key, revision, isWhole ? (hash ?? '') : 'damaged']
}

async function writeForEver(store: Store, number: (bound: number) => number): Promise<void> {
  for (;;) {
    const key = `g/things/n${number(KEYS)}`
    let acknowledged = 0
    const tried = (revision: number, hash: string): void => {
      acknowledged = revision
      print(`try ${key} ${revision} ${hash}`)
    }
    const isRemoval = number(5) === 0
    const text = 'abcdefgh'.charAt(number(8)).repeat(number(4) === 0 ? number(20_000) : number(500))
    await store.write(key, () =>
      isRemoval
        ? {
            remove: (revision) => {
              tried(revision, '-')
              return Buffer.from('gone')
            },
          }
        : {
            put: (revision) => {
              const hash = hashOf(text)
              tried(revision, hash)
              return Buffer.from(`${revision}:${hash}:${text}`)
            },
          },
    )
    if (acknowledged) print(`done ${acknowledged}`)
  }
}

const [path = '', seed = '1'] = process.argv.slice(2)
// Compacts whenever it can, so that some are killed in the middle of that.
const store = await openStore({
  backend: lmdbBackend({ path, compactFromBytes: 1 }),
  clock: systemClock,
})
print(
  `opened ${JSON.stringify({ revision: store.revision, entries: store.list('').map(checked) })}`,
)
const number = numbersFrom(Number(seed))
await Promise.all(Array.from({ length: WRITERS }, () => writeForEver(store, number)))
