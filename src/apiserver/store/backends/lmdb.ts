import { chmod, mkdir, open, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Backend, Group } from '#apiserver/store/store.ts'
import { lockDirectory } from './directory-lock.ts'
import { type Environment, openEnvironment } from './lmdb-environment.ts'
import { checkFile } from './lmdb-file.ts'

export interface LmdbOptions {
  /** A directory. It is made if it is not there, and belongs to one process at a time. */
  path: string
  /** Files that are smaller are never compacted. */
  compactFromBytes?: number
  /** How the file is opened; as LMDB does, unless told. */
  open?: (file: string) => Promise<Environment>
}

const COMPACT_FROM_BYTES = 64 * 1024 * 1024
// A file does not shrink when entries go, but its free pages are used again.
const COMPACT_FROM_RATIO = 4

/**
 * Keeps entries in an LMDB file. What is committed survives `kill -9` and the loss of power, and files
 * are for their owner only. After it was disposed of it can be loaded again.
 */
export function lmdbBackend(options: LmdbOptions): Backend {
  return new LmdbBackend({
    compactFromBytes: COMPACT_FROM_BYTES,
    open: openEnvironment,
    ...options,
  })
}

class LmdbBackend implements Backend {
  readonly #directory: string
  readonly #file: string
  readonly #options: Required<LmdbOptions>
  #lock: AsyncDisposable | undefined
  #environment: Environment | undefined
  /** Of what is known to be kept. */
  #revision = 0

  constructor(options: Required<LmdbOptions>) {
    this.#directory = options.path
    this.#file = join(options.path, 'store.mdb')
    this.#options = options
  }

  async load(): ReturnType<Backend['load']> {
    await mkdir(this.#directory, { recursive: true, mode: 0o700 })
    await chmod(this.#directory, 0o700)
    this.#lock = await lockDirectory(this.#directory)
    try {
      await checkFile(this.#file)
      return await this.#read()
    } catch (error) {
      await this[Symbol.asyncDispose]()
      throw isOfLmdb(error) ? new Error(`${this.#file} is damaged: ${error.message}`) : error
    }
  }

  async commit(group: Group): Promise<void> {
    const environment = this.#environment ?? (await this.#openAgain())
    try {
      await environment.keep(group)
    } catch (error) {
      if (!(await this.#isKeptAfterAll(group))) throw error
    }
    this.#revision = group.revision
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#close()
    await this.#lock?.[Symbol.asyncDispose]()
    this.#lock = undefined
  }

  async #read(): ReturnType<Backend['load']> {
    const environment = await this.#compacted()
    const loaded = { revision: environment.revision(), entries: environment.entries() }
    this.#revision = loaded.revision
    // Opened anew, it has nothing of what was read in memory.
    if (loaded.entries.length > 0) {
      await this.#close()
      await this.#open()
    }
    await syncDirectory(this.#directory)
    await syncDirectory(dirname(this.#directory))
    return loaded
  }

  async #open(): Promise<Environment> {
    const environment = await this.#options.open(this.#file)
    this.#environment = environment
    return environment
  }

  async #close(): Promise<void> {
    const environment = this.#environment
    this.#environment = undefined
    await environment?.close()
  }

  // The copy is complete and on the disk before it takes the place of the file: a crash leaves either.
  async #compacted(): Promise<Environment> {
    const copy = `${this.#file}.copy`
    await rm(copy, { force: true })
    const environment = await this.#open()
    const { size } = await stat(this.#file)
    const isWorthIt = size > environment.liveBytes() * COMPACT_FROM_RATIO
    if (size < this.#options.compactFromBytes || !isWorthIt) return environment
    await environment.copyTo(copy)
    await this.#close()
    await chmod(copy, 0o600)
    await syncFile(copy)
    await rename(copy, this.#file)
    await syncDirectory(this.#directory)
    return this.#open()
  }

  // After a failure LMDB may refuse to go on until it is opened anew. What it then finds tells whether
  // the group is there, for no two groups have the same revision: if so, one more commit makes sure that it
  // stays. If even that fails it is closed, and looked at again before the next commit.
  async #isKeptAfterAll({ revision }: Group): Promise<boolean> {
    try {
      await this.#close()
      const environment = await this.#open()
      if (environment.revision() !== revision) return false
      await environment.keep({ revision, writes: [] })
      return true
    } catch {
      await this.#close().catch(() => undefined)
      return false
    }
  }

  // What was refused must not be there: whoever has only memory to go by does not know of it.
  async #openAgain(): Promise<Environment> {
    const environment = await this.#open()
    if (environment.revision() === this.#revision) return environment
    await this.#close()
    throw new Error(
      `${this.#file} holds a change that was refused: nothing can be kept until the store is opened anew`,
    )
  }
}

const isOfLmdb = (error: unknown): error is Error =>
  error instanceof Error && error.message.startsWith('MDB_')

async function syncFile(path: string): Promise<void> {
  const file = await open(path, 'r')
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}

const syncDirectory = syncFile
