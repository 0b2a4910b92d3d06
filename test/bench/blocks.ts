import type { Block } from './loop-probe.ts'
import { median } from './median.ts'
import { shown } from './table.ts'

/** Whoever can say how long its event loop was blocked. */
interface Probed {
  longestBlock(): Promise<Block>
}

/**
 * How long an event loop was blocked, each time, by what was going on. What a request does to it shows each time; what
 * shows once in several times is a core, or a disk, that others had. So the middle one of several times counts.
 */
export class Blocks {
  readonly #all = new Map<string, Block[]>()

  async observed<Result>(
    probed: Probed,
    name: string,
    work: () => Promise<Result>,
  ): Promise<Result> {
    await probed.longestBlock()
    const result = await work()
    const block = await probed.longestBlock()
    this.#all.set(name, [...(this.#all.get(name) ?? []), block])
    return result
  }

  /** How long the worst of them blocked it. */
  longest(): number {
    return Math.max(0, ...[...this.#all.values()].map(usual))
  }

  /** All of them, the worst first. */
  shown(): string {
    return [...this.#all]
      .toSorted(([, one], [, other]) => usual(other) - usual(one))
      .map(([name, blocks]) => `${name} ${shown(usual(blocks))} (${shownMost(blocks)})`)
      .join(', ')
  }
}

const usual = (blocks: readonly Block[]): number => median(blocks.map(({ ms }) => ms))

function shownMost(blocks: readonly Block[]): string {
  const most = (of: (block: Block) => number) => shown(Math.max(...blocks.map(of)))
  return `${most(({ ms }) => ms)}, ${most(({ atWorkMs }) => atWorkMs)}`
}
