import { type Command, Option } from 'commander'

/** How the API is reached in which the objects of the operator are, as the command line says. */
export interface ManagementFlags {
  readonly namespace?: string
  readonly kubeconfig?: string
  readonly context?: string
  readonly insecureSkipTlsVerify?: boolean
}

/** Adds the flags by which a command reaches that API, with kubectl's names for them. */
export const addManagementFlags = (command: Command): Command =>
  command
    .option('-n, --namespace <name>', 'where the object is (default: that of the context)')
    .option(
      '--kubeconfig <file>',
      'how the API is reached (default: what KUBECONFIG names or ~/.kube/config)',
    )
    .option('--context <name>', 'the context of the kubeconfig (default: the current one)')
    .addOption(
      new Option(
        '--insecure-skip-tls-verify',
        'accept a kubeconfig that asks for insecure-skip-tls-verify',
      ).hideHelp(),
    )

/** What else is said to a command that works out what the operator would do. */
export interface ForeseeFlags extends ManagementFlags {
  readonly output: 'text' | 'json'
  readonly enableMetaKey?: boolean
}

/** Adds the flags of such a command. */
export const addForeseeFlags = (command: Command): Command =>
  addManagementFlags(
    command
      .addOption(
        new Option('-o, --output <format>', 'for people or for programs')
          .choices(['text', 'json'])
          .default('text'),
      )
      .option('--enable-meta-key', 'as if the operator had been started with it'),
  )
