import { type Command, Option } from 'commander'
import { each } from './go-command.ts'
import type { Output } from './output.ts'
import { shapeOf } from './simulate-clusters.ts'
import { simulateHelp } from './simulate-help.ts'
import { MOST_MACHINES, speedOf, wholeNumber } from './simulate-numbers.ts'
import type { SimulateFlags } from './simulate-run.ts'

/** `talos-operator simulate`: pretend Talos machines, until it is told to stop. */
export function addSimulate(program: Command, output: Output): Command {
  const command = program
    .command('simulate')
    .description('run pretend Talos machines that talosctl, kubectl and the operator can use')
    .addOption(
      new Option(
        '--machines <count>',
        'how many machines (default: 3); with --provider, how many at most (default: 100)',
      ).argParser(countOf),
    )
    .option('--talos <version>', 'the version of Talos that they boot', 'v1.13.0')
    .option('--address-base <address>', 'the address of the first; the others follow', '127.50.0.1')
    .addOption(
      new Option('--port <port>', 'where the API of each machine listens')
        .default(50_000)
        .argParser(portOf),
    )
    .addOption(
      new Option('--kubernetes-port <port>', 'where the Kubernetes API of each cluster listens')
        .default(6443)
        .argParser(portOf),
    )
    .addOption(
      new Option(
        '--speed <factor>',
        'how much faster than real machines; "max": nothing takes time',
      )
        .default(10)
        .argParser(speedOf),
    )
    .addOption(
      new Option('--seed <number>', 'the same seed makes the same machines')
        .default(1)
        .argParser(seedOf),
    )
    .option('--fault <fault>', 'something that goes wrong; can be given several times', each)
  addClusterFlags(command)
  return addProviderFlags(command)
    .addHelpText('after', simulateHelp)
    .action(async (flags: SimulateFlags) => {
      const { runSimulation } = await import('./simulate-run.ts')
      await runSimulation(flags, output)
    })
}

/** By which machines are meant for clusters that an operator can make of them. */
const addClusterFlags = (command: Command): Command =>
  command
    .addOption(
      new Option(
        '--clusters <count>',
        'as many machines as so many clusters take, and a file with the manifests of these',
      ).argParser(countOf),
    )
    .addOption(
      new Option(
        '--shape <shape>',
        'with --clusters: control planes and workers of each (default: 1+2)',
      ).argParser(shapeOf),
    )
    .option(
      '--manifests <file>',
      'with --clusters: where the manifests go (default: "clusters.yaml")',
    )

/** By which machines are made for an API. */
const addProviderFlags = (command: Command): Command =>
  command
    .option(
      '--provider [name]',
      'make the machines that Machine objects of an API ask for (default name: "simulated")',
    )
    .option(
      '--kubeconfig <file>',
      'with --provider: how the API is reached (default: what KUBECONFIG names or ~/.kube/config)',
    )
    .option('--context <name>', 'with --provider: the context of the kubeconfig')
    .option(
      '-n, --namespace <name>',
      'with --provider: where Machines are; can be given several times (default: anywhere)',
      each,
    )

const countOf = (text: string): number => wholeNumber(text, 1, MOST_MACHINES)
const portOf = (text: string): number => wholeNumber(text, 1, 65_535)
const seedOf = (text: string): number => wholeNumber(text, 0, Number.MAX_SAFE_INTEGER)
