import type { Command } from 'commander'
import type { SecretsFlags } from './generate-secrets.ts'
import type { Output } from './output.ts'
import { DEFAULT_TALOS_VERSION } from './talos-version.ts'

const EXAMPLE = `
The file is for its owner alone. Whoever has it is the cluster: keep it safe, and keep it.

Example:
  talos-operator gen secrets -o secrets.yaml`

/** `talos-operator gen secrets`: the keys and tokens of a new cluster, or those of one that there is. */
export const addGenSecrets = (gen: Command, output: Output): Command =>
  gen
    .command('secrets')
    .description('generate a secrets bundle, from which configurations can be generated')
    .option(
      '-o, --output-file <file>',
      'path of the output file, or "-" for stdout',
      'secrets.yaml',
    )
    .option(
      '--talos-version <version>',
      `the version of Talos that the cluster will run (default: ${DEFAULT_TALOS_VERSION})`,
    )
    .option(
      '--from-controlplane-config <file>',
      'take the secrets out of this configuration of a control plane machine',
    )
    .option(
      '-p, --from-kubernetes-pki <folder>',
      'take what Kubernetes has of them out of a folder such as /etc/kubernetes/pki',
    )
    .option(
      '-t, --kubernetes-bootstrap-token <token>',
      'with --from-kubernetes-pki: the token with which nodes join',
    )
    .addHelpText('after', EXAMPLE)
    .action(async (_flags: unknown, command: Command) => {
      const { generateSecrets } = await import('./generate-secrets.ts')
      await generateSecrets(command.optsWithGlobals<SecretsFlags>(), output)
    })
