// The operator in the cluster that kubectl points at, as config/default has it.

import { join } from 'node:path'
import { Type } from 'typebox'
import { Value } from 'typebox/value'
import { parseYamlDocuments, toYaml } from '#base/yaml.ts'
import { installDefinitions } from './definitions.ts'
import { ask, tell } from './kubectl.ts'

const FOLDER = join(import.meta.dirname, '..', '..', 'config', 'default')
const APPLY = ['apply', '--server-side', '--force-conflicts', '-f', '-']

const Deployment = Type.Object({
  kind: Type.Literal('Deployment'),
  metadata: Type.Object({ namespace: Type.String() }),
  spec: Type.Object({
    template: Type.Object({
      spec: Type.Object({ containers: Type.Array(Type.Object({ image: Type.String() })) }),
    }),
  }),
})

interface Wanted {
  /** Empty: the one that config/default names. */
  image: string
  /** Whether the definitions may take the place of another project's. */
  force: boolean
}

/** Installs the definitions, the namespace and the operator. Again with another image, it gets that. */
export function deploy({ image, force }: Wanted): void {
  installDefinitions(force)
  const objects = parseYamlDocuments(ask('kustomize', FOLDER))
  for (const one of objects) {
    if (!Value.Check(Deployment, one)) continue
    const { namespace: name } = one.metadata
    tell(APPLY, toYaml({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } }))
    for (const container of one.spec.template.spec.containers)
      container.image = image || container.image
  }
  tell(APPLY, objects.map((one) => toYaml(one)).join('---\n'))
}

/** Takes away what config/default names, and nothing of what users have made. */
export function undeploy(): void {
  tell(['delete', '--ignore-not-found', '-k', FOLDER])
  process.stdout.write(
    'The operator is gone. The kinds, its namespace and all objects of yours stay as they are: machines and clusters go on, ' +
      'and what you delete waits for an operator. `make uninstall` removes the kinds when none has objects.\n',
  )
}
