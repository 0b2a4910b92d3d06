import type { KubernetesCluster } from '#api/kubernetes-cluster.ts'
import { isLabel, LONGEST_NAME, shown } from './finding.ts'
import { type Groups, judgeGroups } from './shape-groups.ts'
import { judgeNetwork, type Network } from './shape-network.ts'
import { judgeTalos, type TalosSettings } from './shape-talos.ts'

/** What a spec asks for, with every default filled in. It holds no secret. */
export interface Shape extends Groups, Network, TalosSettings {
  /** The name of the cluster, which starts all other names. */
  name: string
  kubernetesVersion: string
  talosVersion: string
}

/** The shape of a cluster, or what is wrong with its spec: each a sentence that says what to change. */
export type Judged = { shape: Shape } | { problems: string[] }

const VERSION = /^v(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)$/

/** The name that a cluster goes by, whether or not it can be one. */
export const clusterNameOf = ({ metadata, spec }: KubernetesCluster): string =>
  spec?.clusterName || metadata.name

/** Judges a spec, all of it: whoever repairs it sees everything that is wrong at once. */
export function judge(cluster: KubernetesCluster): Judged {
  const { spec = {} } = cluster
  const name = clusterNameOf(cluster)
  const groups = judgeGroups(name, spec)
  const network = judgeNetwork(spec)
  const talos = judgeTalos(name, spec.talosConfig)
  const problems = [
    ...nameProblems(name),
    ...versionProblems('spec.kubernetesVersion', spec.kubernetesVersion),
    ...versionProblems('spec.talosVersion', spec.talosVersion),
    ...network.problems,
    ...groups.problems,
    ...talos.problems,
  ]
  const { kubernetesVersion = '', talosVersion = '' } = spec
  if (problems.length > 0) return { problems }
  const versions = { kubernetesVersion, talosVersion }
  return { shape: { name, ...versions, ...network.value, ...groups.value, ...talos.value } }
}

const nameProblems = (name: string): string[] =>
  isLabel(name)
    ? []
    : [
        `spec.clusterName (or metadata.name, where that is left out) is ${shown(name)}: it has to be at most ${LONGEST_NAME} small letters, digits and hyphens, as it begins the names of machines. It cannot be changed later: create the cluster anew under another name`,
      ]

function versionProblems(field: string, version: string | undefined): string[] {
  if (!version) return [`${field} is missing: write it like v1.28.3`]
  return VERSION.test(version) ? [] : [`${field} is ${shown(version)}: write it like v1.28.3`]
}
