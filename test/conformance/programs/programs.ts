/** One Go module in this folder: the pin, and how what it pins is compiled. */
export interface ProgramModule {
  /** Measured on two cores with empty Go caches, for whoever waits. */
  coldMinutes: number
  /** Go variables set while linking, for programs that otherwise do not know their own version. */
  stamps: Record<string, string>
}

/** One real program. Its executable in the cache carries its name. */
export interface Program {
  module: ModuleName
  version: string
  goPackage: string
  /** What Go names the executable, where that is not the program's name. */
  builtAs?: string
  /** Whether a folder of Kubernetes test programs always has it (KUBEBUILDER_ASSETS). */
  inKubernetesAssets?: 'always' | 'sometimes'
}

export type ModuleName = 'kubernetes' | 'talosctl' | 'helm' | 'versitygw'

export type ProgramName =
  | 'kube-apiserver'
  | 'kube-controller-manager'
  | 'kubectl'
  | 'etcd'
  | 'talosctl'
  | 'helm'
  | 'versitygw'

const KUBERNETES_VERSION = 'v1.36.4'

export const modules: Record<ModuleName, ProgramModule> = {
  kubernetes: {
    coldMinutes: 7,
    stamps: {
      'k8s.io/component-base/version.gitVersion': KUBERNETES_VERSION,
      'k8s.io/component-base/version.gitMajor': '1',
      'k8s.io/component-base/version.gitMinor': '36',
      'k8s.io/client-go/pkg/version.gitVersion': KUBERNETES_VERSION,
    },
  },
  // Talos carries its version in an embedded file, and would overwrite a stamp with it at the start.
  talosctl: { coldMinutes: 4, stamps: {} },
  helm: { coldMinutes: 2, stamps: { 'helm.sh/helm/v4/internal/version.version': 'v4.2.4' } },
  versitygw: { coldMinutes: 2, stamps: { 'main.Version': 'v1.7.0' } },
}

export const programs: Record<ProgramName, Program> = {
  'kube-apiserver': {
    module: 'kubernetes',
    version: KUBERNETES_VERSION,
    goPackage: 'k8s.io/kubernetes/cmd/kube-apiserver',
    inKubernetesAssets: 'always',
  },
  'kube-controller-manager': {
    module: 'kubernetes',
    version: KUBERNETES_VERSION,
    goPackage: 'k8s.io/kubernetes/cmd/kube-controller-manager',
    inKubernetesAssets: 'sometimes',
  },
  kubectl: {
    module: 'kubernetes',
    version: KUBERNETES_VERSION,
    goPackage: 'k8s.io/kubernetes/cmd/kubectl',
    inKubernetesAssets: 'always',
  },
  etcd: {
    module: 'kubernetes',
    version: 'v3.6.8',
    goPackage: 'go.etcd.io/etcd/server/v3',
    builtAs: 'server',
    inKubernetesAssets: 'always',
  },
  talosctl: {
    module: 'talosctl',
    version: 'v1.13.0',
    goPackage: 'github.com/siderolabs/talos/cmd/talosctl',
  },
  helm: { module: 'helm', version: 'v4.2.4', goPackage: 'helm.sh/helm/v4/cmd/helm' },
  versitygw: {
    module: 'versitygw',
    version: 'v1.7.0',
    goPackage: 'github.com/versity/versitygw/cmd/versitygw',
  },
}

/** All of them, in the order in which they are built: what most suites need comes first. */
export const programNames = Object.keys(programs) as ProgramName[] // keys() forgets the key type
