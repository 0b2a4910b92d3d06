import { describe, expect, it } from 'vitest'
import type { EtcdContent } from './etcd-content.ts'
import { readSnapshot, snapshotOf } from './snapshot.ts'

const contentOf = (count: number, bytes = 100): EtcdContent => ({
  revision: 1000 + count,
  entries: Array.from({ length: count }, (_, at) => ({
    key: `/registry/configmaps/default/number-${at}`,
    value: Buffer.alloc(bytes + (at % 7), at % 251),
    revision: 10 + at,
  })),
})

describe('a snapshot', () => {
  it.each([
    ['nothing', contentOf(0)],
    ['one entry', contentOf(1)],
    ['entries on one page', contentOf(20)],
    ['entries on many pages', contentOf(5000)],
    ['entries larger than a page', contentOf(30, 20_000)],
  ])('gives back %s', (_, content) => {
    const read = readSnapshot(snapshotOf(content, []), false)
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
    const read = readSnapshot(snapshotOf({ revision, entries: [...entries].reverse() }, []), false)
    expect(read.entries.map((one) => one.revision)).toEqual(entries.map((one) => one.revision))
  })

  it('is as long as etcd wants one with a sum to be', () => {
    expect(snapshotOf(contentOf(3), []).length % 512).toBe(32)
  })

  it('is refused when a byte of it was changed', () => {
    const bytes = Buffer.from(snapshotOf(contentOf(3), []))
    bytes[5000] = 0xff
    expect(() => readSnapshot(bytes, false)).toThrow(/^expected sha256 [0-9a-f]{64}, got/)
  })

  it('needs its sum, unless that is waived', () => {
    const bytes = snapshotOf(contentOf(3), [])
    const bare = bytes.subarray(0, bytes.length - 32)
    expect(() => readSnapshot(bare, false)).toThrow('snapshot missing hash')
    expect(readSnapshot(bare, true).entries).toHaveLength(3)
  })

  it.each([
    ['nothing at all', Buffer.alloc(0)],
    ['text', Buffer.from('this is no snapshot')],
    ['zeroes', Buffer.alloc(64 * 1024)],
    ['the first half of one', Buffer.from(snapshotOf(contentOf(2000), []).slice(0, 8192))],
  ])('is not read from %s', (_, bytes) => {
    expect(() => readSnapshot(bytes, true)).toThrow('invalid database')
  })

  it('never fails otherwise, whatever is changed in it', () => {
    const good = Buffer.from(snapshotOf(contentOf(40), []))
    for (let at = 0; at < good.length; at += 31) {
      const bad = Buffer.from(good)
      bad[at] = (bad[at] ?? 0) ^ 0xff
      try {
        readSnapshot(bad, true)
      } catch (error) {
        expect(String(error)).toBe('Refusal: invalid database')
      }
    }
  })
})
