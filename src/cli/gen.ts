import type { Command } from 'commander'
import { addGenConfig } from './gen-config.ts'
import { addGenSecrets } from './gen-secrets.ts'
import { addSwitch } from './go-command.ts'
import type { Output } from './output.ts'

/** `talos-operator gen`: what a cluster is made from, with the flags of `talosctl gen`. */
export function addGen(program: Command, output: Output): Command {
  const gen = program
    .command('gen')
    .description('generate secrets and machine configurations, as talosctl gen does')
    .configureHelp({ showGlobalOptions: true })
    // Its own may stand after its commands, too.
    .enablePositionalOptions(false)
  addSwitch(gen, {
    flags: '-f, --force',
    description: 'will overwrite existing files',
    isOn: false,
  })
  addGenSecrets(gen, output)
  addGenConfig(gen, output)
  return gen
}
