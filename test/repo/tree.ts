import { execFile } from 'node:child_process'
import { existsSync, lstatSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { promisify } from 'node:util'

export const root = join(import.meta.dirname, '..', '..')

/** What people write as code, and what style applies to: `bin` has no extension. */
export const CODE = /^(bin\/.*|(src|scripts|examples|test|ui\/src)\/.*\.tsx?|[^/]+\.(ts|cjs))$/

/** What runs as a test. The shared halves of suites are tests too. */
export const TESTS = /(\.(test|suite|cases)|-contract)\.tsx?$/

/**
 * The environment for a git that looks where it is. In a hook, or in the middle of a rebase, git tells its children which
 * repository they are in, and `git init` elsewhere would change that one.
 */
export const OWN_PLACE = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_')),
)

/** Every file of the repository that the pattern matches, as a path relative to its root. Sorted. */
export async function filesMatching(pattern: RegExp): Promise<string[]> {
  files ??= filesOf(root)
  return (await files).filter((path) => pattern.test(path))
}

let files: Promise<string[]> | undefined

/** The text of a file of the repository. */
export const textOf = (path: string): Promise<string> => readFile(join(root, path), 'utf8')

/**
 * The files of a folder that belong to its repository or will: all but those that its .gitignore
 * names. Git says which, and where there is none, the folder is walked.
 */
export async function filesOf(folder: string): Promise<string[]> {
  const found = existsSync(join(folder, '.git')) && (await filesOfGit(folder))
  return found || filesWalked(folder)
}

async function filesOfGit(folder: string): Promise<string[] | undefined> {
  const list = ['ls-files', '-z', '--cached', '--others', '--exclude-standard']
  try {
    const { stdout } = await promisify(execFile)('git', list, {
      ...{ cwd: folder, env: OWN_PLACE, maxBuffer: 2 ** 26 },
    })
    const paths = new Set(stdout.split('\0').filter(Boolean))
    return [...paths].filter((path) => isFile(join(folder, path))).sort()
  } catch {
    return undefined
  }
}

/** Not removed since git heard of it, and no link: what a link leads to is listed itself, if ours. */
const isFile = (path: string): boolean =>
  lstatSync(path, { throwIfNoEntry: false })?.isFile() ?? false

/** The same files without git, for a .gitignore of names, `*` and folders, which ours is. */
export async function filesWalked(folder: string): Promise<string[]> {
  const lines = await readFile(join(folder, '.gitignore'), 'utf8').catch(() => '')
  const ignored = lines.split('\n').filter(Boolean).map(patternOf)
  const walk = async (inner: string): Promise<string[]> => {
    const entries = await readdir(inner, { withFileTypes: true })
    const found = entries.map((entry) => {
      const path = relative(folder, join(inner, entry.name))
      if (entry.name === '.git' || ignored.some((one) => one.test(path))) return []
      if (entry.isDirectory()) return walk(join(inner, entry.name))
      return entry.isFile() ? [path] : []
    })
    return (await Promise.all(found)).flat()
  }
  return (await walk(folder)).sort()
}

function patternOf(line: string): RegExp {
  const name = line.replace(/^\/|\/$/g, '').replace(/[.+()]/g, '\\$&')
  return new RegExp(`${line.startsWith('/') ? '^' : '(^|/)'}${name.replaceAll('*', '[^/]*')}$`)
}
