import type { Command } from 'commander'
import { toCrd } from '#api/crd.ts'
import { kinds } from '#api/kinds.ts'
import { VITISTACK_GROUP } from '#api/meta.ts'
import { toYaml } from '#base/yaml.ts'
import type { Output } from './output.ts'

const EXAMPLE = `
The vitistack.io kinds are left out unless you ask for them: another project publishes kinds of the
same names with another shape, and applying ours over them would strip its objects.

Examples:
  talos-operator manifests | kubectl apply --server-side -f -
  talos-operator manifests --rbac --machine-ref-kinds vitistack.io/v1alpha1/Machine`

const NAMESPACE = 'talos-operator-system'

interface Flags {
  all?: boolean
  rbac?: boolean
  namespace: string
  namespaces?: string
  machineRefKinds?: string
}

/** `talos-operator manifests`: what has to be applied to a cluster before the operator can run in it. */
export const addManifests = (program: Command, { out }: Output): Command =>
  program
    .command('manifests')
    .description('print the CustomResourceDefinitions as YAML')
    .option('--all', 'those of vitistack.io, too')
    .option('--rbac', 'the account that the operator runs as and its roles, too')
    .option('--namespace <name>', 'with --rbac: where the operator runs', NAMESPACE)
    .option(
      '--namespaces <names>',
      'with --rbac: where it looks after clusters (default: everywhere)',
    )
    .option('--machine-ref-kinds <kinds>', 'with --rbac: the kinds that a machineRef may name')
    .addHelpText('after', EXAMPLE)
    .action(async ({ all, rbac, namespace, ...flags }: Flags) => {
      const wanted = kinds.filter(({ group }) => all || group !== VITISTACK_GROUP)
      const texts = wanted.map((kind) => toYaml(toCrd(kind)))
      if (rbac) {
        // Loaded when it is wanted: it knows all controllers.
        const { rolesManifest } = await import('#operator/roles-manifest.ts')
        texts.push(await rolesManifest({ namespace, flags, env: process.env }))
      }
      out(texts.join('---\n'))
    })
