import { type FileHandle, open } from 'node:fs/promises'

// Where liblmdb 0.9.70 and later, format 2, on a 64-bit machine that stores the low byte first, keeps
// what is needed here, from the start of each of the two meta pages.
const META = { magic: 24, version: 28, pageSize: 48, lastPage: 144, transaction: 152, end: 160 }
const MAGIC = 0xbeefc0de
const VERSION = 2
// Pages at the end that a transaction took and gave back are never written: at most a few for each
// entry of a group.
const UNWRITTEN_PAGES = 2_048

/**
 * Throws a sentence when the file is no LMDB file or has lost its end. LMDB reads through a memory map,
 * where a page that is not there ends the process without a word: so this is looked at before.
 */
export async function checkFile(path: string): Promise<void> {
  const file = await open(path, 'r+').catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  })
  if (!file) return
  try {
    await check(file, path)
  } finally {
    await file.close()
  }
}

async function check(file: FileHandle, path: string): Promise<void> {
  const { size } = await file.stat()
  // Nothing was ever committed to it: the process ended while it made the file.
  if (size === 0) return
  const first = await metaAt(file, 0, path)
  const second = await metaAt(file, first.pageSize, path)
  const newest = second.transaction > first.transaction ? second : first
  const wanted = (newest.lastPage + 1) * newest.pageSize
  if (size >= wanted) return
  if (size < wanted - UNWRITTEN_PAGES * newest.pageSize) {
    throw new Error(`${path} has lost its end: it is ${size} bytes of ${wanted} long`)
  }
  // Where pages are missing after all, LMDB now finds empty ones, and says so.
  await file.truncate(wanted)
}

interface Meta {
  pageSize: number
  lastPage: number
  transaction: number
}

async function metaAt(file: FileHandle, position: number, path: string): Promise<Meta> {
  const bytes = Buffer.alloc(META.end)
  await file.read(bytes, 0, META.end, position)
  if (bytes.readUInt32LE(META.magic) !== MAGIC) {
    throw new Error(`${path} is no store: it is not an LMDB file`)
  }
  if (bytes.readUInt16LE(META.version) !== VERSION) {
    throw new Error(`${path} is an LMDB file of another version than ${VERSION}`)
  }
  return {
    pageSize: bytes.readUInt32LE(META.pageSize),
    lastPage: Number(bytes.readBigUInt64LE(META.lastPage)),
    transaction: Number(bytes.readBigUInt64LE(META.transaction)),
  }
}
