import type { MachineConfig } from '#machineconfig/machine-config.ts'
import { bundleFromConfig } from '#machineconfig/secrets/bundle-from-config.ts'
import { encodedPem } from '#machineconfig/secrets/encoded-pem.ts'
import { configFacts } from '#simulator/machine/config-facts.ts'
import type { Machine } from '#simulator/machine/machine.ts'
import type { MachineResource } from '#simulator/resources/resource-store.ts'
import { clusterAccess } from '#simulator/services/cluster-access.ts'
import { apiKeysOf } from '#simulator/services/config-keys.ts'

// Resources that only repeat what the configuration says, its keys above all: they are made when someone
// who may see them asks, so that no key is kept twice.

type Spec = Readonly<Record<string, unknown>>

interface Made {
  readonly namespace: string
  readonly id: string
  readonly spec: (machine: Machine, config: MachineConfig) => Spec | undefined
}

const MADE: ReadonlyMap<string, Made> = new Map<string, Made>([
  ['OSRootSecrets.secrets.talos.dev', { namespace: 'secrets', id: 'os', spec: osRoot }],
  [
    'KubernetesRootSecrets.secrets.talos.dev',
    { namespace: 'secrets', id: 'k8s', spec: kubernetesRoot },
  ],
  [
    'BootstrapManifestsConfigs.kubernetes.talos.dev',
    { namespace: 'controlplane', id: 'manifests', spec: manifestsConfig },
  ],
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
  const spec = source && config && made.spec(machine, config)
  return spec ? [{ ...source, namespace, type, id: made.id, owner: '', spec }] : []
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
