import { areFactsFixed, recordedFacts } from '#engine/cluster-facts.ts'
import { versionsProblem } from '#engine/kubernetes-checks.ts'
import { isControlPlane, type Parent } from '#engine/pool.ts'
import type { Said } from './diff-report.ts'

/** That Kubernetes would be upgraded, and how; or why it would not. Its machines reboot for none of it. */
export function kubernetesUpgrade(parent: Parent): Said[] {
  if (!isControlPlane(parent)) return []
  const { kubeVersion: from } = recordedFacts(parent)
  const to = parent.spec?.kubeVersion
  if (!areFactsFixed(parent) || from === undefined || to === undefined || from === to) return []
  const problem = versionsProblem([], { has: [from], to })
  if (problem) return [problem]
  const message = `from ${from} to ${to}, without a reboot and one machine after the other: the API servers, the controller managers, the schedulers, kube-proxy, the kubelets of the control plane, then those of the workers, and at last what Talos runs in the cluster itself. The configurations of the machines follow step by step, and are not listed here. What speaks against it is looked at before: \`talos-operator upgrade-k8s ${parent.metadata.name} --to ${to} --dry-run\` shows it`
  return [{ reason: 'KubernetesUpgrade', message }]
}
