import { messageOf } from '#base/operator-error.ts'
import { parseYaml } from '#base/yaml.ts'
import { closest } from './settings-closest.ts'
import type { Setting } from './settings-declare.ts'
import type { Given, SettingsFile } from './settings-sources.ts'

type Table = Readonly<Record<string, Setting<unknown>>>

/** What a file says: values by the names of settings, and what is wrong with it. */
export interface FileReading {
  given: ReadonlyMap<string, Given>
  problems: readonly string[]
}

/** Reads the file of settings: a map from names to values. An entry without a value is not set. */
export function readFileOf(table: Table, file: SettingsFile | undefined): FileReading {
  if (!file) return { given: new Map(), problems: [] }
  const { path } = file
  if ('unreadable' in file) return failed(file.unreadable)

  let content: unknown
  try {
    content = parseYaml(file.text) ?? {}
  } catch (error) {
    return failed(`The file of settings ${path} is ${messageOf(error)}. Correct it.`)
  }
  if (typeof content !== 'object' || content === null || Array.isArray(content)) {
    return failed(
      `The file of settings ${path} is no map. Write one setting a line, as in logLevel: debug.`,
    )
  }

  const problems: string[] = []
  const given = new Map<string, Given>()
  for (const [name, value] of Object.entries(content)) {
    const entry = entryOf({ name, value, path }, table)
    if (typeof entry === 'string') problems.push(entry)
    else if (entry) given.set(name, entry)
  }
  return { given, problems }
}

const failed = (problem: string): FileReading => ({ given: new Map(), problems: [problem] })

/** An entry of the file, or what is wrong with it; undefined where it has no value. */
function entryOf(
  { name, value, path }: { name: string; value: unknown; path: string },
  table: Table,
): Given | string | undefined {
  const where = `${name} in ${path}`
  const known = Object.keys(table).filter((one) => table[one]?.inFile !== false)
  const setting = known.includes(name) ? table[name] : undefined
  if (!setting) return unknownKey(where, closest(name, known))
  if (value === null) return undefined
  const text = plainText(value, setting.type.isList ?? false)
  if (text === undefined) return `${where} has not the right shape. Give ${setting.type.takes}.`
  return { where, text, type: setting.type }
}

const unknownKey = (where: string, meant: string | undefined): string =>
  meant === undefined
    ? `${where} is no setting. Remove it; docs/reference/settings.md has those there are.`
    : `${where} is no setting. Did you mean ${meant}?`

/** A value of YAML as one would write it for a flag. */
function plainText(value: unknown, isList: boolean): string | undefined {
  if (isList && Array.isArray(value)) {
    const items = value.map((item: unknown) => plainText(item, false))
    return items.includes(undefined) ? undefined : items.join(',')
  }
  return ['string', 'number', 'boolean'].includes(typeof value) ? String(value).trim() : undefined
}
