import type { Command } from 'commander'
import { each } from './go-command.ts'
import type { Output } from './output.ts'
import type { PatchFlags } from './patch-file.ts'

const EXAMPLE = `
The result holds the same keys as the file. Written to a file, it is for its owner alone.

Example:
  talos-operator machineconfig patch worker.yaml --patch @nameservers.yaml -o patched.yaml`

/** `talos-operator machineconfig`: what can be done with a machine configuration that there is. */
export function addMachineconfig(program: Command, output: Output): Command {
  const machineconfig = program
    .command('machineconfig')
    .alias('mc')
    .description('work with a machine configuration, as talosctl machineconfig does')
  machineconfig
    .command('patch')
    .description('patch a machine configuration')
    .argument('<file>', 'the machine configuration')
    .option('-p, --patch <patch>', 'a patch; @file reads it from a file', each)
    .option('-o, --output <file>', 'where the result goes; left out or "-": to stdout')
    .addHelpText('after', EXAMPLE)
    .action(async (file: string, flags: PatchFlags) => {
      const { patchFile } = await import('./patch-file.ts')
      await patchFile(file, flags, output)
    })
  return machineconfig
}
