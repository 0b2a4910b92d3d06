import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import type { Clock } from '#base/clock.ts'
import { shareRuns } from '#base/share-runs.ts'

// A rotated token is valid long before the old one ends; looking more often would gain nothing.
const LOOK_EVERY_MS = 5_000
const LARGEST_BYTES = 1024 * 1024

/** Yields what is valid now. `renew` says that the last one was refused: it is forgotten first. */
export type Source<Value> = (options: { renew: boolean; signal: AbortSignal }) => Promise<Value>

interface Followed<Value> {
  paths: string[]
  /** Makes the value of the texts, in the order of the paths. Throws where they make none. */
  parse: (texts: string[]) => Value
  clock: Clock
}

/**
 * Reads files that others replace while we run, and reads them anew when they have changed. While
 * the change makes no sense (half written, or gone) the last good value stays, unless renewed.
 */
export function followFiles<Value>({ paths, parse, clock }: Followed<Value>): Source<Value> {
  let kept: { value: Value; version: string } | undefined
  let lookedAtMs = 0

  const look = shareRuns(async (signal) => {
    lookedAtMs = clock.monotonicMs()
    try {
      // Before the texts: a change in between is then seen at the next look.
      const version = (await Promise.all(paths.map(versionOf))).join()
      if (kept?.version === version) return kept
      return { value: parse(await Promise.all(paths.map(textOf(signal)))), version }
    } catch (error) {
      if (kept && !signal.aborted) return kept
      throw error
    }
  })

  return async ({ renew, signal }) => {
    signal.throwIfAborted()
    if (renew) kept = undefined
    if (!kept || clock.monotonicMs() - lookedAtMs >= LOOK_EVERY_MS) kept = await look(signal)
    return kept.value
  }
}

/** The text of a file up to a bound, or undefined where there is none. Errors name it and say why. */
export async function readSmallFile(
  path: string,
  { mostBytes, signal }: { mostBytes: number; signal: AbortSignal },
): Promise<string | undefined> {
  const chunks: Buffer[] = []
  let bytes = 0
  try {
    // One byte more than allowed is enough to know.
    for await (const chunk of createReadStream(path, { end: mostBytes, signal })) {
      const buffer: Buffer = chunk
      bytes += buffer.length
      chunks.push(buffer)
    }
  } catch (error) {
    signal.throwIfAborted()
    if (isMissing(error)) return undefined
    throw new Error(`cannot read ${path}: ${reasonOf(error)}`, { cause: error })
  }
  if (bytes > mostBytes) {
    throw new Error(`refused to read ${path}: it is larger than ${mostBytes / 1024 / 1024} MiB`)
  }
  return Buffer.concat(chunks).toString('utf8')
}

const textOf =
  (signal: AbortSignal) =>
  async (path: string): Promise<string> => {
    const text = await readSmallFile(path, { mostBytes: LARGEST_BYTES, signal })
    if (text === undefined) throw noSuchFile(path)
    return text
  }

/** Tells two states of a file apart. Kubernetes rotates by a symbolic link to another file. */
async function versionOf(path: string): Promise<string> {
  try {
    const { ino, size, mtimeNs } = await stat(path, { bigint: true })
    return `${ino}:${size}:${mtimeNs}`
  } catch (error) {
    if (isMissing(error)) throw noSuchFile(path)
    throw new Error(`cannot read ${path}: ${reasonOf(error)}`, { cause: error })
  }
}

const noSuchFile = (path: string): Error =>
  new Error(`cannot read ${path}: there is no such file; is its name right, is it mounted?`)

const isMissing = (error: unknown): boolean => ['ENOENT', 'ENOTDIR'].includes(codeOf(error))

const REASONS: Record<string, string> = {
  EACCES: 'this user may not; change its owner or its mode',
  EISDIR: 'it is a folder; name a file in it',
}

const reasonOf = (error: unknown): string => REASONS[codeOf(error)] ?? codeOf(error)

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : 'an unknown error'
