import { constants } from 'node:fs'
import { access, mkdir, open, readFile } from 'node:fs/promises'
import { dirname } from 'node:path'

const ONLY_FOR_ME = 0o600
const WORDS = new Map([['EISDIR', 'is a directory']])

/** A file that cannot be used, and why, in the words that talosctl has for it. */
export class FileError extends Error {
  override readonly name = 'FileError'
}

/** The text of a file. Throws a FileError that names it. */
export async function readText(path: string): Promise<string> {
  const bytes = await named(path, () => readFile(path))
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw new FileError(`${path} is not a text in UTF-8`)
  }
}

/** Throws for the first file that is there already, unless it may be overwritten. */
export async function demandFree(paths: readonly string[], force: boolean): Promise<void> {
  for (const path of force ? [] : paths) {
    const isThere = await access(path, constants.F_OK).then(
      () => true,
      () => false,
    )
    if (isThere) throw taken(path)
  }
}

interface KeyFile {
  readonly path: string
  readonly text: string
  /** Whether it may be there already. */
  readonly force: boolean
  /** Whether the folders above it are made. */
  readonly withFolders?: boolean
}

/** Writes a file that holds keys: nobody else can read it, also if it was there and others could. */
export async function writeKeyFile({ path, text, force, withFolders }: KeyFile): Promise<void> {
  if (withFolders) {
    const folder = dirname(path)
    await named(folder, () => mkdir(folder, { recursive: true }))
  }
  await named(path, async () => {
    await using file = await open(path, force ? 'w' : 'wx', ONLY_FOR_ME)
    const found = await file.stat()
    // A pipe or a terminal has an owner of its own.
    if (found.isFile()) await file.chmod(ONLY_FOR_ME)
    await file.writeFile(text)
  })
}

/** Does it to the file of that path, which an error of the system is said to be about. */
export async function named<Result>(path: string, act: () => Promise<Result>): Promise<Result> {
  try {
    return await act()
  } catch (error) {
    throw isSystemError(error) ? failed(path, error) : error
  }
}

interface SystemError extends Error {
  readonly code: string
  readonly syscall: string
}

const isSystemError = (error: unknown): error is SystemError =>
  error instanceof Error && 'code' in error && 'syscall' in error

function failed(path: string, { code, syscall, message }: SystemError): FileError {
  if (code === 'EEXIST') return taken(path)
  const [, words = message] = /^\w+: ([^,]+)/.exec(message) ?? []
  return new FileError(`${syscall} ${path}: ${WORDS.get(code) ?? words}`)
}

const taken = (path: string): FileError =>
  new FileError(`file ${JSON.stringify(path)} already exists, use --force to overwrite`)
