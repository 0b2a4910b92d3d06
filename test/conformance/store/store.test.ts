import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe } from 'vitest'
import { lmdbBackend } from '#apiserver/store/backends/lmdb.ts'
import { memoryBackend } from '#apiserver/store/backends/memory.ts'
import { groupContract } from './group-contract.ts'
import { historyContract } from './history-contract.ts'
import { storeContract } from './store-contract.ts'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'store-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const backends = {
  memory: { newBackend: async () => memoryBackend(), runs: 200 },
  // Each history is a directory of its own, and each commit waits for the disk.
  lmdb: {
    newBackend: async () => lmdbBackend({ path: await mkdtemp(join(folder, 'one-')) }),
    runs: 25,
  },
}

describe.each(Object.entries(backends))('a store in %s', (_name, { newBackend, runs }) => {
  storeContract(newBackend)
  groupContract(newBackend)
  historyContract(newBackend, runs)
})
