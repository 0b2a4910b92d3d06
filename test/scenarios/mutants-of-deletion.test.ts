import { findsOut } from './mutants.cases.ts'
import * as deletions from './mutants-deletion.ts'
import { deletedButDisabled, notYet } from './mutants-modes.ts'
import * as preserved from './mutants-preserved.ts'

findsOut('127.80.31', [
  ...Object.values(deletions),
  ...Object.values(preserved),
  notYet,
  deletedButDisabled,
])
