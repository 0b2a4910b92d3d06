import { type Block, longer, NO_BLOCK } from './loop-probe.ts'
import { shown } from './table.ts'

/** Whoever can say how long its event loop was blocked. */
interface Probed {
  longestBlock(): Promise<Block>
}

/**
 * The longest that an event loop was blocked by each thing that was going on, however often. What counts is its own
 * time: that others had the cores is no doing of whoever asked for something. To wait for a disk is.
 */
export class Blocks {
  readonly #all = new Map<string, Block>()

  async observed<Result>(
    probed: Probed,
    name: string,
    work: () => Promise<Result>,
  ): Promise<Result> {
    await probed.longestBlock()
    const result = await work()
    const block = await probed.longestBlock()
    this.#all.set(name, longer(block, this.#all.get(name) ?? NO_BLOCK))
    return result
  }

  /** By whatever it was. */
  longest(): number {
    return Math.max(0, ...[...this.#all.values()].map(({ ownMs }) => ownMs))
  }

  /** All of them, the worst first: its own time, and by the clock. */
  shown(): string {
    return [...this.#all]
      .toSorted(([, one], [, other]) => other.ownMs - one.ownMs)
      .map(([name, { ms, ownMs }]) => `${name} ${shown(ownMs)} (${shown(ms)})`)
      .join(', ')
  }
}
