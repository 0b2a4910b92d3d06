import { CONFIG, CONFIG_REJECTED, CONFIG_TRIED } from '#api/labels.ts'
import type { Machine } from '#api/machine.ts'

// What is known of a machine's configuration though nobody looks at the machine: kept with the object, in words.

/** What a machine was last given. */
export interface ConfigRecord {
  /** Of all that it was made from. */
  readonly origin: string
  /** The fingerprint of the configuration. */
  readonly config: string
}

/** How it is written down. */
export const recordText = ({ origin, config }: ConfigRecord): string => `${origin} ${config}`

/** What was written down; undefined of a machine that somebody else configured. */
export function configRecord({ metadata }: Machine): ConfigRecord | undefined {
  const [origin = '', config = ''] = metadata.annotations?.[CONFIG]?.split(' ') ?? []
  return origin && config ? { origin, config } : undefined
}

export type TriedMode = 'live' | 'try' | 'reboot'

/** What a machine was told to take. It is written down before. */
export interface Tried {
  readonly config: string
  /** How often in a row. */
  readonly times: number
  readonly at: Date
  readonly mode: TriedMode
  /** The boot that it was told in, where it has to reboot for it. */
  readonly boot?: string
}

export const triedText = ({ config, times, at, mode, boot = '' }: Tried): string =>
  [config, times, at.toISOString(), mode, boot].join(' ').trim()

const MODES: readonly TriedMode[] = ['live', 'try', 'reboot']

/** The last try, if it was with this configuration. */
export function triedWith(machine: Machine, config: string): Tried | undefined {
  const tried = lastTried(machine)
  return tried?.config === config ? tried : undefined
}

/** The last try, with whatever configuration. */
export function lastTried({ metadata }: Machine): Tried | undefined {
  const [config, times = '', at = '', mode, boot] =
    metadata.annotations?.[CONFIG_TRIED]?.split(' ') ?? []
  const known = MODES.find((one) => one === mode)
  const count = Number.parseInt(times, 10)
  const date = new Date(at)
  const isWhole = known !== undefined && !Number.isNaN(count) && !Number.isNaN(date.getTime())
  if (!config || !isWhole) return undefined
  return { config, times: count, at: date, mode: known, ...(boot && { boot }) }
}

// A machine may quote whole documents.
const MOST_CHARACTERS = 1_000

/** How it is written down that a machine does not take a configuration. */
export const rejectionText = (config: string, why: string): string =>
  `${config} ${why.replaceAll(/\s+/g, ' ').slice(0, MOST_CHARACTERS)}`

/** Why the machine does not take this configuration; undefined if nobody knows that it does not. */
export function rejectionOf({ metadata }: Machine, config: string): string | undefined {
  const text = metadata.annotations?.[CONFIG_REJECTED] ?? ''
  return text.startsWith(`${config} `) ? text.slice(config.length + 1) : undefined
}
