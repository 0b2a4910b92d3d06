// The file format of bbolt, in which etcd keeps its data: pages that form a tree for each bucket.
const PAGE_BYTES = 4096
const HEADER_BYTES = 16
const ELEMENT_BYTES = 16
const [BRANCH, LEAF, META, FREELIST] = [0x01, 0x02, 0x04, 0x10]
const MAGIC = 0xed0cdaed
const FORMAT = 2
const META_BYTES = 64
const CHECKED_BYTES = 56
const DEEPEST = 32

/** Keys and values in the order of the bytes of the keys. */
export type BoltEntries = readonly (readonly [Buffer, Buffer])[]

/** A database with these buckets, in the order of their names. */
export function boltFile(buckets: ReadonlyMap<string, BoltEntries>): Buffer {
  const pages = new Pages()
  const roots = [...buckets].map(([name, entries]): [Buffer, Buffer] => [
    Buffer.from(name),
    bucketAt(pages.tree(entries.map(([key, value]) => ({ key, value, flags: 0 })))),
  ])
  const root = pages.tree(roots.map(([key, value]) => ({ key, value, flags: 1 })))
  const meta = (transaction: number) =>
    page({
      id: transaction,
      flags: META,
      count: 0,
      content: metaContent({ root, next: pages.next, transaction }),
    })
  const freelist = page({ id: 2, flags: FREELIST, count: 0, content: Buffer.alloc(0) })
  return Buffer.concat([meta(0), meta(1), freelist, ...pages.written])
}

interface Element {
  key: Buffer
  value: Buffer
  flags: number
}

interface Child {
  key: Buffer
  id: number
}

/** Pages one after the other, behind the three that every database begins with. */
class Pages {
  readonly written: Buffer[] = []
  next = 3

  /** Writes a tree; returns the number of its root. */
  tree(elements: readonly Element[]): number {
    let level = runs(elements, ({ key, value }) => key.length + value.length).map((run) =>
      this.#leaf(run),
    )
    while (level.length > 1) {
      level = runs(level, ({ key }) => key.length).map((run) => this.#branch(run))
    }
    return level[0]?.id ?? this.#leaf([]).id
  }

  #leaf(elements: readonly Element[]): Child {
    const texts = elements.map(({ key, value }) => Buffer.concat([key, value]))
    const heads = elements.map(({ flags, key, value }, at) => {
      const head = Buffer.alloc(ELEMENT_BYTES)
      head.writeUInt32LE(flags, 0)
      head.writeUInt32LE(distance(texts, at), 4)
      head.writeUInt32LE(key.length, 8)
      head.writeUInt32LE(value.length, 12)
      return head
    })
    return this.#add(LEAF, elements, Buffer.concat([...heads, ...texts]))
  }

  #branch(children: readonly Child[]): Child {
    const texts = children.map(({ key }) => key)
    const heads = children.map(({ key, id }, at) => {
      const head = Buffer.alloc(ELEMENT_BYTES)
      head.writeUInt32LE(distance(texts, at), 0)
      head.writeUInt32LE(key.length, 4)
      head.writeBigUInt64LE(BigInt(id), 8)
      return head
    })
    return this.#add(BRANCH, children, Buffer.concat([...heads, ...texts]))
  }

  #add(flags: number, elements: readonly { key: Buffer }[], content: Buffer): Child {
    const id = this.next
    const bytes = page({ id, flags, count: elements.length, content })
    this.written.push(bytes)
    this.next += bytes.length / PAGE_BYTES
    return { key: elements[0]?.key ?? Buffer.alloc(0), id }
  }
}

/** From the head of an element to its text, which lies behind all heads. */
function distance(texts: readonly Buffer[], at: number): number {
  const before = texts.slice(0, at).reduce((sum, text) => sum + text.length, 0)
  return (texts.length - at) * ELEMENT_BYTES + before
}

/** Cuts a list so that each part fits a page; what does not fit one gets several for itself. */
function runs<T>(items: readonly T[], bytesOf: (item: T) => number): T[][] {
  const all: T[][] = []
  let room = 0
  for (const item of items) {
    const bytes = bytesOf(item) + ELEMENT_BYTES
    if (bytes > room) {
      all.push([])
      room = PAGE_BYTES - HEADER_BYTES
    }
    all.at(-1)?.push(item)
    room -= bytes
  }
  return all
}

interface PageContent {
  id: number
  flags: number
  count: number
  content: Buffer
}

