import { resolve } from 'node:path'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { type BindAddress, parseBindAddress } from '#base/address.ts'
import { systemClock } from '#base/clock.ts'
import { messageOf } from '#base/operator-error.ts'
import { flagsOf } from '#operator/settings-flags.ts'
import { homeFolder } from './home-folder.ts'
import type { Output } from './output.ts'
import { stopSignal } from './stop-signal.ts'

const EXAMPLE = `
Everything is kept in the folder of --data-dir: the objects, the keys, and a kubeconfig for kubectl. One
process at a time can use it. All other settings are those of \`run\`: docs/reference/settings.md.

Example:
  talos-operator standalone --data-dir ./data
  kubectl --kubeconfig ./data/kubeconfig apply -f examples/talos-cluster-metal.yaml`

// There is no other API to go to.
const ELSEWHERE = /^--(kubeconfig|context|insecure-skip-tls-verify)\b/

interface Flags extends Record<string, unknown> {
  dataDir: string
  listen: BindAddress
  authentication: boolean
}

/** `talos-operator standalone`: the operator with a Kubernetes API of its own, until it is told to stop. */
export function addStandalone(program: Command, { out }: Output): Command {
  const command = program
    .command('standalone')
    .description(
      'run the operator with its own embedded Kubernetes API: no management cluster needed',
    )
    .requiredOption('--data-dir <folder>', 'where everything is kept')
    .addOption(
      new Option('--listen <address>', 'where the Kubernetes API is served')
        .default({ host: '127.0.0.1', port: 6443 }, '127.0.0.1:6443')
        .argParser(listenAddress),
    )
    .option('--no-authentication', 'let everyone on this machine do everything; on loopback only')
    .addHelpText('after', EXAMPLE)
    .action((flags: Flags) => run(flags, out))
  for (const { flags, description, isHidden } of flagsOf()) {
    if (ELSEWHERE.test(flags)) continue
    command.addOption(new Option(flags, description).hideHelp(isHidden))
  }
  return command
}

function listenAddress(text: string): BindAddress {
  try {
    const address = parseBindAddress(text)
    if (address !== 'off') return address
  } catch (error) {
    throw new InvalidArgumentError(messageOf(error))
  }
  throw new InvalidArgumentError('The API has to listen somewhere: write "127.0.0.1:6443".')
}

async function run(flags: Flags, out: Output['out']): Promise<void> {
  // Loaded when it is wanted: other commands need none of it, and start in a fraction of the time.
  const { startStandalone } = await import('#operator/standalone.ts')
  using stop = stopSignal(systemClock)
  const { dataDir, listen, authentication, ...settings } = flags
  await startStandalone({
    flags: settings,
    env: process.env,
    homeFolder: homeFolder(),
    clock: systemClock,
    signal: stop.signal,
    dataFolder: resolve(dataDir),
    address: listen,
    authentication,
    onReady: (kubeconfig, url) =>
      out(`The Kubernetes API is at ${url}\n\n  export KUBECONFIG=${kubeconfig}\n\n`),
  })
}
