import type { Command, ErrorOptions } from 'commander'
import type { DiffFlags } from './diff-run.ts'
import { Exit, endOf } from './exit.ts'
import { each, GoCommand } from './go-command.ts'
import { addForeseeFlags } from './management-flags.ts'
import type { Output } from './output.ts'

const EXAMPLE = `
Each TalosCluster, KubernetesCluster, TalosControlPlane and TalosWorker of the files is given to the API as a dry
run, and what follows from it for the machines is worked out with the operator's own rules: which machine is added,
changed or removed, in which order, which of them reboots. A machine is asked for the configuration that it has;
secrets in it are shown as stars. Nothing is changed anywhere, and no operator has to run.

Of a KubernetesCluster it is also shown which Machines would be made, changed or removed, and its parts are worked
out as if providers gave the Machines addresses.

Exit codes, as of kubectl diff: 0 if nothing would change, 1 if something would, 2 if something is wrong: with
the file, with what it asks for, or with asking.

Example:
  talos-operator diff -f cluster.yaml
  kustomize build . | talos-operator diff -f - -o json`

const FAILED = 2

/** A command for which 1 is no failure. */
class DiffCommand extends GoCommand {
  override error(message: string, options?: ErrorOptions): never {
    return super.error(message, { ...options, exitCode: FAILED })
  }
}

/** `talos-operator diff`: what applying files would change on which machine. */
export function addDiff(program: Command, output: Output): Command {
  const command = new DiffCommand('diff').copyInheritedSettings(program)
  program.addCommand(command)
  return addForeseeFlags(
    command
      .description('say what applying a file would change on which machine')
      .requiredOption(
        '-f, --filename <file>',
        'what would be applied, - for the input; may be repeated',
        each,
      )
      .addHelpText('after', EXAMPLE),
  ).action(async (flags: DiffFlags) => {
    const exitCode = await run(flags, output)
    if (exitCode > 0) throw new Exit(exitCode)
  })
}

async function run(flags: DiffFlags, output: Output): Promise<number> {
  try {
    const { runDiff } = await import('./diff-run.ts')
    return await runDiff(flags, output)
  } catch (error) {
    throw new Exit(FAILED, endOf(error).message)
  }
}
