import { UPGRADE, UPGRADE_FAILED } from '#api/labels.ts'
import type { Machine } from '#api/machine.ts'

// Where an upgrade is though nobody remembers it: kept with the object, in words.

/**
 * `installing`: it was told to install. `installed`: it said that it has, beside what runs. `restarting`: it was told to boot
 * that.
 */
const PHASES = ['installing', 'installed', 'restarting'] as const

/** What a machine was told to become. It is written down before, so that what became of it can be judged. */
export interface UpgradeRecord {
  readonly phase: (typeof PHASES)[number]
  readonly image: string
  /** The version that it would run otherwise. */
  readonly from: string
  /** The boot that it was told in: in another one it is what it has become. */
  readonly boot: string
  /** How often it was told to do what it does in this phase. */
  readonly times: number
  readonly at: Date
  /** The turn that it was told in. Left out in what older operators wrote. */
  readonly turn?: number
}

export function upgradeText(record: UpgradeRecord): string {
  const { phase, image, from, boot, times, at, turn = '' } = record
  return [phase, image, from, boot, times, at.toISOString(), turn].join(' ').trim()
}

/** What was written down; undefined if nothing was, or nothing that can be read. */
export function upgradeRecord({ metadata }: Machine): UpgradeRecord | undefined {
  const text = metadata.annotations?.[UPGRADE] ?? ''
  const [name, image, from, boot, times = '', at = '', turn = ''] = text.split(' ')
  const phase = PHASES.find((one) => one === name)
  const [count, date] = [Number.parseInt(times, 10), new Date(at)]
  if (!phase || !image || !from || !boot) return undefined
  if (Number.isNaN(count) || Number.isNaN(date.getTime())) return undefined
  const told = { phase, image, from, boot, at: date }
  if (/^\d+$/.test(turn)) return { ...told, times: count, turn: Number(turn) }
  // Older operators went on counting installations when it was told to boot.
  return { ...told, times: phase === 'restarting' ? 1 : count }
}

/** Whether it was told in this turn. Of what older operators wrote nobody knows, and they gave up no turn before the end. */
export const isOfTurn = ({ turn: told }: UpgradeRecord, turn: number | undefined): boolean =>
  turn !== undefined && (told === undefined || told === turn)

// So long a machine may take from being told to being on its way.
const ON_ITS_WAY_MS = 120_000

/** Whether it may be about to do what it was told, though it is as it was. */
export const isOnItsWay = ({ at }: Pick<UpgradeRecord, 'at'>, now: Date): boolean =>
  now.getTime() - at.getTime() < ON_ITS_WAY_MS

const MOST_CHARACTERS = 1_000

/** How it is written down that a machine does not run an image. */
export const failureText = (image: string, why: string): string =>
  `${image} ${why.replaceAll(/\s+/g, ' ').slice(0, MOST_CHARACTERS)}`

/** Why the machine does not run this image; undefined if it was not tried, or is to be tried again. */
export function failureOf({ metadata }: Machine, image: string): string | undefined {
  const text = metadata.annotations?.[UPGRADE_FAILED] ?? ''
  return text.startsWith(`${image} `) ? text.slice(image.length + 1) : undefined
}
