import type { Stats } from 'node:fs'
import { lstat, mkdir, readdir, readFile, rmdir, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { delayMs } from '#base/backoff.ts'
import type { Clock } from '#base/clock.ts'
import { messageOf, OperatorError } from '#base/operator-error.ts'
import type {
  FilesOwner,
  FilesSeen,
  ResultsFolder,
  WantedFile,
} from '#controllers/kubernetes-cluster/results.ts'
import { RecentlyUsed } from '#engine/recently-used.ts'
import type { Metrics } from '#runtime/metrics.ts'
import { Answering } from './answering.ts'
import { FilesCount } from './files-count.ts'
import { type Disk, isDraft, realDisk, replaceFile } from './replaced-file.ts'
import { type Marker, markerText, readMarker } from './results-marker.ts'

const BACKOFF = { firstMs: 1_000, mostMs: 300_000 }
const MARKER = '.talos-operator.json'
const MEBIBYTE = 1024 * 1024
// Clusters that go without a word would be remembered for ever.
const MOST_REMEMBERED = 2_000
// Well below what a look may take as a whole: clusters come up as well without their files.
const LIMIT_MS = 5_000
// Group by group, each within the limit: a disk that takes its time for each file is slow, and does not hang.
const LOOKED_AT_ONCE = 100

interface Options {
  /** Where the folders of clusters are. Made when it is first needed. */
  root: string
  clock: Clock
  tally: Pick<Metrics, 'fileOperated'>
  /** Those whose clusters are known here. None: all are. */
  namespaces: readonly string[]
  /** What files are written by. Left out: the file system of this machine. */
  disk?: Disk
}

const NOTHING: FilesSeen = { stale: [], surplus: [] }

interface Trouble {
  generation: number
  message: string
  tries: number
  retryAt: Date
}

/** What a file was when it was last compared: while it is the same, it need not be read. */
interface Known {
  stamp: string
  version: string
}

/** The results folder on a disk. */
export class DiskResultsFolder implements ResultsFolder {
  readonly #options: Options
  readonly #troubles = new RecentlyUsed<Trouble>(MOST_REMEMBERED)
  readonly #known = new RecentlyUsed<Map<string, Known>>(MOST_REMEMBERED)
  /** What markers said when they were last read, by their folders. */
  readonly #markers = new RecentlyUsed<{ stamp: string; marker: Marker }>(MOST_REMEMBERED)
  /** Clusters that have the files of another, which is gone and left them to nobody. */
  readonly #heirs = new RecentlyUsed<string>(MOST_REMEMBERED)

  readonly #answering: Answering

  constructor(options: Options) {
    this.#options = options
    const { root, clock } = options
    this.#answering = new Answering({ what: root, limitMs: LIMIT_MS, clock })
  }

  async look(
    owner: FilesOwner,
    wanted: readonly WantedFile[],
    isLive: Parameters<ResultsFolder['look']>[2],
  ): Promise<FilesSeen> {
    try {
      return this.#with(owner, await this.#compare(owner, wanted, isLive))
    } catch (error) {
      // Counted when it is next tried to write: to look is tried again with each pass.
      const names = wanted.map(({ name }) => name)
      const known = this.#troubleOf(owner) ?? this.#note(owner, error)
      return { stale: names, surplus: [], trouble: known }
    }
  }

  async write(owner: FilesOwner, files: readonly WantedFile[]): Promise<void> {
    const wanted = files.map(({ name }) => name)
    const count = new FilesCount(this.#options.tally)
    // What is not known to be there, and ours, is to be created.
    count.expect('create', wanted)
    await this.#trying({ owner, count }, async () => {
      const folder = await this.#open(owner)
      const marker = await this.#ownMarker(owner)
      const listed = new Set(marker?.files)
      for (const name of wanted.filter((one) => listed.has(one))) {
        if (await statsOf(join(folder, name))) count.becomes('update', name)
      }
      for (const name of wanted.filter((one) => !listed.has(one))) {
        await demandFree(join(folder, name))
      }
      // Before they are there: whoever is interrupted here still knows which are ours.
      await this.#mark(owner, [...listed, ...wanted])
      for (const file of files) {
        await this.#put(owner, folder, file)
        count.done(file.name)
      }
    })
  }

  async remove(owner: FilesOwner, names: readonly string[]): Promise<void> {
    const count = new FilesCount(this.#options.tally)
    // Where nobody can tell which there are, it is one that cannot be removed.
    count.expect('delete', names.length > 0 ? names : [MARKER])
    await this.#trying({ owner, count }, async () => {
      const marker = await this.#ownMarker(owner)
      const listed = names.filter((name) => marker?.files.includes(name))
      count.expect('delete', listed)
      if (!marker) return
      const folder = this.#folder(owner)
      for (const name of listed) {
        await gone(join(folder, name))
        count.done(name)
      }
      const left = marker.files.filter((name) => !listed.includes(name))
      if (left.length > 0) return this.#mark(owner, left)
      for (const draft of (await readdir(folder)).filter(isDraft)) {
        await gone(join(folder, draft))
      }
      await gone(join(folder, MARKER))
      this.#known.delete(owner.uid)
      this.#heirs.delete(owner.uid)
      await rmdir(folder).catch(unlessNotEmpty)
    })
  }

  async #compare(
    owner: FilesOwner,
    wanted: readonly WantedFile[],
    isLive: Parameters<ResultsFolder['look']>[2],
  ): Promise<FilesSeen> {
    const marker = await this.#answering.within(() => this.#markerSeen(owner))
    if (marker && !this.#isOwn(marker, owner)) {
      // Nobody here knows whether a cluster elsewhere is there: what may be somebody's is left alone.
      if (isLive(marker) || !this.#isWatched(marker)) {
        if (wanted.length === 0) return NOTHING
        throw anothers(this.#folder(owner), marker)
      }
      this.#heirs.set(owner.uid, marker.uid)
    }
    const listed = new Set(marker?.files)
    const stale: string[] = []
    for (let at = 0; at < wanted.length; at += LOOKED_AT_ONCE) {
      const some = wanted.slice(at, at + LOOKED_AT_ONCE)
      const isFresh = async (file: WantedFile) =>
        listed.has(file.name) && (await this.#isFresh(owner, file))
      const states = await this.#answering.within(() => Promise.all(some.map(isFresh)))
      stale.push(...some.filter((_, index) => !states[index]).map(({ name }) => name))
    }
    const names = new Set(wanted.map(({ name }) => name))
    return {
      stale,
      surplus: [...listed].filter((name) => !names.has(name)),
    }
  }

  #isWatched({ namespace }: Marker): boolean {
    const { namespaces } = this.#options
    return namespaces.length === 0 || namespaces.includes(namespace)
  }

  async #isFresh(owner: FilesOwner, file: WantedFile): Promise<boolean> {
    const path = join(this.#folder(owner), file.name)
    const stats = await statsOf(path)
    if (!stats?.isFile() || stats.size > MEBIBYTE) return false
    const stamp = stampOf(stats)
    const known = this.#knownOf(owner).get(file.name)
    if (known?.stamp === stamp && known.version === file.version) return true
    const text = file.text()
    const isSame = stats.size === Buffer.byteLength(text) && (await readFile(path, 'utf8')) === text
    if (isSame) this.#knownOf(owner).set(file.name, { stamp, version: file.version })
    return isSame
  }

  #isOwn(marker: Marker, { uid }: FilesOwner): boolean {
    return marker.uid === uid || marker.uid === this.#heirs.get(uid)
  }

  async #put(
    owner: FilesOwner,
    folder: string,
    { name, version, text }: WantedFile,
  ): Promise<void> {
    const path = join(folder, name)
    const content = text()
    if (Buffer.byteLength(content) > MEBIBYTE) throw new Error(`${name} would be over 1 MiB`)
    await this.#replace(path, content)
    const stats = await lstat(path)
    this.#knownOf(owner).set(name, { stamp: stampOf(stats), version })
  }

  async #mark(owner: FilesOwner, files: readonly string[]): Promise<void> {
    const { namespace, name, uid } = owner
    const marker = { namespace, name, uid, files: [...new Set(files)].sort() }
    await this.#replace(join(this.#folder(owner), MARKER), markerText(marker))
  }

  #replace(path: string, content: string): Promise<void> {
    return replaceFile(path, content, this.#options.disk ?? realDisk)
  }

  /** The marker, unless it is another's. */
  async #ownMarker(owner: FilesOwner): Promise<Marker | undefined> {
    const marker = await this.#marker(owner)
    if (marker && !this.#isOwn(marker, owner)) throw anothers(this.#folder(owner), marker)
    return marker
  }

  async #marker(owner: FilesOwner): Promise<Marker | undefined> {
    const folder = this.#folder(owner)
    const stats = await statsOf(folder)
    if (stats && !stats.isDirectory()) throw new Error(`${folder} is no folder`)
    return stats && readMarker(join(folder, MARKER))
  }

  /** The same to look by, which is done all the time: not read again while it is the file that was read. */
  async #markerSeen(owner: FilesOwner): Promise<Marker | undefined> {
    const folder = this.#folder(owner)
    const stats = await statsOf(join(folder, MARKER)).catch(() => undefined)
    const known = this.#markers.get(folder)
    const isSame = stats?.isFile() && known?.stamp === stampOf(stats) && (await isFolder(folder))
    if (isSame) return known?.marker
    const marker = await this.#marker(owner)
    if (marker && stats) this.#markers.set(folder, { stamp: stampOf(stats), marker })
    else this.#markers.delete(folder)
    return marker
  }

  async #open(owner: FilesOwner): Promise<string> {
    const folder = this.#folder(owner)
    await mkdir(this.#options.root, { recursive: true })
    if (!(await statsOf(folder))) await mkdir(folder)
    return folder
  }

  #folder({ folder }: FilesOwner): string {
    return join(this.#options.root, folder)
  }

  #knownOf({ uid }: FilesOwner): Map<string, Known> {
    const known = this.#known.get(uid) ?? new Map<string, Known>()
    this.#known.set(uid, known)
    return known
  }

  async #trying(
    { owner, count }: { owner: FilesOwner; count: FilesCount },
    act: () => Promise<unknown>,
  ): Promise<void> {
    try {
      await this.#answering.within(act)
      this.#troubles.delete(owner.uid)
    } catch (error) {
      count.failed()
      const { message } = this.#note(owner, error)
      throw new OperatorError('FileSystemError', { message, cause: error })
    }
  }

  #with(owner: FilesOwner, seen: FilesSeen): FilesSeen {
    const trouble = this.#troubleOf(owner)
    // What was in the way of it is over by itself.
    if (seen.stale.length + seen.surplus.length === 0) this.#troubles.delete(owner.uid)
    return trouble && seen.stale.length + seen.surplus.length > 0 ? { ...seen, trouble } : seen
  }

  #troubleOf({ uid, generation }: FilesOwner): Trouble | undefined {
    const trouble = this.#troubles.get(uid)
    return trouble?.generation === generation ? trouble : undefined
  }

  #note(owner: FilesOwner, error: unknown): Trouble {
    const { uid, generation } = owner
    const tries = (this.#troubleOf(owner)?.tries ?? 0) + 1
    const retryAt = new Date(this.#options.clock.now().getTime() + delayMs(BACKOFF, tries))
    const trouble = { generation, message: messageOf(error), tries, retryAt }
    this.#troubles.set(uid, trouble)
    return trouble
  }
}

const anothers = (folder: string, { namespace, name }: Marker): Error =>
  new Error(
    `${folder} has the files of KubernetesCluster ${namespace}/${name}, which are left as they are: give one of the two another clusterName`,
  )

/** Whoever has written a file of that name keeps it. */
async function demandFree(path: string): Promise<void> {
  if (await statsOf(path)) {
    throw new Error(`${path} is there and was not written by this operator: move it elsewhere`)
  }
}

const isFolder = async (path: string): Promise<boolean> =>
  (await statsOf(path))?.isDirectory() === true

/** What is at a path itself, whatever it leads to. */
async function statsOf(path: string): Promise<Stats | undefined> {
  try {
    return await lstat(path)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
}

async function gone(path: string): Promise<void> {
  try {
    await unlink(path)
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error
  }
}

/** Files of others stay, and the folder with them. */
function unlessNotEmpty(error: unknown): void {
  if (!['ENOTEMPTY', 'EEXIST', 'ENOENT'].includes(codeOf(error))) throw error
}

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : ''

const stampOf = ({ ino, size, mtimeMs, ctimeMs }: Stats): string =>
  `${ino} ${size} ${mtimeMs} ${ctimeMs}`
