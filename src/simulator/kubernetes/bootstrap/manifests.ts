import { type Fields, fieldsAt } from '#apiserver/objects.ts'
import type { Bootstrap, BootstrapFacts, BootstrapObject } from './bootstrap.ts'
import { certificateAccess } from './certificate-access.ts'
import { addressOfCoreDns, coreDns } from './core-dns.ts'
import { flannel } from './flannel.ts'
import { kubeProxy } from './kube-proxy.ts'
import { kindFields } from './manifest-kinds.ts'
import { kubeconfigInCluster, talosAccess } from './talos-access.ts'

/** Objects that belong together, by the name that Talos has for them. */
interface Manifest {
  readonly name: string
  readonly isWanted: (facts: BootstrapFacts) => boolean
  readonly objects: (bootstrap: Bootstrap) => BootstrapObject[]
}

const always = () => true

const MANIFESTS: readonly Manifest[] = [
  ...certificateAccess.map(({ name, object }) => ({
    ...{ name, isWanted: always, objects: () => [object] },
  })),
  { name: '05-flannel', isWanted: ({ cni }) => cni === 'flannel', objects: flannel },
  { name: '10-kube-proxy', isWanted: ({ hasKubeProxy }) => hasKubeProxy, objects: kubeProxy },
  { name: '11-core-dns', isWanted: ({ hasCoreDns }) => hasCoreDns, objects: coreDns },
  { name: '11-core-dns-svc', isWanted: ({ hasCoreDns }) => hasCoreDns, objects: addressOfCoreDns },
  { name: '11-kube-config-in-cluster', isWanted: always, objects: kubeconfigInCluster },
  { name: '11-talos-node-rbac-template', isWanted: always, objects: talosAccess },
]

export const manifestNames = (facts: BootstrapFacts): string[] =>
  MANIFESTS.filter(({ isWanted }) => isWanted(facts)).map(({ name }) => name)

/** All that Talos puts into a new cluster. */
export const bootstrapObjects = (bootstrap: Bootstrap): BootstrapObject[] =>
  MANIFESTS.filter(({ isWanted }) => isWanted(bootstrap.facts)).flatMap(({ objects }) =>
    objects(bootstrap),
  )

/** The same as whole objects, by the names of their manifests. */
export const manifestsOf = (bootstrap: Bootstrap): [name: string, objects: Fields[]][] =>
  MANIFESTS.filter(({ isWanted }) => isWanted(bootstrap.facts)).map(({ name, objects }) => [
    name,
    objects(bootstrap).map(wholeObject),
  ])

function wholeObject({ id, fields }: BootstrapObject): Fields {
  const { plural, namespace, name } = id
  const place = { name, ...(namespace && { namespace }) }
  return {
    ...kindFields(plural),
    ...fields,
    metadata: { ...fieldsAt(fields, 'metadata'), ...place },
  }
}
