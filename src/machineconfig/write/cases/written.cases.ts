import { blockCases } from './block.cases.ts'
import { legacy1Cases } from './legacy-1.cases.ts'
import { legacy2Cases } from './legacy-2.cases.ts'
import { legacy3Cases } from './legacy-3.cases.ts'
import { network1Cases } from './network-1.cases.ts'
import { network2Cases } from './network-2.cases.ts'
import { runtimeCases } from './runtime.cases.ts'
import type { WrittenCase } from './written-case.cases.ts'

/** At least one document of every kind that v1.13 has, and what talosctl writes for it. */
export const writtenCases: readonly WrittenCase[] = [
  ...legacy1Cases,
  ...legacy2Cases,
  ...legacy3Cases,
  ...network1Cases,
  ...network2Cases,
  ...runtimeCases,
  ...blockCases,
]
