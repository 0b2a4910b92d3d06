import { type Command, InvalidArgumentError, Option } from 'commander'
import { type Duration, parseDuration } from '#base/duration.ts'
import { messageOf } from '#base/operator-error.ts'
import { addManagementFlags } from './management-flags.ts'
import type { Output } from './output.ts'
import type { UpgradeFlags } from './upgrade-k8s-wish.ts'

const EXAMPLE = `
Sets spec.kubeVersion of a TalosControlPlane, and of those of its pools that asked for the same version as it did.
Parts of a TalosCluster are edited there, and those of a KubernetesCluster by its spec.kubernetesVersion. A pool that
asks for an older version keeps it. Where the spec already asks for the version, nothing is edited.

An operator that leads does the work, and is followed until it is over; it goes on when this command is ended. Where
none leads, this command does the same work itself: it takes the Lease that an operator works by, so that nobody else
works meanwhile, and makes the passes of an operator, for this one cluster alone. It ends when the upgrade is over, gives
the Lease back, and whoever comes next goes on from there: an operator, or the same command again. What it has to
complain of meanwhile is on standard error.

What the command line does not say is taken from TCP_NAME, TCP_NAMESPACE and TARGET_VERSION, so that this can be the
command of a Job. To follow, it needs no more than to read and patch the objects above, to list TalosMachines, and to get
the Lease; to do the work, all that the operator may: see talos-operator manifests --rbac. With --dry-run it needs to read
all that the operator does.

Exit codes: 0 when all of the cluster that is to have the version has it, 1 if it is refused, if it has been said for a
minute that it cannot go on, or if time is up.

Example:
  talos-operator upgrade-k8s demo --to v1.36.1 --dry-run
  talos-operator upgrade-k8s demo --to v1.36.1 -n production --timeout 2h`

const USUAL: Duration = { ms: 3_600_000 }

/** `talos-operator upgrade-k8s`: asks for another version of Kubernetes, and sees to it that it comes. */
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
        new Option('--timeout <duration>', 'how long it may take')
          .default(USUAL, '1h')
          .argParser(durationOf),
      )
      .option(
        '--leader-election-name <name>',
        'the Lease of the operator, as it was started with',
        'talos-operator',
      )
      .option(
        '--leader-election-namespace <namespace>',
        'where that Lease is (default: wherever one of that name is, else that of the pod, or of the context)',
      )
      .option(
        '--enable-meta-key',
        'as the operator is started with it, for where this command does its work',
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
