import type { ValueMap } from '#machineconfig/document.ts'

/** The admission plugins that Talos gives to every Kubernetes API server. */
export const defaultAdmissionControl: readonly ValueMap[] = [
  {
    name: 'PodSecurity',
    configuration: {
      apiVersion: 'pod-security.admission.config.k8s.io/v1alpha1',
      defaults: {
        audit: 'restricted',
        'audit-version': 'latest',
        enforce: 'baseline',
        'enforce-version': 'latest',
        warn: 'restricted',
        'warn-version': 'latest',
      },
      exemptions: { namespaces: ['kube-system'], runtimeClasses: [], usernames: [] },
      kind: 'PodSecurityConfiguration',
    },
  },
]

/** What Talos has every Kubernetes API server record. */
export const defaultAuditPolicy: ValueMap = {
  apiVersion: 'audit.k8s.io/v1',
  kind: 'Policy',
  rules: [{ level: 'Metadata' }],
}
