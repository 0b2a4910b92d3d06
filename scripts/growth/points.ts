import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Static, Type } from 'typebox'
import { Check } from 'typebox/value'

/** Where the figures of fleets of several sizes are kept. Their picture is made from them. */
export const GROWTH = join(import.meta.dirname, '..', '..', 'docs', 'pictures', 'growth.json')

/** What so many settled clusters took, as `make bench` has measured it. */
export type Point = Static<typeof Point>
export const Point = Type.Object({
  clusters: Type.Integer({ minimum: 1 }),
  upSeconds: Type.Number(),
  residentMb: Type.Number(),
  cpuPercent: Type.Number(),
  writes: Type.Integer({ minimum: 0 }),
})

/** Of one version, on one machine. */
export type Growth = Static<typeof Growth>
const Growth = Type.Object({
  date: Type.String(),
  commit: Type.String(),
  points: Type.Array(Point, { minItems: 2 }),
})

export function readGrowth(): Growth {
  const found: unknown = JSON.parse(readFileSync(GROWTH, 'utf8'))
  if (!Check(Growth, found)) throw new Error(`${GROWTH} has no figures of growth`)
  return found
}
