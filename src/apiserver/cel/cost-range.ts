/** Between how much and how much something can be: a size, or a cost. */
export interface Range {
  min: number
  max: number
}

/** More than any limit; sums and products stay below. */
export const MOST = 2 ** 64

export const UNKNOWN: Range = { min: 0, max: MOST }
export const NOTHING: Range = { min: 0, max: 0 }

export const exactly = (value: number): Range => ({ min: value, max: value })

const capped = (value: number): number => Math.min(value, MOST)

export const plus = (a: Range, b: Range): Range => ({
  min: capped(a.min + b.min),
  max: capped(a.max + b.max),
})

export const times = (a: Range, b: Range): Range => ({
  min: capped(a.min * b.min),
  max: capped(a.max * b.max),
})

/** Each end times a factor, rounded up. */
export const scaled = (a: Range, factor: number): Range => ({
  min: capped(Math.ceil(a.min * factor)),
  max: capped(Math.ceil(a.max * factor)),
})

export const union = (a: Range, b: Range): Range => ({
  min: Math.min(a.min, b.min),
  max: Math.max(a.max, b.max),
})

export const sumOf = (ranges: readonly Range[]): Range => ranges.reduce(plus, NOTHING)

/** Cost per character that is looked at. */
export const TRAVERSAL = 0.1
/** Cost per character of a regular expression. */
export const REGEX = 0.25
export const ONE = exactly(1)

/** Cost of a text for a regular expression, which is never nothing. */
export const regexText = (size: Range): Range => scaled(plus(size, ONE), TRAVERSAL)
