// The picture of the demo: what a terminal showed of it, screen after screen. Where nothing moves, the last one is seen.

import { type Frame, type Recording, readRecording } from '#scripts/demo/recording.ts'
import { type GeneratedFile, MARKER } from './tree.ts'

const [CHARACTER, LINE, FONT] = [8, 18, 13]
const [MARGIN, BAR] = [16, 34]
const FONTS = "ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace"

/** The pictures that are made from recordings. */
export const pictureFiles = (): GeneratedFile[] => [
  { path: 'docs/pictures/demo.svg', content: terminalPicture(readRecording()) },
]

/** A recording as a picture that moves once. */
export function terminalPicture({ command, columns, frames }: Recording): string {
  const height = Math.max(...frames.map(({ lines }) => lines.length))
  const size = { x: columns * CHARACTER + 2 * MARGIN, y: BAR + height * LINE + MARGIN }
  const rows = Array.from({ length: height }, (_, row) => spansOf(frames, row).map(textOf)).flat()
  return `<!-- ${MARKER} It shows docs/pictures/demo.json, which scripts/record-demo.ts has recorded from a run of the program. -->
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size.x} ${size.y}" width="${size.x}" height="${size.y}" font-family="${FONTS}" font-size="${FONT}" role="img" aria-label="A terminal in which ${escaped(command)} runs">
<style>
text { fill: #d6deeb }
.past { visibility: hidden }
@keyframes on { from, to { visibility: visible } }
@keyframes off { from, to { visibility: hidden } }
@media (prefers-reduced-motion) { text { animation: none !important } }
</style>
<rect width="100%" height="100%" rx="8" fill="#101923"/>
<path d="M0 ${BAR - 8}V8a8 8 0 0 1 8-8h${size.x - 16}a8 8 0 0 1 8 8v${BAR - 16}z" fill="#1d2a38"/>
<text x="${MARGIN}" y="${BAR - 15}">$ ${escaped(command)}</text>
${rows.join('\n')}
</svg>
`
}

/** A line that stays the same for some time. */
interface Span {
  readonly row: number
  readonly line: string
  readonly from: number
  /** Undefined: for good. */
  readonly to: number | undefined
}

function spansOf(frames: readonly Frame[], row: number): Span[] {
  const lineIn = (frame: Frame | undefined) => frame?.lines[row] ?? ''
  const begins = frames.filter((frame, at) => at === 0 || lineIn(frame) !== lineIn(frames[at - 1]))
  return begins
    .map((frame, at) => ({
      ...{ row, line: lineIn(frame), from: frame.seconds, to: begins[at + 1]?.seconds },
    }))
    .filter(({ line }) => line !== '')
}

function textOf({ row, line, from, to }: Span): string {
  const time =
    to === undefined
      ? `style="animation: off ${from}s"`
      : `class="past" style="animation: on ${(to - from).toFixed(1)}s ${from}s"`
  return `<text y="${BAR + row * LINE + FONT}" ${time}>${cellsOf(line).join('')}</text>`
}

/** What has no two blanks in it, each at its place and in its width: whatever font there is, columns stay below one another. */
const cellsOf = (line: string): string[] =>
  [...line.matchAll(/\S+(?: \S+)*/g)].map(({ 0: cell, index }) => {
    const place = `x="${MARGIN + index * CHARACTER}" textLength="${cell.length * CHARACTER}"`
    return `<tspan ${place}>${escaped(cell)}</tspan>`
  })

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
