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
  /** How often in a row. None: what became of it is known, and nothing is open. */
  readonly times: number
  readonly at: Date
  readonly mode: TriedMode
  /** The boot that it was told in, where it has to reboot for it. */
  readonly boot?: string
  /** How often it was told to boot since it has it, where it does not by itself. */
  readonly boots?: number
  /** Of a try: whether it was seen not to answer with it. */
  readonly isCutOff?: boolean
}

const CUT_OFF = 'cut-off'

export function triedText({ config, times, at, mode, boot, boots, isCutOff }: Tried): string {
  const more = boot ?? (isCutOff ? CUT_OFF : '')
  return [config, times, at.toISOString(), mode, more, boots ?? ''].join(' ').trim()
}

/** The same once it is known what became of it: it counts no more, and that something was ever given is not forgotten. */
export const closedText = ({ config, at }: Tried): string =>
  triedText({ config, times: 0, at, mode: 'live' })

const MODES: readonly TriedMode[] = ['live', 'try', 'reboot']

/** The last try, if it was with this configuration. */
export function triedWith(machine: Machine, config: string): Tried | undefined {
  const tried = lastTried(machine)
  return tried?.config === config ? tried : undefined
}

/** The last try, with whatever configuration. */
export function lastTried({ metadata }: Machine): Tried | undefined {
  const [config, times = '', at = '', mode, more, boots = ''] =
    metadata.annotations?.[CONFIG_TRIED]?.split(' ') ?? []
  const known = MODES.find((one) => one === mode)
  const count = Number.parseInt(times, 10)
  const date = new Date(at)
  const isWhole = known !== undefined && !Number.isNaN(count) && !Number.isNaN(date.getTime())
  if (!config || !isWhole) return undefined
  const tried = { config, times: count, at: date, mode: known }
  if (known === 'try') return { ...tried, ...(more === CUT_OFF && { isCutOff: true }) }
  const told = /^\d+$/.test(boots) && { boots: Number(boots) }
  return { ...tried, ...(more && { boot: more }), ...told }
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
