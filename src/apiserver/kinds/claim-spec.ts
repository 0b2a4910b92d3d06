import type { Fields } from '#apiserver/objects.ts'
import { fill } from './fill.ts'

/** Fills in what a claim for storage leaves out, wherever it stands. */
export function setClaimSpecDefaults(spec: Fields): void {
  fill(spec, { resources: {}, volumeMode: 'Filesystem' })
}
