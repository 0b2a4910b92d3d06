import { nameOf, type Setting, type Spelling } from './settings-declare.ts'
import type { ValueType } from './settings-types.ts'

/** The file that `--config` names, or a sentence that says why it could not be read. */
export type SettingsFile = { path: string; text: string } | { path: string; unreadable: string }

/** Where settings come from. */
export interface Sources {
  /** What commander has parsed: by the name of the flag in camelCase, and only those that were given. */
  flags: Readonly<Record<string, unknown>>
  env: Readonly<Record<string, string | undefined>>
  file?: SettingsFile | undefined
}

/** A value as somebody wrote it. */
export interface Given {
  /** Who says so: `--log-level`, `LOG_LEVEL`, `logLevel in settings.yaml`. */
  where: string
  text: string
  type: ValueType<unknown>
}

/** The key under which commander keeps a flag. */
export const attributeOf = (flag: string): string =>
  flag.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase())

/** The flag alone, as in `--leader-elect`, says true. */
function flagText(flag: string, { flags }: Sources): string | undefined {
  const value = flags[attributeOf(flag)]
  return value === undefined ? undefined : String(value).trim()
}

/** An empty variable counts as not set. */
const variableText = (name: string, { env }: Sources): string | undefined =>
  env[name]?.trim() || undefined

/** What was given for a flag, which is named with its dashes, or for a variable. */
export const textOf = (name: string, sources: Sources): string | undefined =>
  name.startsWith('--') ? flagText(name.slice(2), sources) : variableText(name, sources)

/** The flags that were given for a setting, the one that counts first. */
export const givenFlags = (setting: Setting<unknown>, sources: Sources): Given[] =>
  setting.flags.flatMap((spelling) => {
    const text = flagText(nameOf(spelling), sources)
    return text === undefined ? [] : [given(`--${nameOf(spelling)}`, text, { setting, spelling })]
  })

/** The variables that are set for a setting, the one that counts first. */
export const givenVariables = (setting: Setting<unknown>, sources: Sources): Given[] =>
  setting.env.flatMap((spelling) => {
    const text = variableText(nameOf(spelling), sources)
    return text === undefined ? [] : [given(nameOf(spelling), text, { setting, spelling })]
  })

const given = (
  where: string,
  text: string,
  { setting, spelling }: { setting: Setting<unknown>; spelling: Spelling<unknown> },
): Given => ({ where, text, type: typeof spelling === 'string' ? setting.type : spelling.type })
