import { findsOut } from './mutants.cases.ts'
import * as beside from './mutants-beside.ts'
import * as kubelets from './mutants-kubelets.ts'
import * as kubernetes from './mutants-kubernetes.ts'
import * as schematic from './mutants-schematic.ts'
import * as standstill from './mutants-standstill.ts'
import * as talos from './mutants-upgrades.ts'

findsOut('127.80.35', [
  ...Object.values(talos),
  ...Object.values(schematic),
  ...Object.values(standstill),
  ...Object.values(beside),
  ...Object.values(kubernetes),
  ...Object.values(kubelets),
])
