import type { WrittenCase } from './written-case.cases.ts'

export const legacy2Cases: readonly WrittenCase[] = [
  {
    text: `machine:
  systemDiskEncryption: {state: {provider: luks2, keys: [{nodeID: {}, slot: 0}]}, ephemeral: {provider: luks2, keys: [{static: {passphrase: "p: x"}, slot: 0}, {kms: {endpoint: "https://k"}, slot: 1}, {tpm: {}, slot: 2}], options: [no_read_workqueue]}}
  features: {rbac: true, kubernetesTalosAPIAccess: {enabled: true, allowedRoles: ["os:reader"], allowedKubernetesNamespaces: [kube-system]}, diskQuotaSupport: true, kubePrism: {enabled: true, port: 7445}, hostDNS: {enabled: true}, imageCache: {localEnabled: true}, nodeAddressSortAlgorithm: v2}
  udev: {rules: ['SUBSYSTEM=="drm", KERNEL=="renderD*", GROUP="44", MODE="0660"']}
  logging: {destinations: [{endpoint: "udp://127.0.0.1:12345", format: json_lines, extraTags: {server: s03-rack07}}]}
  kernel: {modules: [{name: btrfs, parameters: ["a=b c"]}]}
  seccompProfiles: [{name: audit.json, value: {defaultAction: SCMP_ACT_LOG}}, {name: empty.json}]
  baseRuntimeSpecOverrides: {process: {rlimits: [{type: RLIMIT_NOFILE, hard: 1024, soft: 1024}]}}
  nodeLabels: {exampleLabel: exampleLabelValue}
  nodeAnnotations: {customer.io/rack: r13a25}
  nodeTaints: {exampleTaint: "exampleTaintValue:NoSchedule"}
`,
    written: `version: ""
machine:
    type: ""
    token: ""
    certSANs: []
    systemDiskEncryption:
        state:
            provider: luks2
            keys:
                - nodeID: {}
                  slot: 0
        ephemeral:
            provider: luks2
            keys:
                - static:
                    passphrase: 'p: x'
                  slot: 0
                - kms:
                    endpoint: https://k
                  slot: 1
                - slot: 2
                  tpm: {}
            options:
                - no_read_workqueue
    features:
        rbac: true
        kubernetesTalosAPIAccess:
            enabled: true
            allowedRoles:
                - os:reader
            allowedKubernetesNamespaces:
                - kube-system
        diskQuotaSupport: true
        kubePrism:
            enabled: true
            port: 7445
        hostDNS:
            enabled: true
        imageCache:
            localEnabled: true
        nodeAddressSortAlgorithm: v2
    udev:
        rules:
            - SUBSYSTEM=="drm", KERNEL=="renderD*", GROUP="44", MODE="0660"
    logging:
        destinations:
            - endpoint: udp://127.0.0.1:12345
              format: json_lines
              extraTags:
                server: s03-rack07
    kernel:
        modules:
            - name: btrfs
              parameters:
                - a=b c
    seccompProfiles:
        - name: audit.json
          value:
            defaultAction: SCMP_ACT_LOG
        - name: empty.json
          value: {}
    baseRuntimeSpecOverrides:
        process:
            rlimits:
                - hard: 1024
                  soft: 1024
                  type: RLIMIT_NOFILE
    nodeLabels:
        exampleLabel: exampleLabelValue
    nodeAnnotations:
        customer.io/rack: r13a25
    nodeTaints:
        exampleTaint: exampleTaintValue:NoSchedule
cluster: null
`,
  },
  {
    text: `cluster:
  id: aWQ=
  secret: c2VjcmV0
  controlPlane: {endpoint: "HTTPS://1.2.3.4:443/", localAPIServerPort: 443}
  clusterName: talos.local
  network: {cni: {name: flannel, flannel: {extraArgs: [--iface-can-reach=192.168.1.1], kubeNetworkPoliciesEnabled: true}}, dnsDomain: cluster.local, podSubnets: [10.244.0.0/16], serviceSubnets: [10.96.0.0/12]}
  token: a.b
  aescbcEncryptionSecret: c2VjcmV0
  secretboxEncryptionSecret: c2VjcmV0
  ca: {crt: dGVzdA==, key: dGVzdA==}
  aggregatorCA: {crt: dGVzdA==}
  serviceAccount: {key: dGVzdA==}
  apiServer:
    image: i
    extraArgs: {audit-log-maxage: "30"}
    extraVolumes: [{hostPath: /var/lib, mountPath: /var/lib, readonly: true}]
    env: {A: b}
    certSANs: [1.2.3.4]
    disablePodSecurityPolicy: true
    admissionControl: [{name: PodSecurity, configuration: {apiVersion: pod-security.admission.config.k8s.io/v1alpha1, exemptions: {namespaces: [kube-system], usernames: []}}}]
    auditPolicy: {apiVersion: audit.k8s.io/v1, rules: [{level: Metadata}]}
    resources: {requests: {cpu: 200m, memory: 512Mi}, limits: {cpu: 2}}
    authorizationConfig: [{type: Webhook, name: webhook, webhook: {timeout: 3s}}]
`,
    written: `version: ""
machine: null
cluster:
    id: aWQ=
    secret: c2VjcmV0
    controlPlane:
        endpoint: https://1.2.3.4:443/
        localAPIServerPort: 443
    clusterName: talos.local
    network:
        cni:
            name: flannel
            flannel:
                extraArgs:
                    - --iface-can-reach=192.168.1.1
                kubeNetworkPoliciesEnabled: true
        dnsDomain: cluster.local
        podSubnets:
            - 10.244.0.0/16
        serviceSubnets:
            - 10.96.0.0/12
    token: a.b
    aescbcEncryptionSecret: c2VjcmV0
    secretboxEncryptionSecret: c2VjcmV0
    ca:
        crt: dGVzdA==
        key: dGVzdA==
    aggregatorCA:
        crt: dGVzdA==
        key: ""
    serviceAccount:
        key: dGVzdA==
    apiServer:
        image: i
        extraArgs:
            audit-log-maxage: "30"
        extraVolumes:
            - hostPath: /var/lib
              mountPath: /var/lib
              readonly: true
        env:
            A: b
        certSANs:
            - 1.2.3.4
        disablePodSecurityPolicy: true
        admissionControl:
            - name: PodSecurity
              configuration:
                apiVersion: pod-security.admission.config.k8s.io/v1alpha1
                exemptions:
                    namespaces:
                        - kube-system
                    usernames: []
        auditPolicy:
            apiVersion: audit.k8s.io/v1
            rules:
                - level: Metadata
        resources:
            requests:
                cpu: 200m
                memory: 512Mi
            limits:
                cpu: 2
        authorizationConfig:
            - type: Webhook
              name: webhook
              webhook:
                timeout: 3s
`,
  },
  {
    text: `cluster:
  controllerManager: {image: i, extraArgs: {bind-address: 0.0.0.0}}
  proxy: {disabled: false, image: i, mode: ipvs, extraArgs: {proxy-mode: iptables}}
  scheduler: {config: {apiVersion: kubescheduler.config.k8s.io/v1, profiles: [{pluginConfig: []}]}}
  discovery: {enabled: true, registries: {kubernetes: {disabled: true}, service: {endpoint: "https://discovery.talos.dev/"}}}
  etcd: {image: i, ca: {crt: dGVzdA==, key: dGVzdA==}, extraArgs: {election-timeout: "5000"}, advertisedSubnets: [10.0.0.0/8], listenSubnets: []}
  coreDNS: {disabled: false, image: i}
  externalCloudProvider: {enabled: true, manifests: [https://a.example/b.yaml]}
  extraManifests: [https://a.example/c.yaml]
  extraManifestHeaders: {Token: "1234567", X-ExtraInfo: info}
  inlineManifests:
  - name: namespace-ci
    contents: |2-


      apiVersion: v1
        kind: Namespace
  - name: spaces at the end
    contents: "a \\nb\\n"
  - {name: tab, contents: "a\\tb\\n\\tc\\n"}
  adminKubeconfig: {certLifetime: 24h}
  allowSchedulingOnMasters: false
  allowSchedulingOnControlPlanes: true
`,
    written: `version: ""
machine: null
cluster:
    controlPlane: null
    controllerManager:
        image: i
        extraArgs:
            bind-address: 0.0.0.0
    proxy:
        disabled: false
        image: i
        mode: ipvs
        extraArgs:
            proxy-mode: iptables
    scheduler:
        config:
            apiVersion: kubescheduler.config.k8s.io/v1
            profiles:
                - pluginConfig: []
    discovery:
        enabled: true
        registries:
            kubernetes:
                disabled: true
            service:
                endpoint: https://discovery.talos.dev/
    etcd:
        image: i
        ca:
            crt: dGVzdA==
            key: dGVzdA==
        extraArgs:
            election-timeout: "5000"
        advertisedSubnets:
            - 10.0.0.0/8
    coreDNS:
        disabled: false
        image: i
    externalCloudProvider:
        enabled: true
        manifests:
            - https://a.example/b.yaml
    extraManifests:
        - https://a.example/c.yaml
    extraManifestHeaders:
        Token: "1234567"
        X-ExtraInfo: info
    inlineManifests:
        - name: namespace-ci
          contents: |-
            apiVersion: v1
              kind: Namespace
        - name: spaces at the end
          contents: "a \\nb\\n"
        - name: tab
          contents: |
            a	b
            	c
    adminKubeconfig:
        certLifetime: 24h0m0s
    allowSchedulingOnMasters: false
    allowSchedulingOnControlPlanes: true
`,
  },
]
