// The page of all settings: how each is written, what it means, and what is accepted without effect.

import { nameOf, type Setting } from '#operator/settings-declare.ts'
import { defaultOf } from '#operator/settings-flags.ts'
import { ignoredTable, readElsewhere } from '#operator/settings-ignored.ts'
import { settingsTable } from '#operator/settings-table.ts'
import { code, table } from './markdown.ts'
import { type GeneratedFile, MARKER } from './tree.ts'

const INTRODUCTION = `\`talos-operator run\` takes each setting as a flag, as an environment variable, or as a key of the YAML file
that \`--config\` or \`TALOS_OPERATOR_CONFIG\` names. Flags go before variables, variables before the file, the file before the
default. An empty variable is not set; a \`.env\` file is not read. A value that makes no sense, or a key that is not known,
stops the program with everything that is wrong.

\`\`\`yaml
metricsBindAddress: 127.0.0.1:8080
namespaces: [team-a, team-b]
reconcileInterval: 1m
\`\`\`

A switch is on with its flag alone (\`--enable-tracing\`), or says so (\`--enable-tracing=false\`). A list has commas between
its items, and in the file it may be a list. Where a setting has several flags or variables, the first one that is set counts.`

export const settingsFiles = (): GeneratedFile[] => [
  { path: 'docs/reference/settings.md', content: page() },
]

const page = (): string =>
  [
    `<!-- ${MARKER} -->`,
    '# Settings',
    '',
    INTRODUCTION,
    '',
    ...table(
      ['setting', 'flag', 'variable', 'default', 'meaning', 'takes', 'published by'],
      Object.entries<Setting<unknown>>(settingsTable).map(settingRow),
    ),
    'A setting without a publisher is our own. *Secret* ones are never shown, and only a variable sets them.',
    '',
    '## Accepted without effect',
    '',
    'Published operators take these. Whoever sets one reads once in the log that nothing follows from it. The exception is',
    '`--metrics-secure`: true would promise a protection that is not there, so it stops the program.',
    '',
    ...table(
      ['flag or variable', 'what it was for', 'why it has no effect', 'published by'],
      ignoredTable.map(({ name, meaning, because, published }) => [
        code(name),
        meaning,
        `${capital(because)}.`,
        published.join(', '),
      ]),
    ),
    '## Read elsewhere',
    '',
    '`run` does not look at these variables.',
    '',
    ...table(
      ['variable', 'read by'],
      readElsewhere.map(({ env, by }) => [code(env), by]),
    ),
  ].join('\n')

function settingRow([name, setting]: [string, Setting<unknown>]): string[] {
  const isKey = setting.inFile !== false
  const spelled = (names: string[]) => names.map(code).join(', ')
  return [
    isKey ? code(name) : `${name} (no key of the file)`,
    spelled(setting.flags.map((flag) => `--${nameOf(flag)}`)),
    spelled(setting.env.map(nameOf)),
    setting.defaultText ?? code(defaultOf(setting)),
    setting.meaning + (setting.isSecret ? ' *Secret.*' : ''),
    takes(setting),
    setting.published.join(', '),
  ]
}

/** What may be written, and what else for spellings that have their own values. */
function takes({ type, flags, env }: Setting<unknown>): string {
  const own = (spellings: Setting<unknown>['flags'], dashes: string) =>
    spellings.flatMap((spelling) =>
      typeof spelling === 'string'
        ? []
        : [`${code(dashes + spelling.name)}: ${spelling.type.takes}.`],
    )
  return [`${capital(type.takes)}.`, ...own(flags, '--'), ...own(env, '')].join(' ')
}

/** A sentence that may begin with a word in code, which stays as it is. */
const capital = (sentence: string): string => sentence.charAt(0).toUpperCase() + sentence.slice(1)
