import { type Command, InvalidArgumentError, Option } from 'commander'
import { type Duration, parseDuration } from '#base/duration.ts'
import { messageOf } from '#base/operator-error.ts'
import { addManagementFlags } from './management-flags.ts'
import type { Output } from './output.ts'
import type { UpgradeFlags } from './upgrade-k8s-wish.ts'

const EXAMPLE = `
Sets spec.kubeVersion of a TalosControlPlane, and of those of its pools that asked for the same version as it did.
Parts of a TalosCluster are edited there. A pool that asks for an older version keeps it. Then it follows what the
operator makes of that, until it is over. The operator does the work: it has to run, and it goes on when this command
is ended. Where the spec already asks for the version, nothing is edited.

What the command line does not say is taken from TCP_NAME, TCP_NAMESPACE and TARGET_VERSION, so that this can be the
command of a Job: it needs no more than to read and patch the objects above, and to list TalosMachines. With --dry-run
it needs to read all that the operator does.

Exit codes: 0 when all of the cluster that is to have the version has it, 1 if it is refused, if the operator has said
for a minute that it cannot go on, or if time is up.

Example:
  talos-operator upgrade-k8s demo --to v1.36.1 --dry-run
  talos-operator upgrade-k8s demo --to v1.36.1 -n production --timeout 2h`

const USUAL: Duration = { ms: 3_600_000 }

/** `talos-operator upgrade-k8s`: asks for another version of Kubernetes, and follows how it comes. */
export const addUpgradeK8s = (program: Command, output: Output): Command =>
  addManagementFlags(
    program
      .command('upgrade-k8s')
      .description('upgrade the Kubernetes of a cluster, and wait until it is done')
      .argument('[name]', 'of a TalosControlPlane (default: TCP_NAME)')
      .option('--to <version>', 'the version of Kubernetes (default: TARGET_VERSION)')
      .option(
        '--dry-run',
        'change nothing: say what would be edited, whether it is refused, and the order',
      )
      .addOption(
        new Option('--timeout <duration>', 'how long it is followed')
          .default(USUAL, '1h')
          .argParser(durationOf),
      )
      .option(
        '--leader-election-name <name>',
        'the Lease of the operator, as it was started with',
        'talos-operator',
      )
      .addHelpText('after', EXAMPLE),
  ).action(async (name: string | undefined, flags: UpgradeFlags) => {
    const { runUpgrade } = await import('./upgrade-k8s-run.ts')
    await runUpgrade({ name, flags, env: process.env }, output)
  })

function durationOf(text: string): Duration {
  try {
    return parseDuration(text)
  } catch (error) {
    throw new InvalidArgumentError(`Write it as 90m or 2h: ${messageOf(error)}.`)
  }
}
