import type { Told } from './definition.ts'

/** A step in words, where its controller has none: the reason from what it does, and all it says. */
export function toldOf(step: { do: string }): Told {
  const { do: what, ...rest } = step
  const parts = Object.entries(rest).map(([key, value]) => `${key} ${textOf(value)}`)
  return {
    reason: what.charAt(0).toUpperCase() + what.slice(1),
    message: [wordsOf(what), parts.join(', ')].filter(Boolean).join(': '),
  }
}

/** `startBackup` → `start backup`. */
const wordsOf = (what: string): string =>
  what.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)

const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing')
