import type { MachineConfig } from '#machineconfig/machine-config.ts'
import { bundleFromConfig } from '#machineconfig/secrets/bundle-from-config.ts'
import { encodedPem } from '#machineconfig/secrets/encoded-pem.ts'
import { manifestsOf } from '#simulator/kubernetes/bootstrap/manifests.ts'
import { configFacts } from '#simulator/machine/config-facts.ts'
import type { Machine } from '#simulator/machine/machine.ts'
import type { MachineResource } from '#simulator/resources/resource-store.ts'
import { clusterAccess } from '#simulator/services/cluster-access.ts'
import { apiKeysOf } from '#simulator/services/config-keys.ts'

// Resources that only repeat what the configuration says, its keys above all: they are made when someone
// who may see them asks, so that no key is kept twice.

type Spec = Readonly<Record<string, unknown>>

type SpecOf<S> = (machine: Machine, config: MachineConfig) => S

interface Made {
  readonly namespace: string
  /** By their ids. */
  readonly specs: SpecOf<readonly (readonly [id: string, spec: unknown])[]>
}

/** A type with one resource. */
const single = (namespace: string, id: string, specOf: SpecOf<Spec | undefined>): Made => ({
  namespace,
  specs: (machine, config) => {
    const spec = specOf(machine, config)
    return spec ? [[id, spec]] : []
  },
})

const MADE: ReadonlyMap<string, Made> = new Map<string, Made>([
  ['OSRootSecrets.secrets.talos.dev', single('secrets', 'os', osRoot)],
  ['KubernetesRootSecrets.secrets.talos.dev', single('secrets', 'k8s', kubernetesRoot)],
  [
    'BootstrapManifestsConfigs.kubernetes.talos.dev',
    single('controlplane', 'manifests', manifestsConfig),
  ],
  ['Manifests.kubernetes.talos.dev', { namespace: 'controlplane', specs: manifests }],
])

/** The resources of a type that follow from the configuration alone; undefined for types that do not. */
export function configResources(
  namespace: string,
  type: string,
  machine: Machine,
): readonly MachineResource[] | undefined {
  const made = MADE.get(type)
  if (!made || made.namespace !== namespace) return undefined
  const { resources, config } = machine
  const source = resources.get('config', 'MachineConfigs.config.talos.dev', 'v1alpha1')
  if (!source || !config) return []
  return made
    .specs(machine, config)
    .map(([id, spec]) => ({ ...source, namespace, type, id, owner: '', spec }))
}

function osRoot({ address }: Machine, config: MachineConfig): Spec | undefined {
  const keys = apiKeysOf(config)
  if (!keys) return undefined
  const [, ...accepted] = keys.accepted
  return {
    issuingCA: {
      crt: encodedPem(keys.authority),
      key: keys.signer ? encodedPem(keys.signer.key.open()) : '',
    },
    acceptedCAs: [keys.authority, ...accepted].map((crt) => ({ crt: encodedPem(crt) })),
    certSANIPs: [address],
    certSANDNSNames: keys.certSans,
  }
}

function kubernetesRoot(machine: Machine, config: MachineConfig): Spec | undefined {
  if (machine.type !== 'controlplane') return undefined
  const { kubernetes, aggregator } = bundleFromConfig(config)
  const { clusterName, endpoint, acceptedCas = [] } = clusterAccess(config)
  const facts = configFacts(config, machine.talosVersion)
  const pair = ({ certificate, key }: typeof kubernetes) => ({
    crt: encodedPem(certificate),
    key: encodedPem(key.open()),
  })
  return {
    name: clusterName,
    endpoint,
    local_endpoint: 'https://localhost:6443',
    certSANs: facts.apiServerSans,
    dnsDomain: facts.dnsDomain,
    issuingCA: pair(kubernetes),
    acceptedCAs: [kubernetes.certificate, ...acceptedCas].map((crt) => ({ crt: encodedPem(crt) })),
    aggregatorCA: pair(aggregator),
  }
}

function manifestsConfig(machine: Machine, config: MachineConfig): Spec | undefined {
  if (machine.type !== 'controlplane') return undefined
  const facts = configFacts(config, machine.talosVersion)
  const { images } = facts
  return {
    string: 'https://127.0.0.1:7445',
    clusterDomain: facts.dnsDomain,
    podCIDRs: facts.podSubnets,
    proxyEnabled: facts.hasKubeProxy,
    proxyImage: images.proxy,
    coreDNSEnabled: facts.hasCoreDns,
    coreDNSImage: images.coreDns,
    flannelEnabled: facts.cni === 'flannel',
    flannelImage: images.flannel,
    talosAPIServiceEnabled: facts.kubernetesAccess.isEnabled,
    cniName: facts.cni,
  }
}

function manifests(machine: Machine, config: MachineConfig) {
  if (machine.type !== 'controlplane') return []
  const facts = configFacts(config, machine.talosVersion)
  return manifestsOf({ facts, images: facts.images })
}
