import { UPGRADE, UPGRADE_FAILED } from '#api/labels.ts'
import type { Machine } from '#api/machine.ts'

// Where an upgrade is though nobody remembers it: kept with the object, in words.

/** What a machine was told to become. It is written down before, so that what became of it can be judged. */
export interface UpgradeRecord {
  /** `installing`: it was told to install. `restarting`: it was told to boot what is installed. */
  readonly phase: 'installing' | 'restarting'
  readonly image: string
  readonly from: string
  /** The boot that it was told in: in another one it is what it has become. */
  readonly boot: string
  /** How often it was told. */
  readonly times: number
  readonly at: Date
}

export const upgradeText = ({ phase, image, from, boot, times, at }: UpgradeRecord): string =>
  [phase, image, from, boot, times, at.toISOString()].join(' ')

/** What was written down; undefined if nothing was, or nothing that can be read. */
export function upgradeRecord({ metadata }: Machine): UpgradeRecord | undefined {
  const text = metadata.annotations?.[UPGRADE] ?? ''
  const [phase, image, from, boot, times = '', at = ''] = text.split(' ')
  const known = phase === 'installing' || phase === 'restarting' ? phase : undefined
  const [count, date] = [Number.parseInt(times, 10), new Date(at)]
  if (!known || !image || !from || !boot) return undefined
  if (Number.isNaN(count) || Number.isNaN(date.getTime())) return undefined
  return { phase: known, image, from, boot, times: count, at: date }
}

const MOST_CHARACTERS = 1_000

/** How it is written down that a machine does not run an image. */
export const failureText = (image: string, why: string): string =>
  `${image} ${why.replaceAll(/\s+/g, ' ').slice(0, MOST_CHARACTERS)}`

/** Why the machine does not run this image; undefined if it was not tried, or is to be tried again. */
export function failureOf({ metadata }: Machine, image: string): string | undefined {
  const text = metadata.annotations?.[UPGRADE_FAILED] ?? ''
  return text.startsWith(`${image} `) ? text.slice(image.length + 1) : undefined
}
