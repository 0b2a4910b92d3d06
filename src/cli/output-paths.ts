import { join } from 'node:path'
import { ConfigError } from '#machineconfig/config-error.ts'
import { errorText } from '#machineconfig/validate/error-list.ts'
import type { ConfigFlags } from './config-flags.ts'

/** What `gen config` can write, in the order in which it does. */
const FILES = new Map([
  ['controlplane', 'controlplane.yaml'],
  ['worker', 'worker.yaml'],
  ['talosconfig', 'talosconfig'],
] as const)

export type OutputType = Parameters<(typeof FILES)['get']>[0]

export const STDOUT = '-'

type OutputFlags = Pick<ConfigFlags, 'output' | 'outputDir' | 'outputTypes'>

/** Where each file goes that is asked for. Throws, in talosctl's words, when that cannot be. */
export function outputPaths(flags: OutputFlags, folder: string): Map<OutputType, string> {
  const { output = '', outputDir = '', outputTypes = [...FILES.keys()] } = flags
  const problem = problemWith({ output, outputDir, outputTypes })
  if (problem !== undefined) throw new ConfigError(problem)
  const isFile = output !== '' && outputTypes.length === 1
  const place = output || outputDir || folder
  const wanted = [...FILES].filter(([type]) => outputTypes.includes(type))
  return new Map(wanted.map(([type, name]) => [type, isFile ? place : join(place, name)]))
}

function problemWith(flags: Required<OutputFlags>): string | undefined {
  const { output, outputDir, outputTypes } = flags
  if (outputTypes.length === 0) return 'at least one output type must be specified'
  if (outputTypes.length > 1 && output === STDOUT) {
    return "can't use multiple output types with stdout"
  }
  if (output && outputDir) return "can't use both output-dir and output"
  const known: readonly string[] = [...FILES.keys()]
  const unknown = outputTypes.filter((type) => !known.includes(type))
  return unknown.length === 0
    ? undefined
    : errorText(unknown.map((type) => `invalid output type: ${JSON.stringify(type)}`))
}
