import { nameOf, type Setting } from './settings-declare.ts'
import { ignoredTable } from './settings-ignored.ts'
import { settingsTable } from './settings-table.ts'
import type { ValueType } from './settings-types.ts'

/** A flag of `run`, as commander declares an option. */
export interface Flag {
  /** `--metrics-bind-address <address>`; a switch takes a value or none: `--leader-elect [true|false]`. */
  flags: string
  /** What it means, with its default and its variables. The default is nothing that commander should set. */
  description: string
  /** Whether help leaves it out: another spelling, or a flag without effect. */
  isHidden: boolean
}

/** Every flag that `run` accepts. */
export const flagsOf = (): Flag[] => [
  ...Object.entries<Setting<unknown>>(settingsTable).flatMap(([, setting]) => flagsFor(setting)),
  ...ignoredTable
    .filter(({ name }) => name.startsWith('--'))
    .map(({ name, because, type = ANY_TEXT }) => ({
      flags: usage(name, type),
      description: `No effect: ${because}.`,
      isHidden: true,
    })),
]

/** The default as it would be written, or in words. */
export const defaultOf = (setting: Setting<unknown>): string =>
  setting.defaultText ?? String(setting.type.show(setting.default))

const ANY_TEXT = { placeholder: 'text' }

function flagsFor(setting: Setting<unknown>): Flag[] {
  const [first] = setting.flags
  return setting.flags.map((spelling) => ({
    flags: usage(
      `--${nameOf(spelling)}`,
      typeof spelling === 'string' ? setting.type : spelling.type,
    ),
    description: first === spelling ? description(setting) : `Same as --${nameOf(first ?? '')}.`,
    isHidden: first !== spelling,
  }))
}

function description(setting: Setting<unknown>): string {
  const variables = setting.env.map(nameOf)
  const env = variables.length > 0 ? [`env: ${variables.join(', ')}`] : []
  return `${setting.meaning} (${[`default: ${defaultOf(setting)}`, ...env].join('; ')})`
}

const usage = (
  flag: string,
  { placeholder, isSwitch }: Pick<ValueType<unknown>, 'placeholder' | 'isSwitch'>,
): string => (isSwitch ? `${flag} [${placeholder}]` : `${flag} <${placeholder}>`)
