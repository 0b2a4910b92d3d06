import { Command } from 'commander'
import packageFile from '#package.json' with { type: 'json' }
import { addManifests } from './manifests.ts'
import type { Output } from './output.ts'
import { addRun } from './run.ts'
import { addStandalone } from './standalone.ts'

/** The command line: every command is registered here and lives in a file of its own name. */
export function createProgram(output: Output): Command {
  const program = new Command('talos-operator')
    .description('The whole life of Talos Linux clusters, from declarative Kubernetes resources.')
    .version(packageFile.version)
    .configureOutput({ writeOut: output.out, writeErr: output.err })
    .showHelpAfterError('(run talos-operator --help for what there is)')
  addRun(program)
  addStandalone(program, output)
  addManifests(program, output)
  return program
}
