// The picture of growth: what fleets of several sizes took, as `make bench` has measured it, a panel for each figure.

import { type Growth, type Point, readGrowth } from '#scripts/growth/points.ts'
import { type GeneratedFile, MARKER } from './tree.ts'

const [WIDTH, HEIGHT] = [380, 190]
const [GAP, MARGIN, TOP] = [70, 60, 70]
const COLUMNS = 2

interface Panel {
  title: string
  figure: (point: Point) => number
}

const PANELS: readonly Panel[] = [
  { title: 'memory at rest, MB RSS', figure: ({ residentMb }) => residentMb },
  { title: 'CPU at rest, % of a core', figure: ({ cpuPercent }) => cpuPercent },
  { title: 'from kubectl apply to all ready, s', figure: ({ upSeconds }) => upSeconds },
  { title: 'writes a minute at rest', figure: ({ writes }) => writes },
]

export const growthPictureFiles = (): GeneratedFile[] => [
  { path: 'docs/pictures/growth.svg', content: growthPicture(readGrowth()) },
]

export function growthPicture({ date, commit, points }: Growth): string {
  const rows = Math.ceil(PANELS.length / COLUMNS)
  const width = COLUMNS * (WIDTH + GAP) + MARGIN
  const height = TOP + rows * (HEIGHT + GAP)
  return `<!-- ${MARKER} It shows docs/pictures/growth.json, which scripts/record-growth.ts has from a run of make bench. -->
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="system-ui, 'Segoe UI', 'DejaVu Sans', sans-serif" font-size="12" role="img" aria-labelledby="title">
<title id="title">What ${points.map(({ clusters }) => clusters).join(', ')} clusters of 1 + 2 machines take, measured on ${date} at ${commit}</title>
<style>
text { fill: #4a5a69 }
.name { font-weight: 600; font-size: 14px; fill: #14212e }
.axis { stroke: #c8d1da }
.line { fill: none; stroke: #2f6db3; stroke-width: 2 }
.point { fill: #2f6db3 }
</style>
<rect width="${width}" height="${height}" rx="10" fill="#f7f9fb" stroke="#c8d1da"/>
<text class="name" x="${MARGIN}" y="28">Clusters of 1 + 2 machines, one operator, two cores (${date})</text>
${PANELS.map((panel, at) => panelOf(panel, points, at)).join('\n')}
</svg>
`
}

function panelOf({ title, figure }: Panel, points: readonly Point[], at: number): string {
  const place = {
    x: MARGIN + (at % COLUMNS) * (WIDTH + GAP),
    y: TOP + Math.floor(at / COLUMNS) * (HEIGHT + GAP),
  }
  const most = {
    x: Math.max(...points.map(({ clusters }) => clusters)),
    y: roundUp(points.map(figure)),
  }
  const x = (clusters: number) => Math.round((clusters / most.x) * WIDTH)
  const y = (value: number) => Math.round(HEIGHT - (value / most.y) * HEIGHT)
  const dots = points.map((point) => ({ x: x(point.clusters), y: y(figure(point)), point }))
  return `<g transform="translate(${place.x} ${place.y})">
<text class="name" x="0" y="-12">${title}</text>
${[0, most.y / 2, most.y].map((value) => `<path class="axis" d="M0 ${y(value)}h${WIDTH}"/><text x="-8" y="${y(value) + 4}" text-anchor="end">${value}</text>`).join('\n')}
${ticksOf(points)
  .map(
    (clusters) =>
      `<text x="${x(clusters)}" y="${HEIGHT + 18}" text-anchor="middle">${clusters}</text>`,
  )
  .join('\n')}
<path class="line" d="M${dots.map((dot) => `${dot.x} ${dot.y}`).join('L')}"/>
${dots.map((dot) => `<circle class="point" cx="${dot.x}" cy="${dot.y}" r="4"><title>${dot.point.clusters}: ${Number(figure(dot.point).toFixed(2))}</title></circle>`).join('\n')}
</g>`
}

/** The top of an axis: the next 1, 2 or 5 with zeros. Of nothing but zeros it is 1. */
function roundUp(values: readonly number[]): number {
  const most = Math.max(...values)
  if (most === 0) return 1
  const power = 10 ** Math.floor(Math.log10(most))
  return [1, 2, 5, 10].map((step) => step * power).find((step) => step >= most) ?? most
}

// Sizes nearer than this to the one before have no place for their number.
const NEAR = 0.05

function ticksOf(points: readonly Point[]): number[] {
  const most = Math.max(...points.map(({ clusters }) => clusters))
  const ticks: number[] = []
  for (const { clusters } of points) {
    if (clusters - (ticks.at(-1) ?? 0) >= NEAR * most) ticks.push(clusters)
  }
  return ticks
}
