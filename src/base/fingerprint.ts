import { createHash } from 'node:crypto'
import { ownText } from './own-text.ts'

/** A short text that is the same for values that mean the same as JSON, in whatever order of keys. */
export const fingerprint = (value: unknown): string =>
  ownText(
    createHash('sha256')
      .update(JSON.stringify(value, inOrder) ?? 'undefined')
      .digest('base64url')
      .slice(0, 22),
  )

const inOrder = (_key: string, value: unknown): unknown => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
}
