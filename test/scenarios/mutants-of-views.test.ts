import { findsOut } from './mutants.cases.ts'
import * as views from './mutants-views.ts'

findsOut('127.80.97', Object.values(views))
