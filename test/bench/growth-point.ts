import type { Point } from '#scripts/growth/points.ts'
import type { CameUp } from './many-clusters.ts'

/** What so many clusters took, as the picture of growth has it. */
export const growthPoint = (clusters: number, { upSeconds, minute }: CameUp): Point => {
  const { residentMb, cpuPercent, writes } = minute
  return { clusters, upSeconds, residentMb, cpuPercent, writes }
}
