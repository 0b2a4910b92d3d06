import { describe, expect, it } from 'vitest'
import type { EtcdContent } from './etcd-content.ts'
import { checkHash, databaseOf, readSnapshot, snapshotOf } from './snapshot.ts'

const contentOf = (count: number, bytes = 100): EtcdContent => ({
  revision: 1000 + count,
  entries: Array.from({ length: count }, (_, at) => ({
    key: `/registry/configmaps/default/number-${at}`,
    value: Buffer.alloc(bytes + (at % 7), at % 251),
    revision: 10 + at,
  })),
})

const snapshotWith = (content: EtcdContent): Uint8Array => snapshotOf(databaseOf(content, []))

describe('a snapshot', () => {
  it.each([
    ['nothing', contentOf(0)],
    ['one entry', contentOf(1)],
    ['entries on one page', contentOf(20)],
    ['entries on many pages', contentOf(5000)],
    ['entries larger than a page', contentOf(30, 20_000)],
  ])('gives back %s', (_, content) => {
    const read = readSnapshot(snapshotWith(content))
    expect(read.revision).toBe(content.revision)
    expect(read.entries.map(({ key, revision }) => [key, revision])).toEqual(
      content.entries.map(({ key, revision }) => [key, revision]),
    )
    const isSame = ({ value }: { value: Uint8Array }, at: number) =>
      Buffer.from(value).equals(content.entries[at]?.value ?? Buffer.alloc(0))
    expect(read.entries.every(isSame)).toBe(true)
  })

  it('orders its changes by revision, whatever order they come in', () => {
    const { revision, entries } = contentOf(300)
    const read = readSnapshot(snapshotWith({ revision, entries: [...entries].reverse() }))
    expect(read.entries.map((one) => one.revision)).toEqual(entries.map((one) => one.revision))
  })

  it('is as long as etcd wants one with a sum to be', () => {
    expect(snapshotWith(contentOf(3)).length % 512).toBe(32)
  })

  it('is refused when a byte of it was changed, unless its sum does not count', () => {
    const bytes = Buffer.from(snapshotWith(contentOf(3)))
    bytes[5000] = 0xff
    expect(() => checkHash(bytes)).toThrow(/^expected sha256 [0-9a-f]{64}, got/)
    expect(() => readSnapshot(bytes)).not.toThrow()
  })

  it('is taken by its sum, which a copy of the database has not', () => {
    const database = databaseOf(contentOf(3), [])
    expect(() => checkHash(snapshotOf(database))).not.toThrow()
    expect(() => checkHash(database)).toThrow('snapshot missing hash but --skip-hash-check=false')
    expect(readSnapshot(database).entries).toHaveLength(3)
  })

  it.each([
    ['nothing at all', Buffer.alloc(0)],
    ['text', Buffer.from('this is no snapshot')],
    ['zeroes', Buffer.alloc(64 * 1024)],
    ['the first half of one', Buffer.from(snapshotWith(contentOf(2000)).slice(0, 8192))],
  ])('is not read from %s', (_, bytes) => {
    expect(() => readSnapshot(bytes)).toThrow('invalid database')
  })

  it('never fails otherwise, whatever is changed in it', () => {
    const good = Buffer.from(snapshotWith(contentOf(40)))
    for (let at = 0; at < good.length; at += 31) {
      const bad = Buffer.from(good)
      bad[at] = (bad[at] ?? 0) ^ 0xff
      try {
        readSnapshot(bad)
      } catch (error) {
        expect(String(error)).toBe('Refusal: invalid database')
      }
    }
  })
})
