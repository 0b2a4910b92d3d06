import { findsOut } from './mutants.cases.ts'
import * as away from './mutants-away.ts'
import * as changes from './mutants-changes.ts'
import * as standing from './mutants-standing.ts'

findsOut('127.80.34', [
  ...Object.values(changes),
  ...Object.values(away),
  ...Object.values(standing),
])
