import { findsOut } from './mutants.cases.ts'
import * as imports from './mutants-import.ts'

findsOut('127.80.92', Object.values(imports))
