import type { Command } from 'commander'
import { addSwitch } from './go-command.ts'
import type { Output } from './output.ts'
import type { ValidateFlags } from './validate-file.ts'

const EXAMPLE = `
Without --talos-version it is judged as talosctl v1.13 does; with it, as a machine of that version, which
also wants to know whether its Kubernetes goes with it.

Example:
  talos-operator validate -c controlplane.yaml -m metal --strict`

/** `talos-operator validate`: whether a machine would take a configuration. */
export function addValidate(program: Command, output: Output): Command {
  const command = program
    .command('validate')
    .description('validate a machine configuration, as talosctl validate does')
    .option('-c, --config <file>', 'the path of the configuration', '')
    .requiredOption('-m, --mode <mode>', 'what it is for: metal, cloud or container')
    .option('--talos-version <version>', 'the version of Talos that the machine runs')
    .addHelpText('after', EXAMPLE)
    .action(async (flags: ValidateFlags) => {
      const { validateFile } = await import('./validate-file.ts')
      await validateFile(flags, output)
    })
  return addSwitch(command, {
    flags: '--strict',
    description: 'treat validation warnings as errors',
    isOn: false,
  })
}