function page({ id, flags, count, content }: PageContent): Buffer {
  const pages = Math.ceil((HEADER_BYTES + content.length) / PAGE_BYTES)
  const bytes = Buffer.alloc(pages * PAGE_BYTES)
  bytes.writeBigUInt64LE(BigInt(id), 0)
  bytes.writeUInt16LE(flags, 8)
  bytes.writeUInt16LE(count, 10)
  bytes.writeUInt32LE(pages - 1, 12)
  content.copy(bytes, HEADER_BYTES)
  return bytes
}

function bucketAt(root: number): Buffer {
  const bytes = Buffer.alloc(16)
  bytes.writeBigUInt64LE(BigInt(root))
  return bytes
}

function metaContent(meta: { root: number; next: number; transaction: number }): Buffer {
  const bytes = Buffer.alloc(META_BYTES)
  bytes.writeUInt32LE(MAGIC, 0)
  bytes.writeUInt32LE(FORMAT, 4)
  bytes.writeUInt32LE(PAGE_BYTES, 8)
  bytes.writeBigUInt64LE(BigInt(meta.root), 16)
  bytes.writeBigUInt64LE(2n, 32)
  bytes.writeBigUInt64LE(BigInt(meta.next), 40)
  bytes.writeBigUInt64LE(BigInt(meta.transaction), 48)
  bytes.writeBigUInt64LE(fnv64a(bytes.subarray(0, CHECKED_BYTES)), CHECKED_BYTES)
  return bytes
}

/** The sum by which bbolt knows a page that was written whole. */
function fnv64a(bytes: Buffer): bigint {
  let sum = 0xcbf29ce484222325n
  for (const byte of bytes) sum = BigInt.asUintN(64, (sum ^ BigInt(byte)) * 0x100000001b3n)
  return sum
}

/** The entries of one bucket of a database; nothing, if it is no database or has no such bucket. Never trusts a length. */
export function readBucket(file: Buffer, name: string): BoltEntries | undefined {
  const root = rootOf(file)
  if (root === undefined) return undefined
  try {
    const found = entriesUnder(file, root).find(([key]) => key.toString() === name)
    if (!found) return undefined
    return entriesUnder(file, Number(found[1].readBigUInt64LE()))
  } catch (error) {
    // A length or a page number that leads out of the file.
    if (error instanceof RangeError) return undefined
    throw error
  }
}

function rootOf(file: Buffer): number | undefined {
  const metas = [0, 1].flatMap((at) => {
    const start = at * PAGE_BYTES + HEADER_BYTES
    const bytes = file.subarray(start, start + META_BYTES)
    return isMeta(bytes) ? [bytes] : []
  })
  const newest = metas.sort((a, b) => Number(b.readBigUInt64LE(48) - a.readBigUInt64LE(48)))[0]
  return newest && Number(newest.readBigUInt64LE(16))
}

const isMeta = (bytes: Buffer): boolean =>
  bytes.length === META_BYTES &&
  bytes.readUInt32LE(0) === MAGIC &&
  bytes.readUInt32LE(8) === PAGE_BYTES &&
  bytes.readBigUInt64LE(CHECKED_BYTES) === fnv64a(bytes.subarray(0, CHECKED_BYTES))

function entriesUnder(file: Buffer, root: number): BoltEntries {
  const entries: [Buffer, Buffer][] = []
  // Each page once: one that leads back to another would never end.
  const seen = new Set<number>()
  const walk = (id: number, depth: number): void => {
    if (depth > DEEPEST || seen.has(id)) throw new RangeError('the tree has no end')
    seen.add(id)
    const start = id * PAGE_BYTES
    const isLeaf = file.readUInt16LE(start + 8) === LEAF
    for (let at = 0; at < file.readUInt16LE(start + 10); at++) {
      const head = start + HEADER_BYTES + at * ELEMENT_BYTES
      if (isLeaf) entries.push(leafEntry(file, head))
      else walk(Number(file.readBigUInt64LE(head + 8)), depth + 1)
    }
  }
  walk(root, 0)
  return entries
}

function leafEntry(file: Buffer, head: number): [Buffer, Buffer] {
  const key = head + file.readUInt32LE(head + 4)
  const value = key + file.readUInt32LE(head + 8)
  const end = value + file.readUInt32LE(head + 12)
  if (end > file.length) throw new RangeError('an entry ends behind the file')
  return [file.subarray(key, value), file.subarray(value, end)]
}
