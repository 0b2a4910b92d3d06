import { hash, timingSafeEqual } from 'node:crypto'

/** Compares in a time that tells nothing about where, or in what length, two secrets differ. */
export const isSameSecret = (one: string, other: string): boolean =>
  timingSafeEqual(hash('sha256', one, 'buffer'), hash('sha256', other, 'buffer'))
