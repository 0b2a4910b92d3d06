import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { startChild } from '#test/conformance/kubernetes/child.ts'
import { until } from '#test/until.ts'

/** What a candidate printed. */
interface Line {
  state: string
  atMs: number
  pid?: number
}

/** The clock that all processes of a machine share. */
export const nowMs = (): number => Number(process.hrtime.bigint() / 1_000_000n)

/** A process of its own that stands for election. Disposing of it ends it. */
export class RealProcess implements AsyncDisposable {
  readonly identity: string
  readonly #log: string
  readonly #child: AsyncDisposable
  #pid = 0

  constructor(identity: string, { folder, args }: { folder: string; args: string[] }) {
    this.identity = identity
    const program = join(import.meta.dirname, 'candidate.ts')
    const [kubeconfig = '', lease = '', timing = ''] = args
    this.#log = join(folder, `${identity}.log`)
    this.#child = startChild(
      process.execPath,
      ['--import', 'tsx', program, kubeconfig, lease, identity, timing],
      { log: this.#log },
    )
  }

  /** Sends a signal, and returns when that was. */
  signal(name: NodeJS.Signals): number {
    process.kill(this.#pid, name)
    return nowMs()
  }

  /** Everything it printed so far, of one sort or of all. */
  async lines(state?: string): Promise<Line[]> {
    // The last line may be half written, and the shell has a word for one that was killed.
    const whole = (await readFile(this.#log, 'utf8')).split('\n').slice(0, -1)
    const lines = whole.filter((line) => line.startsWith('{')).map((line): Line => JSON.parse(line))
    return state === undefined ? lines : lines.filter((line) => line.state === state)
  }

  /** Waits until it has printed this since a time, and returns when it did. */
  async when(state: string, sinceMs = 0): Promise<number> {
    const look = async () => (await this.lines(state)).find(({ atMs }) => atMs >= sinceMs)
    const line = await until(`${state} in ${this.#log}`, look, (found) => found !== undefined)
    if (line?.pid) this.#pid = line.pid
    return line?.atMs ?? 0
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#child[Symbol.asyncDispose]()
  }
}
