import { findsOut } from './mutants.cases.ts'
import * as draining from './mutants-draining.ts'

findsOut('127.80.33', Object.values(draining))
