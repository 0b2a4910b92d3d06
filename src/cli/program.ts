import type { Command } from 'commander'
import packageFile from '#package.json' with { type: 'json' }
import { addDemo } from './demo.ts'
import { addDiff } from './diff.ts'
import { addExplain } from './explain.ts'
import { addGen } from './gen.ts'
import { GoCommand } from './go-command.ts'
import { addKubeconfig } from './kubeconfig.ts'
import { addMachineconfig } from './machineconfig.ts'
import { addManifests } from './manifests.ts'
import type { Output } from './output.ts'
import { addRun } from './run.ts'
import { addSimulate } from './simulate.ts'
import { addStandalone } from './standalone.ts'
import { addTalosconfig } from './talosconfig.ts'
import { addUpgradeK8s } from './upgrade-k8s.ts'
import { addValidate } from './validate.ts'

/** The command line: every command is registered here and lives in a file of its own name. */
export function createProgram(output: Output): Command {
  const program = new GoCommand('talos-operator')
    .description('The whole life of Talos Linux clusters, from declarative Kubernetes resources.')
    .version(packageFile.version)
    .configureOutput({ writeOut: output.out, writeErr: output.err })
    .showHelpAfterError('(run talos-operator --help for what there is)')
    // A command may have a --version of its own.
    .enablePositionalOptions()
  addRun(program)
  addStandalone(program, output)
  addDemo(program, output)
  addExplain(program, output)
  addDiff(program, output)
  addUpgradeK8s(program, output)
  addKubeconfig(program, output)
  addTalosconfig(program, output)
  addManifests(program, output)
  addGen(program, output)
  addMachineconfig(program, output)
  addValidate(program, output)
  addSimulate(program, output)
  return program
}
