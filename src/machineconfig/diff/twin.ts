import type { Value } from '#machineconfig/document.ts'
import { isMap } from './compare-values.ts'

/** A value, and beside it the same without secrets: redacting changes no structure. */
export interface Twin {
  readonly real: Value
  readonly shown: Value
}

/** What both halves have at a key. */
export function partOf({ real, shown }: Twin, key: string): Twin | undefined {
  const part = ownPart(real, key)
  return part === undefined ? undefined : { real: part, shown: ownPart(shown, key) ?? null }
}

const ownPart = (value: Value, key: string): Value | undefined =>
  isMap(value) && Object.hasOwn(value, key) ? value[key] : undefined
