import { findsOut } from './mutants.cases.ts'
import * as shapes from './mutants-shapes.ts'
import * as views from './mutants-shapes-views.ts'

findsOut('127.80.66', [...Object.values(shapes), ...Object.values(views)])
