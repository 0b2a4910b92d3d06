import type { Command } from 'commander'
import type { CredentialFile } from './credential-of.ts'
import { addManagementFlags, type ManagementFlags } from './management-flags.ts'
import type { Output } from './output.ts'

interface Flags extends ManagementFlags {
  readonly output?: string
  readonly force?: boolean
}

interface CredentialCommand {
  readonly file: CredentialFile
  readonly description: string
  readonly example: string
}

/** A command that prints a file which the operator made for the users of a cluster, or writes it. */
export const addCredentialCommand = (
  program: Command,
  { out }: Output,
  { file, description, example }: CredentialCommand,
): Command =>
  addManagementFlags(
    program
      .command(file)
      .description(description)
      .argument('<name>', 'of a TalosCluster, a KubernetesCluster or a TalosControlPlane')
      .option('-o, --output <file>', 'write it there, for its owner alone (default: to stdout)')
      .option('--force', 'overwrite a file that is there')
      .addHelpText('after', example),
  ).action(async (name: string, flags: Flags) => {
    const { text, path } = await fetched({ name, file, flags })
    if (path === undefined) return out(text)
    const { writeKeyFile } = await import('./key-file.ts')
    await writeKeyFile({ path, text, force: flags.force ?? false })
  })

async function fetched({
  name,
  file,
  flags: { output, force: _, ...flags },
}: {
  name: string
  file: CredentialFile
  flags: Flags
}): Promise<{ text: string; path: string | undefined }> {
  // Loaded when it is wanted: other commands start in a fraction of the time.
  const [{ credentialOf }, { openManagementApi }] = await Promise.all([
    import('./credential-of.ts'),
    import('./management-api.ts'),
  ])
  using api = await openManagementApi(flags)
  const { client, namespace } = api
  const text = await credentialOf(client, { namespace, name, file })
  return { text: text.open(), path: output === '-' ? undefined : output }
}
