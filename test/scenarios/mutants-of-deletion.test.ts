import { findsOut } from './mutants.cases.ts'
import * as deletions from './mutants-deletion.ts'
import { deletedButDisabled, notYet } from './mutants-modes.ts'

findsOut('127.80.31', [...Object.values(deletions), notYet, deletedButDisabled])
