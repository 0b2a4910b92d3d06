import { type Command, Option } from 'commander'
import type { ConfigFlags } from './config-flags.ts'
import { addSwitch, each, list } from './go-command.ts'
import type { Output } from './output.ts'
import { DEFAULT_TALOS_VERSION } from './talos-version.ts'

const ABOUT = `
The cluster endpoint is the URL of the Kubernetes API: that of a load balancer, or of one control plane
machine with port 6443.

Unlike talosctl, whose defaults are those of its own version, this takes the installer and the version of
Kubernetes that belong to --talos-version. No documentation and no examples are written into the files,
whatever is asked. All files are for their owner alone, because they hold keys.

Examples:
  talos-operator gen config one https://192.0.2.10:6443 --with-secrets secrets.yaml -o one
  talos-operator gen config one https://192.0.2.10:6443 --with-secrets secrets.yaml \\
    --config-patch @all.yaml --config-patch-worker '{"machine": {"kubelet": {"extraArgs": {"v": "4"}}}}' \\
    --output-types worker -o worker.yaml`

/** `talos-operator gen config`: the configurations of a cluster's machines, and a talosconfig. */
export function addGenConfig(gen: Command, output: Output): Command {
  const command = gen
    .command('config')
    .description('generate a set of configuration files for a Talos cluster')
    .argument('<name>', 'the name of the cluster')
    .argument('<endpoint>', 'the URL of its Kubernetes API')
    .addHelpText('after', ABOUT)
  command.action(async (name: string, endpoint: string) => {
    const { generateFiles } = await import('./generate-files.ts')
    await generateFiles({ name, endpoint }, command.optsWithGlobals<ConfigFlags>(), output)
  })
  addClusterOptions(command)
  addPatchOptions(command)
  addOutputOptions(command)
  return command
}

function addClusterOptions(command: Command): void {
  command
    .option('--with-secrets <file>', 'use a secrets file generated using "gen secrets"')
    .option(
      '--talos-version <version>',
      `the version of Talos that the machines run (default: ${DEFAULT_TALOS_VERSION})`,
    )
    .option('--kubernetes-version <version>', 'desired Kubernetes version to run')
    .option('--install-disk <disk>', 'the disk to install to (default: /dev/sda)')
    .option('--install-image <image>', 'the image used to perform an installation')
    .option('--additional-sans <names>', 'additional names for the certificates', list)
    .option('--dns-domain <domain>', 'the DNS domain of the cluster (default: cluster.local)')
    .option('--registry-mirror <host=url>', 'mirrors of registries', list)
    .addOption(new Option('--version <version>').default('v1alpha1').hideHelp())
  addSwitch(command, {
    flags: '--with-cluster-discovery',
    description: 'enable cluster discovery',
    isOn: true,
  })
  addSwitch(command, { flags: '--with-kubespan', description: 'enable KubeSpan', isOn: false })
}

const addPatchOptions = (command: Command): Command =>
  command
    .option('--config-patch <patch>', 'patch all configurations; @file reads it from a file', each)
    .option('--config-patch-control-plane <patch>', 'the same for control planes alone', each)
    .option('--config-patch-worker <patch>', 'the same for workers alone', each)

function addOutputOptions(command: Command): void {
  command
    .option('-o, --output <path>', 'a folder; for a single output type a file, or "-" for stdout')
    .addOption(new Option('--output-dir <folder>').hideHelp())
    .option(
      '-t, --output-types <types>',
      'of controlplane, worker, talosconfig (default: all)',
      list,
    )
  for (const [name, what] of [
    ['with-docs', 'documentation'],
    ['with-examples', 'examples'],
  ]) {
    const description = `accepted, but no ${what} will be written`
    addSwitch(command, { flags: `--${name}`, description, isOn: false })
  }
}
