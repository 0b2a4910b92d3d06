// Keeps what the last `make bench ONLY=growth-small,thousand-up` has measured of fleets of several sizes, for the
// picture of them: docs/pictures/growth.json, from dist/bench.json. Then `make generate`.

import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Type } from 'typebox'
import { Check } from 'typebox/value'
import { GROWTH, type Growth, Point } from './growth/points.ts'

const MEASURED = join(import.meta.dirname, '..', 'dist', 'bench.json')

const Record = Type.Object({
  date: Type.String(),
  commit: Type.String(),
  figures: Type.Array(Type.Object({ points: Type.Optional(Type.Array(Point)) })),
})

const found: unknown = JSON.parse(await readFile(MEASURED, 'utf8'))
if (!Check(Record, found)) throw new Error(`${MEASURED} is not what make bench writes`)
const points = found.figures
  .flatMap((figure) => figure.points ?? [])
  .map((point) => ({
    ...point,
    upSeconds: rounded(point.upSeconds),
    residentMb: rounded(point.residentMb),
    cpuPercent: rounded(point.cpuPercent),
  }))
  .sort((a, b) => a.clusters - b.clusters)
const growth: Growth = { date: found.date.slice(0, 10), commit: found.commit, points }
await writeFile(GROWTH, `${JSON.stringify(growth, null, 2)}\n`)
process.stdout.write(`${points.length} sizes are in ${GROWTH}\n`)

function rounded(value: number): number {
  return Number(value.toFixed(2))
}
