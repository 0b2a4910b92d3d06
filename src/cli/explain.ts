import type { Command } from 'commander'
import { addForeseeFlags, type ForeseeFlags } from './management-flags.ts'
import type { Output } from './output.ts'

const EXAMPLE = `
The operator's own rules are asked, with what is to be seen of the object, its machines and its cluster at
this moment. Nothing is changed anywhere. It needs no operator that runs, and the same permissions to read.

KIND is a kind, its plural or its short name: tc (TalosCluster), tcp (TalosControlPlane), tw (TalosWorker),
tm (TalosMachine), kc (KubernetesCluster).

Example:
  talos-operator explain tc/demo
  talos-operator explain kubernetescluster/prod
  talos-operator explain TalosMachine/demo-192.0.2.11 -n production -o json`

/** `talos-operator explain`: what the operator would do next for an object, and why not more. */
export const addExplain = (program: Command, output: Output): Command =>
  addForeseeFlags(
    program
      .command('explain')
      .description('say what the operator would do next, and why not more')
      .argument('<kind/name>', 'the object')
      .addHelpText('after', EXAMPLE),
  ).action(async (object: string, flags: ForeseeFlags) => {
    const { runExplain } = await import('./explain-run.ts')
    await runExplain(object, flags, output)
  })
