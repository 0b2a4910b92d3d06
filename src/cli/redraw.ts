import type { Cancel, Clock } from '#base/clock.ts'

/** Where something is shown to people. */
export interface Screen {
  readonly write: (text: string) => void
  /** How many lines fit; undefined where nothing can be drawn over: then changes are told line by line. */
  readonly rows: () => number | undefined
  readonly clock: Clock
}

/** Lines that change. */
export interface Drawn {
  /** What is to be seen now, in at most so many lines. */
  lines(room: number): readonly string[]
  onChange(listener: () => void): Cancel
}

const DRAW_EVERY_MS = 200

/** Draws the lines over themselves whenever they change, until it is disposed of. */
export function redraw(drawn: Drawn, { write, rows, clock }: Screen): Disposable {
  let height = 0
  let later: Cancel | undefined
  const draw = () => {
    later = undefined
    const lines = drawn.lines(rows() ?? Infinity)
    // Back to the first line of what is there, and over it.
    write(
      `${height > 0 ? `\u001b[${height}A` : ''}${lines.map((line) => `${line}\u001b[K\n`).join('')}\u001b[J`,
    )
    height = lines.length
  }
  draw()
  const cancel = drawn.onChange(() => {
    later ??= clock.after(DRAW_EVERY_MS, draw)
  })
  return {
    [Symbol.dispose]: () => {
      cancel()
      later?.()
      draw()
    },
  }
}

/** Rows of cells as lines whose columns stand below one another. */
export function aligned(rows: readonly (readonly string[])[]): readonly string[] {
  const width = (column: number) => Math.max(...rows.map((row) => row[column]?.length ?? 0))
  const widths = (rows[0] ?? []).map((_, column) => width(column))
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}
