import { accountWithRole } from './account-with-role.ts'
import type { Bootstrap, BootstrapObject } from './bootstrap.ts'

const LABELS = { 'k8s-app': 'flannel', tier: 'node' }

/** The network of pods. */
export function flannel({ facts, images }: Bootstrap): BootstrapObject[] {
  const { flannel: image } = images
  const backend = { Type: 'vxlan', Port: 4789 }
  const network = JSON.stringify({ Network: facts.podSubnets[0], Backend: backend })
  return [
    ...accountWithRole('flannel', [
      { apiGroups: [''], resources: ['pods'], verbs: ['get'] },
      { apiGroups: [''], resources: ['nodes'], verbs: ['get', 'list', 'watch'] },
      { apiGroups: [''], resources: ['nodes/status'], verbs: ['patch'] },
    ]),
    {
      id: { plural: 'configmaps', namespace: 'kube-system', name: 'kube-flannel-cfg' },
      fields: { metadata: { labels: LABELS }, data: { 'net-conf.json': network } },
    },
    {
      id: { plural: 'daemonsets', namespace: 'kube-system', name: 'kube-flannel' },
      fields: {
        metadata: { labels: LABELS },
        spec: {
          selector: { matchLabels: LABELS },
          template: {
            metadata: { labels: LABELS },
            spec: {
              containers: [
                {
                  name: 'kube-flannel',
                  image,
                  command: ['/opt/bin/flanneld'],
                  args: ['--ip-masq', '--kube-subnet-mgr'],
                  resources: { requests: { cpu: '100m', memory: '50Mi' } },
                },
              ],
              initContainers: [{ name: 'install-config', image, command: ['cp'] }],
              hostNetwork: true,
              priorityClassName: 'system-node-critical',
              serviceAccountName: 'flannel',
              tolerations: [
                { effect: 'NoSchedule', operator: 'Exists' },
                { effect: 'NoExecute', operator: 'Exists' },
              ],
            },
          },
        },
      },
    },
  ]
}
