import { type Database, open, type RootDatabase } from 'lmdb'
import type { Entry, Group } from '#apiserver/store/store.ts'

const FORMAT = 'talos-operator store 1'

/** An open LMDB file in our format. */
export interface Environment {
  /** Of the last group that was kept. */
  revision(): number
  entries(): Entry[]
  keep(group: Group): Promise<void>
  /** How many bytes its pages in use take. */
  liveBytes(): number
  /** Writes a copy without unused pages. */
  copyTo(path: string): Promise<void>
  close(): Promise<void>
}

/** Opens the file, or makes it. Throws a sentence when it is somebody else's, or of a later version. */
export async function openEnvironment(path: string): Promise<Environment> {
  const root = open<Buffer, string>({
    path,
    encoding: 'binary',
    maxDbs: 2,
    // With it, a commit would count as done before it is on the disk. Without it, a commit is: write the
    // new pages, fdatasync, write the page that points at them through a descriptor with O_DSYNC; only
    // then does its promise resolve (seen with strace, and in lmdb's writer.cpp and mdb_txn_commit).
    overlappingSync: false,
    ...OWNER_ONLY,
  })
  try {
    return openDatabases(root, path)
  } catch (error) {
    await root.close()
    throw error
  }
}

// The library's types do not know it. Its default lets the group write and everyone read.
const OWNER_ONLY = { permissionsMode: 0o600 }

interface Databases {
  root: RootDatabase<Buffer, string>
  /** The revision of an entry is its version: lmdb writes it in front of the value. */
  kept: Database<Buffer, string>
  meta: Database<Buffer, string>
}

function openDatabases(root: RootDatabase<Buffer, string>, path: string): Environment {
  const names = ['entries', 'meta']
  if ([...root.getKeys()].some((name) => !names.includes(name))) throw notOurs(path)
  const databases: Databases = {
    root,
    kept: root.openDB('entries', { encoding: 'binary', useVersions: true }),
    meta: root.openDB('meta', { encoding: 'binary' }),
  }
  requireFormat(databases, path)
  return {
    revision: () => Number(databases.meta.get('revision')?.toString() ?? 0),
    entries: () => entriesOf(databases, path),
    keep: (group) => keep(databases, group),
    liveBytes: () => pageBytes(databases.kept.getStats()),
    copyTo: (copy) => root.backup(copy, true),
    close: () => root.close(),
  }
}

function requireFormat({ kept, meta }: Databases, path: string): void {
  const format = meta.get('format')?.toString()
  if (format === FORMAT) return
  if (format) {
    throw new Error(`${path} is in the format "${format}", and this program knows "${FORMAT}" only`)
  }
  if (meta.getCount() > 0 || kept.getCount() > 0) throw notOurs(path)
  meta.putSync('format', Buffer.from(FORMAT))
}

const notOurs = (path: string): Error => new Error(`${path} is an LMDB file, but not one of ours`)

function entriesOf({ kept }: Databases, path: string): Entry[] {
  const entries: Entry[] = []
  for (const { key, value, version } of kept.getRange({ versions: true })) {
    if (version === undefined || !Number.isSafeInteger(version) || version < 1) {
      throw new Error(`${path} is damaged: the entry ${key} has no revision`)
    }
    entries.push({ key, revision: version, value })
  }
  return entries
}

/** In one transaction: a batch is never split, and any write in it that fails aborts it. */
async function keep({ root, kept, meta }: Databases, { revision, writes }: Group): Promise<void> {
  const done = root.batch(() => {
    // Inside of a batch these promise nothing of their own.
    for (const { key, revision: version, value } of writes) {
      void (value ? kept.put(key, value, version) : kept.remove(key))
    }
    void meta.put('revision', Buffer.from(String(revision)))
  })
  try {
    await done
  } catch (error) {
    throw await reasonOf(error)
  }
}

/** What lmdb rejects with says only that it failed; why is in a promise that it rejects as well. */
async function reasonOf(error: unknown): Promise<unknown> {
  if (!(error instanceof Error) || !('commitError' in error)) return error
  return Promise.resolve(error.commitError).then(
    () => error,
    (reason: unknown) => reason,
  )
}

function pageBytes(stats: object): number {
  const count = (name: string): number => {
    const found = new Map<string, unknown>(Object.entries(stats)).get(name)
    return typeof found === 'number' ? found : 0
  }
  const pages = ['treeBranchPageCount', 'treeLeafPageCount', 'overflowPages'].map(count)
  return pages.reduce((sum, number) => sum + number, 0) * count('pageSize')
}
