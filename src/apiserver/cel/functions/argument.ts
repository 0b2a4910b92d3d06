import {
  ListValue,
  noSuchOverload,
  OptionalValue,
  Timestamp,
  type Value,
} from '#apiserver/cel/values.ts'
import { work } from '#apiserver/cel/work.ts'

/** What a function does. Its arguments are as many as its signatures say; the target comes first. */
export type CelFunction = (args: readonly Value[]) => Value

/** The argument as a text. Throws "no such overload" if it is none; so do the others. */
export function text(value: Value | undefined): string {
  if (typeof value !== 'string') throw noSuchOverload()
  work(value.length >> 5)
  return value
}

export function int(value: Value | undefined): bigint {
  if (typeof value !== 'bigint') throw noSuchOverload()
  return value
}

export function bool(value: Value | undefined): boolean {
  if (typeof value !== 'boolean') throw noSuchOverload()
  return value
}

export function list(value: Value | undefined): ListValue {
  if (!(value instanceof ListValue)) throw noSuchOverload()
  work(value.size)
  return value
}

export function optional(value: Value | undefined): OptionalValue {
  if (!(value instanceof OptionalValue)) throw noSuchOverload()
  return value
}

export function timestamp(value: Value | undefined): Timestamp {
  if (!(value instanceof Timestamp)) throw noSuchOverload()
  return value
}

export const given = (value: Value | undefined): Value => {
  if (value === undefined) throw noSuchOverload()
  return value
}
