import type { Command } from 'commander'
import { toCrd } from '#api/crd.ts'
import { kinds } from '#api/kinds.ts'
import { VITISTACK_GROUP } from '#api/meta.ts'
import { toYaml } from '#base/yaml.ts'
import type { Output } from './output.ts'

const EXAMPLE = `
The vitistack.io kinds are left out unless you ask for them: another project publishes kinds of the
same names with another shape, and applying ours over them would strip its objects.

The namespace of the operator is never among what is printed: deleting it would delete all that
users have made there.

Examples:
  talos-operator manifests | kubectl apply --server-side -f -
  talos-operator manifests --rbac --machine-ref-kinds vitistack.io/v1alpha1/Machine
  talos-operator manifests --operator --no-crds > operator.yaml`

const NAMESPACE = 'talos-operator-system'

interface Flags {
  all?: boolean
  crds: boolean
  rbac?: boolean
  operator?: boolean
  namespace: string
  image?: string
  namespaces?: string
  machineRefKinds?: string
}

/** `talos-operator manifests`: what has to be applied to a cluster for the operator to run in it. */
export const addManifests = (program: Command, { out }: Output): Command =>
  program
    .command('manifests')
    .description('print the CRDs, and the operator, as YAML')
    .option('--all', 'the definitions of vitistack.io, too')
    .option('--no-crds', 'no definitions')
    .option('--rbac', 'the account that the operator runs as, its roles, and roles for people, too')
    .option('--operator', 'all that the operator in a cluster consists of, too: --rbac and more')
    .option('--namespace <name>', 'where the operator runs', NAMESPACE)
    .option('--image <image>', 'with --operator: its image (default: that of this version)')
    .option('--namespaces <names>', 'where it looks after clusters (default: everywhere)')
    .option('--machine-ref-kinds <kinds>', 'the kinds that a machineRef may name')
    .addHelpText('after', EXAMPLE)
    .action(async ({ all, crds, rbac, operator, namespace, image, ...flags }: Flags) => {
      const wanted = kinds.filter(({ group }) => crds && (all || group !== VITISTACK_GROUP))
      const texts = wanted.map((kind) => toYaml(toCrd(kind)))
      if (rbac || operator) {
        // Loaded when it is wanted: it knows all controllers.
        const { installationManifest } = await import('#operator/installation-manifest.ts')
        const what = operator ? 'operator' : 'roles'
        const { env } = process
        texts.push(await installationManifest({ namespace, what, image, flags, env }))
      }
      out(texts.join('---\n'))
    })
