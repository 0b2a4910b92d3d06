import type { ValueType } from './settings-types.ts'

/** Who told users of a flag or a variable: a project whose installations must go on working here. */
export type Publisher = 'talos.alperen.cloud' | 'vitistack.io' | 'Operator SDK' | 'OpenTelemetry'

/** The name of a flag (without dashes) or of a variable; with a type where it has its own values. */
export type Spelling<Value> = string | { name: string; type: ValueType<Value> }

/** One setting: how it is written, what it means, and what holds when nobody says anything. */
export interface Setting<Value> {
  /** The first is the one to use, the others are accepted for the same. */
  flags: readonly Spelling<Value>[]
  /** The first that is set wins. */
  env: readonly Spelling<Value>[]
  type: ValueType<Value>
  default: Value
  /** The default in words, where the value does not say it. */
  defaultText?: string
  /** One sentence. */
  meaning: string
  published: readonly Publisher[]
  /** A secret is neither shown nor taken from a flag, which every process could read. */
  isSecret?: boolean
  /** Whether the file may hold it under its name. True unless told. */
  inFile?: boolean
}

/** A flag or a variable of a published operator that is accepted and has no effect. */
export interface Ignored {
  /** A flag with its dashes, or a variable. */
  name: string
  /** What it was for. */
  meaning: string
  /** Why it has no effect. It ends the sentence "… has no effect: …", and is the same for a group. */
  because: string
  published: readonly Publisher[]
  /** Left out: anything is accepted. */
  type?: ValueType<unknown>
  /** Whether a text asks for something that is not done. Left out: every text does. */
  asksFor?: (text: string) => boolean
}

/** Declares a setting; the type of its value follows from `type`. */
export const setting = <Value>(
  declared: Setting<NoInfer<Value>> & { type: ValueType<Value> },
): Setting<Value> => declared

export const nameOf = (spelling: Spelling<unknown>): string =>
  typeof spelling === 'string' ? spelling : spelling.name
