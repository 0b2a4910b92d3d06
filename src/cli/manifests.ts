import type { Command } from 'commander'
import { toCrd } from '#api/crd.ts'
import { kinds } from '#api/kinds.ts'
import { toYaml } from '#base/yaml.ts'
import type { Output } from './output.ts'

/** `talos-operator manifests`: what has to be applied to a cluster before the operator can run in it. */
export const addManifests = (program: Command, { out }: Output): Command =>
  program
    .command('manifests')
    .description('print the CustomResourceDefinitions as YAML')
    .addHelpText(
      'after',
      '\nExample:\n  talos-operator manifests | kubectl apply --server-side -f -',
    )
    .action(() => out(kinds.map((kind) => toYaml(toCrd(kind))).join('---\n')))
