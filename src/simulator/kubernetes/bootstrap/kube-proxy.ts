import { accountWithRole } from './account-with-role.ts'
import type { Bootstrap, BootstrapObject } from './bootstrap.ts'

const LABELS = { 'k8s-app': 'kube-proxy', tier: 'node' }

/** What makes services reachable on each node. */
export const kubeProxy = ({ facts, images }: Bootstrap): BootstrapObject[] => [
  ...accountWithRole('kube-proxy', 'system:node-proxier'),
  {
    id: { plural: 'daemonsets', namespace: 'kube-system', name: 'kube-proxy' },
    fields: {
      metadata: { labels: LABELS },
      spec: {
        selector: { matchLabels: LABELS },
        template: {
          metadata: { labels: LABELS },
          spec: {
            containers: [
              {
                name: 'kube-proxy',
                image: images.proxy,
                command: [
                  '/usr/local/bin/kube-proxy',
                  `--cluster-cidr=${facts.podSubnets.join(',')}`,
                  '--hostname-override=$(NODE_NAME)',
                ],
                env: [
                  { name: 'NODE_NAME', valueFrom: { fieldRef: { fieldPath: 'spec.nodeName' } } },
                ],
                securityContext: { privileged: true },
              },
            ],
            hostNetwork: true,
            priorityClassName: 'system-cluster-critical',
            serviceAccountName: 'kube-proxy',
            tolerations: [
              { effect: 'NoSchedule', operator: 'Exists' },
              { effect: 'NoExecute', operator: 'Exists' },
            ],
          },
        },
        updateStrategy: { rollingUpdate: { maxUnavailable: 1 }, type: 'RollingUpdate' },
      },
    },
  },
]
