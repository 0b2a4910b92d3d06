import { type Command, Option } from 'commander'
import type { DemoFlags } from './demo-run.ts'
import type { Output } from './output.ts'
import { speedOf, wholeNumber } from './simulate-numbers.ts'

const EXAMPLE = `
Runs the operator with an API of its own on a temporary folder, lets it make a cluster of simulated
machines, and shows what it does until the cluster is ready, and whatever happens after that. The last lines
say how to look at both with kubectl. Several demos can run side by side. Nothing else is needed, and
nothing is left when it ends.

With --kubernetes-cluster there are no machines at first. The operator orders them, as Machine objects, from a
provider, and makes the cluster of what it gets.

On Linux every address in 127.0.0.0/8 can be used. macOS has 127.0.0.1 alone; add the others first, one for
each machine: sudo ifconfig lo0 alias 127.80.0.1 up

Example:
  talos-operator demo
  talos-operator demo --control-planes 1 --workers 10 --speed 5
  talos-operator demo --kubernetes-cluster`

/** `talos-operator demo`: a cluster that comes up before one's eyes, on nothing but this computer. */
export function addDemo(program: Command, output: Output): Command {
  return program
    .command('demo')
    .description('see the operator make a cluster of simulated machines, on this computer alone')
    .addOption(
      new Option('--control-planes <count>', 'how many machines run the control plane')
        .default(3)
        .argParser((text) => wholeNumber(text, 1, 9)),
    )
    .addOption(
      new Option('--workers <count>', 'how many machines run workloads')
        .default(2)
        .argParser((text) => wholeNumber(text, 0, 200)),
    )
    .option(
      '--kubernetes-cluster',
      'make a KubernetesCluster, whose machines a provider of simulated machines makes',
    )
    .option(
      '--address-base <address>',
      'the address of the first machine; the others follow (default: where there is room)',
    )
    .addOption(
      new Option(
        '--speed <factor>',
        'how much faster than real machines; "max": nothing takes time',
      )
        .default(50)
        .argParser(speedOf),
    )
    .addHelpText('after', EXAMPLE)
    .action(async (flags: DemoFlags) => {
      const { runDemo } = await import('./demo-run.ts')
      await runDemo(flags, output)
    })
}
