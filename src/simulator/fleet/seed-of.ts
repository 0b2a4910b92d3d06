import { createHash } from 'node:crypto'

/** A seed for a part of something that has a seed. */
export const seedOf = (seed: number, part: string): number =>
  createHash('sha256').update(`${seed} ${part}`).digest().readUInt32BE()
