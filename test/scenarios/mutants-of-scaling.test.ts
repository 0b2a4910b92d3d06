import { findsOut } from './mutants.cases.ts'
import * as scaling from './mutants-scaling.ts'

findsOut('127.80.32', Object.values(scaling))
