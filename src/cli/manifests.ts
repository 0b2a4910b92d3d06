import type { Command } from 'commander'
import { toCrd } from '#api/crd.ts'
import { kinds } from '#api/kinds.ts'
import { VITISTACK_GROUP } from '#api/meta.ts'
import { toYaml } from '#base/yaml.ts'
import type { Output } from './output.ts'

const EXAMPLE = `
The vitistack.io kinds are left out unless you ask for them: another project publishes kinds of the
same names with another shape, and applying ours over them would strip its objects.

Example:
  talos-operator manifests | kubectl apply --server-side -f -`

/** `talos-operator manifests`: what has to be applied to a cluster before the operator can run in it. */
export const addManifests = (program: Command, { out }: Output): Command =>
  program
    .command('manifests')
    .description('print the CustomResourceDefinitions as YAML')
    .option('--all', 'those of vitistack.io, too')
    .addHelpText('after', EXAMPLE)
    .action(({ all }: { all?: boolean }) => {
      const wanted = kinds.filter(({ group }) => all || group !== VITISTACK_GROUP)
      out(wanted.map((kind) => toYaml(toCrd(kind))).join('---\n'))
    })
