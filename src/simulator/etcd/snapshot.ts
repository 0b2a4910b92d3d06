import { createHash } from 'node:crypto'
import { Refusal } from '#simulator/refusal.ts'
import { type BoltEntries, boltFile, readBucket } from './bolt-file.ts'
import type { EtcdContent } from './etcd-content.ts'
import type { KeptMember } from './etcd-state.ts'
import { entryOf, keyValue, revisionKey } from './mvcc-entry.ts'

const HASH_BYTES = 32
// How etcd tells whether there is a sum behind the pages.
const SECTOR_BYTES = 512

/** The database of a member, as its file is on disk. */
export function databaseOf(
  { revision, entries }: EtcdContent,
  members: readonly KeptMember[],
): Buffer {
  const changes = [...entries].sort((a, b) => a.revision - b.revision)
  return boltFile(
    new Map<string, BoltEntries>([
      ['alarm', []],
      ['auth', []],
      ['authRoles', []],
      ['authUsers', []],
      ['cluster', [text('clusterVersion', '3.6.0')]],
      ['key', changes.map((entry) => [revisionKey(entry.revision), keyValue(entry)])],
      ['lease', []],
      ['members', members.map((member) => text(hex(member.id), memberJson(member)))],
      ['members_removed', []],
      [
        'meta',
        [[Buffer.from('consistent_index'), indexBytes(revision)], text('storageVersion', '3.6.0')],
      ],
    ]),
  )
}

/** A snapshot as etcd's own tools read it: a database, and the SHA-256 of it, which a copy of the file has not. */
export const snapshotOf = (database: Buffer): Uint8Array =>
  Buffer.concat([database, createHash('sha256').update(database).digest()])

/** What a snapshot holds, whether it is whole or not. Refused, in etcd's words, when it is none. */
export function readSnapshot(bytes: Uint8Array): EtcdContent {
  const all = Buffer.from(bytes)
  const file = hasHash(all) ? all.subarray(0, -HASH_BYTES) : all
  const keys = readBucket(file, 'key')
  if (!keys) throw refused('invalid database')
  const entries = keys.flatMap(([key, value]) => entryOf(key, value) ?? [])
  const index = readBucket(file, 'meta')?.find(([key]) => key.toString() === 'consistent_index')
  const revision = Math.max(
    1,
    ...entries.slice(-1).map((one) => one.revision),
    numberIn(index?.[1]),
  )
  return { revision, entries }
}

/** Refuses, in etcd's words, a snapshot that was changed on the way, or that has nothing to know that by. */
export function checkHash(bytes: Uint8Array): void {
  const all = Buffer.from(bytes)
  if (!hasHash(all)) throw refused('snapshot missing hash but --skip-hash-check=false')
  const [file, kept] = [all.subarray(0, -HASH_BYTES), all.subarray(-HASH_BYTES)]
  const hash = createHash('sha256').update(file).digest()
  if (hash.equals(kept)) return
  throw refused(`expected sha256 ${kept.toString('hex')}, got ${hash.toString('hex')}`)
}

const hasHash = ({ length }: Buffer): boolean => length % SECTOR_BYTES === HASH_BYTES

const refused = (message: string): Refusal => new Refusal('Unknown', message)

const text = (key: string, value: string): [Buffer, Buffer] => [
  Buffer.from(key),
  Buffer.from(value),
]

const hex = (id: bigint): string => id.toString(16).padStart(16, '0')

const memberJson = ({ id, name, peerUrls, clientUrls, isLearner }: KeptMember): string =>
  `{"id":${id},"peerURLs":${JSON.stringify(peerUrls)},${isLearner ? '"isLearner":true,' : ''}"name":${JSON.stringify(name)},"clientURLs":${JSON.stringify(clientUrls)}}`

function indexBytes(index: number): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64BE(BigInt(index))
  return bytes
}

const numberIn = (bytes: Buffer | undefined): number =>
  bytes?.length === 8 ? Number(bytes.readBigUInt64BE()) : 0
