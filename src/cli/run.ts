import { type Command, Option } from 'commander'
import { systemClock } from '#base/clock.ts'
import { flagsOf } from '#operator/settings-flags.ts'
import { homeFolder } from './home-folder.ts'
import { stopSignal } from './stop-signal.ts'

const EXAMPLE = `
Settings come from flags, then from the environment, then from the file of --config. All of them, also
those that help leaves out, are in docs/reference/settings.md.

Example:
  talos-operator run --kubeconfig ~/.kube/config --health-probe-bind-address 127.0.0.1:8081`

/** `talos-operator run`: the operator against a Kubernetes API, until it is told to stop. */
export function addRun(program: Command): Command {
  const command = program
    .command('run')
    .description('run the operator against a Kubernetes API')
    .addHelpText('after', EXAMPLE)
    .action(run)
  for (const { flags, description, isHidden } of flagsOf()) {
    command.addOption(new Option(flags, description).hideHelp(isHidden))
  }
  return command
}

async function run(flags: Record<string, unknown>): Promise<void> {
  // Loaded when it is wanted: other commands need none of it, and start in a fraction of the time.
  const { startOperator } = await import('#operator/start.ts')
  using stop = stopSignal(systemClock)
  const { env } = process
  const { signal } = stop
  await startOperator({ flags, env, homeFolder: homeFolder(), clock: systemClock, signal })
}
