import type { ConfigFacts } from '#simulator/machine/config-facts.ts'
import type { Flags } from '#simulator/machine/kubernetes-facts.ts'

interface OwnFlags {
  readonly program: string
  readonly own: Readonly<Record<string, string>>
  /** Flags to which further values are added; of others the further ones win. */
  readonly additive: ReadonlySet<string>
}

/** What an API server is started with. */
export const apiServerCommand = (
  { endpoint, serviceSubnets, extraArgs }: ConfigFacts,
  address: string,
): string[] =>
  commandLine(extraArgs.apiServer, {
    program: 'kube-apiserver',
    own: {
      'advertise-address': address,
      'allow-privileged': 'true',
      'anonymous-auth': 'false',
      'api-audiences': endpoint,
      'authorization-mode': 'Node,RBAC',
      'bind-address': '0.0.0.0',
      'enable-admission-plugins': 'NodeRestriction',
      'enable-bootstrap-token-auth': 'true',
      'etcd-servers': 'https://localhost:2379',
      profiling: 'false',
      'secure-port': '6443',
      'service-account-issuer': endpoint,
      'service-cluster-ip-range': serviceSubnets.join(','),
      'tls-min-version': 'VersionTLS12',
    },
    additive: new Set([
      ...['authorization-mode', 'enable-admission-plugins', 'feature-gates', 'tls-cipher-suites'],
    ]),
  })

export const controllersCommand = ({
  podSubnets,
  serviceSubnets,
  extraArgs,
}: ConfigFacts): string[] =>
  commandLine(extraArgs.controllerManager, {
    program: 'kube-controller-manager',
    own: {
      'allocate-node-cidrs': 'true',
      'bind-address': '127.0.0.1',
      'cluster-cidr': podSubnets.join(','),
      'configure-cloud-routes': 'false',
      controllers: '*,tokencleaner',
      'leader-elect': 'true',
      profiling: 'false',
      'service-cluster-ip-range': serviceSubnets.join(','),
      'tls-min-version': 'VersionTLS13',
      'use-service-account-credentials': 'true',
    },
    additive: new Set(['controllers', 'service-cluster-ip-range']),
  })

export const schedulerCommand = ({ extraArgs }: ConfigFacts): string[] =>
  commandLine(extraArgs.scheduler, {
    program: 'kube-scheduler',
    own: {
      'authentication-tolerate-lookup-failure': 'false',
      'bind-address': '127.0.0.1',
      'leader-elect': 'true',
      profiling: 'false',
      'tls-min-version': 'VersionTLS13',
    },
    additive: new Set(),
  })

/** The flags of a kubelet. */
export const kubeletArgs = (
  { extraArgs, skipsNodeRegistration }: ConfigFacts,
  { hostname, address }: { hostname: string; address: string },
): string[] =>
  argsOf(extraArgs.kubelet, {
    own: {
      ...(!skipsNodeRegistration && {
        'bootstrap-kubeconfig': '/etc/kubernetes/bootstrap-kubeconfig',
        kubeconfig: '/etc/kubernetes/kubeconfig-kubelet',
      }),
      'cert-dir': '/var/lib/kubelet/pki',
      config: '/etc/kubernetes/kubelet.yaml',
      'hostname-override': hostname,
      'node-ip': address,
    },
    additive: new Set(),
  })

const commandLine = (further: Flags, { program, ...flags }: OwnFlags): string[] => [
  `/usr/local/bin/${program}`,
  ...argsOf(further, flags),
]

function argsOf(further: Flags, { own, additive }: Omit<OwnFlags, 'program'>): string[] {
  const names = [...new Set([...Object.keys(own), ...Object.keys(further)])].sort()
  return names.flatMap((name) => {
    const [mine, theirs] = [own[name], further[name]]
    if (additive.has(name)) return [`--${name}=${[mine ?? [], theirs ?? []].flat().join(',')}`]
    return (theirs ?? [mine ?? '']).map((value) => `--${name}=${value}`)
  })
}
