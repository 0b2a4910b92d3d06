// The page of all failures that we know by name.

import { errorCatalogue, errorTypes } from '#base/error-catalogue.ts'
import { code, table } from './markdown.ts'
import { type GeneratedFile, MARKER } from './tree.ts'

const INTRODUCTION = `A failure that we know by name shows its name as the reason of the condition \`Ready\` and in the log. Its message says
what happened to which object. \`error_type\` of \`talos_operator_reconciliation_errors_total\` is its name if it is one of
${errorTypes.slice(0, -1).map(code).join(', ')}, and \`UnknownError\` if it is any other: so the contract of vitistack.io has it.`

export const errorFiles = (): GeneratedFile[] => [
  {
    path: 'docs/reference/errors.md',
    content: [
      `<!-- ${MARKER} -->`,
      '# Errors',
      '',
      INTRODUCTION,
      '',
      ...table(
        ['name', 'what happened', 'why', 'what to do', 'tried again'],
        Object.entries(errorCatalogue).map(([name, { what, why, remedy, retry }]) => [
          code(name),
          what,
          why,
          remedy,
          retry === 'never' ? 'after an edit' : 'after 1, 2, 4 … 300 s',
        ]),
      ),
    ].join('\n'),
  },
]
