/** What `kubectl` v1.36.4 sent for its commands, and what that is in JSON. */
export const kubectlBodies = [
  {
    command: 'create namespace h9-cap',
    bytes: 'azhzAAoPCgJ2MRIJTmFtZXNwYWNlEh4KFgoGaDktY2FwEgAaACIAKgAyADgAQgASABoCCgAaACIA',
    json: {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: 'h9-cap' },
      spec: {},
      status: {},
    },
  },
  {
    command: 'create configmap cm --from-literal=a=b --from-literal=empty=',
    bytes:
      'azhzAAoPCgJ2MRIJQ29uZmlnTWFwEi0KGAoCY20SABoGaDktY2FwIgAqADIAOABCABIGCgFhEgFiEgkKBWVtcHR5EgAaACIA',
    json: {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'cm', namespace: 'h9-cap' },
      data: { a: 'b', empty: '' },
    },
  },
  {
    command: 'create secret generic s --from-literal=k=v',
    bytes: 'azhzAAoMCgJ2MRIGU2VjcmV0EiMKFwoBcxIAGgZoOS1jYXAiACoAMgA4AEIAEgYKAWsSAXYaABoAIgA=',
    json: {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 's', namespace: 'h9-cap' },
      data: { k: 'dg==' },
    },
  },
  {
    command: 'create serviceaccount sa',
    bytes: 'azhzAAoUCgJ2MRIOU2VydmljZUFjY291bnQSGgoYCgJzYRIAGgZoOS1jYXAiACoAMgA4AEIAGgAiAA==',
    json: {
      apiVersion: 'v1',
      kind: 'ServiceAccount',
      metadata: { name: 'sa', namespace: 'h9-cap' },
    },
  },
  {
    command: 'create deployment dep --image=nginx --replicas=0 --port=80',
    bytes:
      'azhzAAoVCgdhcHBzL3YxEgpEZXBsb3ltZW50Er4BCiUKA2RlcBIAGgZoOS1jYXAiACoAMgA4AEIAWgoKA2FwcBIDZGVwEoYBCAASDAoKCgNhcHASA2RlcBpsChwKABIAGgAiACoAMgA4AEIAWgoKA2FwcBIDZGVwEkwSLgoFbmdpbngSBW5naW54KgAyCgoAEAAYUCIAKgBCAGoAcgCAAQCIAQCQAQCiAQAaADIAQgBKAFIAWABgAGgAggEAigEAmgEAwgEAIgIKACgAOAAaDAgAEAAYACAAKAA4ABoAIgA=',
    json: {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'dep', namespace: 'h9-cap', labels: { app: 'dep' } },
      spec: {
        replicas: 0,
        selector: { matchLabels: { app: 'dep' } },
        template: {
          metadata: { labels: { app: 'dep' } },
          spec: {
            containers: [
              { name: 'nginx', image: 'nginx', ports: [{ containerPort: 80 }], resources: {} },
            ],
          },
        },
        strategy: {},
      },
      status: {},
    },
  },
  {
    command: 'create service clusterip svc --tcp=80:8080',
    bytes:
      'azhzAAoNCgJ2MRIHU2VydmljZRJvCiUKA3N2YxIAGgZoOS1jYXAiACoAMgA4AEIAWgoKA2FwcBIDc3ZjEkIKGwoHODAtODA4MBIDVENQGFAiBwgAEJA/GgAoABIKCgNhcHASA3N2YxoAIglDbHVzdGVySVA6AEIAUgBaAGAAaAAaAgoAGgAiAA==',
    json: {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 'svc', namespace: 'h9-cap', labels: { app: 'svc' } },
      spec: {
        ports: [{ name: '80-8080', protocol: 'TCP', port: 80, targetPort: 8080 }],
        selector: { app: 'svc' },
        type: 'ClusterIP',
      },
      status: { loadBalancer: {} },
    },
  },
  {
    command: 'create job job --image=busybox -- echo hi',
    bytes:
      'azhzAAoPCghiYXRjaC92MRIDSm9iEowBChkKA2pvYhIAGgZoOS1jYXAiACoAMgA4AEIAEmUyYwoQCgASABoAIgAqADIAOABCABJPEiwKA2pvYhIHYnVzeWJveBoEZWNobxoCaGkqAEIAagByAIABAIgBAJABAKIBABoFTmV2ZXIyAEIASgBSAFgAYABoAIIBAIoBAJoBAMIBABoIIAAoADAAOgAaACIA',
    json: {
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: { name: 'job', namespace: 'h9-cap' },
      spec: {
        template: {
          metadata: {},
          spec: {
            containers: [{ name: 'job', image: 'busybox', command: ['echo', 'hi'], resources: {} }],
            restartPolicy: 'Never',
          },
        },
      },
      status: {},
    },
  },
  {
    command: 'create cronjob cj --image=busybox --schedule="0 0 1 1 *" -- echo hi',
    bytes:
      'azhzAAoTCghiYXRjaC92MRIHQ3JvbkpvYhKsAQoYCgJjahIAGgZoOS1jYXAiACoAMgA4AEIAEo0BCgkwIDAgMSAxICoaACp+ChIKAmNqEgAaACIAKgAyADgAQgASaDJmChAKABIAGgAiACoAMgA4AEIAElISKwoCY2oSB2J1c3lib3gaBGVjaG8aAmhpKgBCAGoAcgCAAQCIAQCQAQCiAQAaCU9uRmFpbHVyZTIAQgBKAFIAWABgAGgAggEAigEAmgEAwgEAGgAaACIA',
    json: {
      apiVersion: 'batch/v1',
      kind: 'CronJob',
      metadata: { name: 'cj', namespace: 'h9-cap' },
      spec: {
        schedule: '0 0 1 1 *',
        jobTemplate: {
          metadata: { name: 'cj' },
          spec: {
            template: {
              metadata: {},
              spec: {
                containers: [
                  { name: 'cj', image: 'busybox', command: ['echo', 'hi'], resources: {} },
                ],
                restartPolicy: 'OnFailure',
              },
            },
          },
        },
      },
      status: {},
    },
  },
  {
    command: 'create ingress ing --rule="a.b/*=svc:80,tls=x" --annotation a=b',
    bytes:
      'azhzAAofChRuZXR3b3JraW5nLms4cy5pby92MRIHSW5ncmVzcxJaCiEKA2luZxIAGgZoOS1jYXAiACoAMgA4AEIAYgYKAWESAWISMRIICgNhLmISAXgaJQoDYS5iEh4KHAoaCgEvEg0iCwoDc3ZjEgQKABBQGgZQcmVmaXgaAgoAGgAiAA==',
    json: {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'Ingress',
      metadata: { name: 'ing', namespace: 'h9-cap', annotations: { a: 'b' } },
      spec: {
        tls: [{ hosts: ['a.b'], secretName: 'x' }],
        rules: [
          {
            host: 'a.b',
            http: {
              paths: [
                {
                  path: '/',
                  backend: { service: { name: 'svc', port: { number: 80 } } },
                  pathType: 'Prefix',
                },
              ],
            },
          },
        ],
      },
      status: { loadBalancer: {} },
    },
  },
  {
    command: 'create role role --verb=get,list --resource=pods --resource-name=x',
    bytes:
      'azhzAAokChxyYmFjLmF1dGhvcml6YXRpb24uazhzLmlvL3YxEgRSb2xlEjQKGgoEcm9sZRIAGgZoOS1jYXAiACoAMgA4AEIAEhYKA2dldAoEbGlzdBIAGgRwb2RzIgF4GgAiAA==',
    json: {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'Role',
      metadata: { name: 'role', namespace: 'h9-cap' },
      rules: [
        { verbs: ['get', 'list'], apiGroups: [''], resources: ['pods'], resourceNames: ['x'] },
      ],
    },
  },
  {
    command: 'create rolebinding rb --role=role --serviceaccount=h9-cap:sa --user=u',
    bytes:
      'azhzAAorChxyYmFjLmF1dGhvcml6YXRpb24uazhzLmlvL3YxEgtSb2xlQmluZGluZxKLAQoYCgJyYhIAGgZoOS1jYXAiACoAMgA4AEIAEiYKBFVzZXISGXJiYWMuYXV0aG9yaXphdGlvbi5rOHMuaW8aAXUiABIeCg5TZXJ2aWNlQWNjb3VudBIAGgJzYSIGaDktY2FwGicKGXJiYWMuYXV0aG9yaXphdGlvbi5rOHMuaW8SBFJvbGUaBHJvbGUaACIA',
    json: {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'RoleBinding',
      metadata: { name: 'rb', namespace: 'h9-cap' },
      subjects: [
        { kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: 'u' },
        { kind: 'ServiceAccount', name: 'sa', namespace: 'h9-cap' },
      ],
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'role' },
    },
  },
  {
    command: 'create clusterrole h9-cap --verb=get --non-resource-url=/x',
    bytes:
      'azhzAAorChxyYmFjLmF1dGhvcml6YXRpb24uazhzLmlvL3YxEgtDbHVzdGVyUm9sZRIjChYKBmg5LWNhcBIAGgAiACoAMgA4AEIAEgkKA2dldCoCL3gaACIA',
    json: {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRole',
      metadata: { name: 'h9-cap' },
      rules: [{ verbs: ['get'], nonResourceURLs: ['/x'] }],
    },
  },
  {
    command: 'create poddisruptionbudget pdb --min-available=50% --selector=a=b',
    bytes:
      'azhzAAogCglwb2xpY3kvdjESE1BvZERpc3J1cHRpb25CdWRnZXQSPgoZCgNwZGISABoGaDktY2FwIgAqADIAOABCABIVCgkIARAAGgM1MCUSCAoGCgFhEgFiGgoIABgAIAAoADAAGgAiAA==',
    json: {
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata: { name: 'pdb', namespace: 'h9-cap' },
      spec: { minAvailable: '50%', selector: { matchLabels: { a: 'b' } } },
      status: { disruptionsAllowed: 0, currentHealthy: 0, desiredHealthy: 0, expectedPods: 0 },
    },
  },
  {
    command: 'create priorityclass h9-cap --value=-7 --description=d',
    bytes:
      'azhzAAolChRzY2hlZHVsaW5nLms4cy5pby92MRINUHJpb3JpdHlDbGFzcxI+ChYKBmg5LWNhcBIAGgAiACoAMgA4AEIAEPn//////////wEYACIBZCoUUHJlZW1wdExvd2VyUHJpb3JpdHkaACIA',
    json: {
      apiVersion: 'scheduling.k8s.io/v1',
      kind: 'PriorityClass',
      metadata: { name: 'h9-cap' },
      value: -7,
      description: 'd',
      preemptionPolicy: 'PreemptLowerPriority',
    },
  },
  {
    command: 'create quota q --hard=cpu=1,pods=2',
    bytes:
      'azhzAAoTCgJ2MRINUmVzb3VyY2VRdW90YRI2ChcKAXESABoGaDktY2FwIgAqADIAOABCABIZCgoKA2NwdRIDCgExCgsKBHBvZHMSAwoBMhoAGgAiAA==',
    json: {
      apiVersion: 'v1',
      kind: 'ResourceQuota',
      metadata: { name: 'q', namespace: 'h9-cap' },
      spec: { hard: { cpu: '1', pods: '2' } },
      status: {},
    },
  },
  {
    command: 'create token sa --duration=20m --audience=x',
    bytes:
      'azhzAAooChhhdXRoZW50aWNhdGlvbi5rOHMuaW8vdjESDFRva2VuUmVxdWVzdBIgChAKABIAGgAiACoAMgA4AEIAEgYKAXggsAkaBAoAEgAaACIA',
    json: {
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'TokenRequest',
      metadata: {},
      spec: { audiences: ['x'], expirationSeconds: 1200 },
      status: { token: '' },
    },
  },
  {
    command: 'auth can-i create pods/log',
    bytes:
      'azhzAAoyChdhdXRob3JpemF0aW9uLms4cy5pby92MRIXU2VsZlN1YmplY3RBY2Nlc3NSZXZpZXcSQQoQCgASABoAIgAqADIAOABCABIjCiEKBmg5LWNhcBIGY3JlYXRlGgAiACoEcG9kczIAOgNsb2caCAgAEgAaACAAGgAiAA==',
    json: {
      apiVersion: 'authorization.k8s.io/v1',
      kind: 'SelfSubjectAccessReview',
      metadata: {},
      spec: {
        resourceAttributes: { namespace: 'h9-cap', verb: 'create', resource: 'pods', name: 'log' },
      },
      status: { allowed: false },
    },
  },
  {
    command: 'auth whoami',
    bytes:
      'azhzAAotChhhdXRoZW50aWNhdGlvbi5rOHMuaW8vdjESEVNlbGZTdWJqZWN0UmV2aWV3EhoKEAoAEgAaACIAKgAyADgAQgASBgoECgASABoAIgA=',
    json: {
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'SelfSubjectReview',
      metadata: {},
      status: { userInfo: {} },
    },
  },
  {
    command: 'autoscale deployment dep --min=1 --max=2 --cpu=50%',
    bytes:
      'azhzAAopCg5hdXRvc2NhbGluZy92MhIXSG9yaXpvbnRhbFBvZEF1dG9zY2FsZXISZwoZCgNkZXASABoGaDktY2FwIgAqADIAOABCABJEChoKCkRlcGxveW1lbnQSA2RlcBoHYXBwcy92MRABGAIiIgoIUmVzb3VyY2UiFgoDY3B1Eg8KC1V0aWxpemF0aW9uIDIaBBgAIAAaACIA',
    json: {
      apiVersion: 'autoscaling/v2',
      kind: 'HorizontalPodAutoscaler',
      metadata: { name: 'dep', namespace: 'h9-cap' },
      spec: {
        scaleTargetRef: { kind: 'Deployment', name: 'dep', apiVersion: 'apps/v1' },
        minReplicas: 1,
        maxReplicas: 2,
        metrics: [
          {
            type: 'Resource',
            resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 50 } },
          },
        ],
      },
      status: { desiredReplicas: 0 },
    },
  },
  {
    command: 'drain h9-node --force --grace-period=1 --disable-eviction',
    bytes: 'azhzAAoTCgJ2MRINRGVsZXRlT3B0aW9ucxICCAEaACIA',
    json: { gracePeriodSeconds: 1 },
  },
]
