import type { WrittenCase } from './written-case.cases.ts'

export const legacy1Cases: readonly WrittenCase[] = [
  {
    text: `version: v1alpha1
debug: false
persist: true
machine: {}
cluster: {}
`,
    written: `version: v1alpha1
debug: false
persist: true
machine:
    type: ""
    token: ""
    certSANs: []
cluster:
    controlPlane: null
`,
  },
  {
    text: `debug: on
`,
    written: `version: ""
debug: true
machine: null
cluster: null
`,
  },
  {
    text: `machine: &m
  type: worker
  sysctls: &s {net.ipv4.ip_forward: 1, a.b: "off", b10: x, b9: y}
  sysfs:
    <<: *s
    a.b: over
  env: {GRPC_GO_LOG_SEVERITY_LEVEL: info, https_proxy: "http://SERVER:PORT/"}
  files:
  - {content: "...", permissions: 0666, path: /tmp/file.txt, op: append}
  - content: |
      #!/bin/sh
      exit 0
    permissions: 0o755
    path: /b
    op: create
  - {}
`,
    written: `version: ""
machine:
    type: worker
    token: ""
    certSANs: []
    files:
        - content: '...'
          permissions: 0o666
          path: /tmp/file.txt
          op: append
        - content: |
            #!/bin/sh
            exit 0
          permissions: 0o755
          path: /b
          op: create
        - content: ""
          permissions: 0o0
          path: ""
          op: ""
    env:
        GRPC_GO_LOG_SEVERITY_LEVEL: info
        https_proxy: http://SERVER:PORT/
    sysctls:
        a.b: "off"
        b9: "y"
        b10: x
        net.ipv4.ip_forward: "1"
    sysfs:
        a.b: over
        b9: "y"
        b10: x
        net.ipv4.ip_forward: "1"
cluster: null
`,
  },
  {
    text: `machine:
  type: controlplane
  token: "1234567890"
  ca: {crt: dGVzdA==, key: "******"}
  acceptedCAs: [{crt: dGVzdA==}]
  certSANs: [10.0.0.1, talos.example, "::1"]
  kubelet:
    image: ghcr.io/siderolabs/kubelet:v1.36.0
    clusterDNS: [10.96.0.10, 169.254.2.53]
    extraArgs: {feature-gates: "ServerSideApply=true", v: 5, empty: "", nothing: ~}
    extraMounts: [{destination: /var/lib/example, type: bind, source: /var/lib/example, options: [bind, rshared, rw], uidMappings: [{containerID: 0, hostID: 1000, size: 65536}]}]
    extraConfig: {serverTLSBootstrap: true, evictionHard: {memory.available: 5%, "10": 1.50, b: [~, {}, [], "1"]}, big: 1e21, small: 0.00001, negative: -5, none: ~}
    credentialProviderConfig: {apiVersion: v1, providers: []}
    registerWithFQDN: false
    nodeIP: {validSubnets: [10.0.0.0/8, "!10.0.0.3/32"]}
`,
    written: `version: ""
machine:
    type: controlplane
    token: "1234567890"
    ca:
        crt: dGVzdA==
        key: '******'
    acceptedCAs:
        - crt: dGVzdA==
    certSANs:
        - 10.0.0.1
        - talos.example
        - ::1
    kubelet:
        image: ghcr.io/siderolabs/kubelet:v1.36.0
        clusterDNS:
            - 10.96.0.10
            - 169.254.2.53
        extraArgs:
            empty: null
            feature-gates: ServerSideApply=true
            nothing: null
            v: "5"
        extraMounts:
            - destination: /var/lib/example
              type: bind
              source: /var/lib/example
              options:
                - bind
                - rshared
                - rw
              uidMappings:
                - containerID: 0
                  hostID: 1000
                  size: 65536
        extraConfig:
            big: 1e+21
            evictionHard:
                "10": 1.5
                b:
                    - null
                    - {}
                    - []
                    - "1"
                memory.available: 5%
            negative: -5
            none: null
            serverTLSBootstrap: true
            small: 1e-05
        credentialProviderConfig:
            apiVersion: v1
            providers: []
        registerWithFQDN: false
        nodeIP:
            validSubnets:
                - 10.0.0.0/8
                - '!10.0.0.3/32'
cluster: null
`,
  },
  {
    text: `machine:
  pods: [{apiVersion: v1, metadata: {name: nginx}, spec: {containers: [{name: nginx, ports: [{containerPort: 80}]}]}}]
  network:
    hostname: node-1
    interfaces:
    - interface: eth0
      addresses: [192.168.2.0/24]
      routes: [{network: 0.0.0.0/0, gateway: 192.168.2.1, metric: 1024}]
      bond: {interfaces: [a, b], mode: 802.3ad, lacpRate: fast, deviceSelectors: [{busPath: "00:*"}]}
      vlans: [{vlanId: 100, dhcp: true, mtu: 1500, vip: {ip: 10.0.0.5}}]
      mtu: 1500
      dhcp: yes
      dhcpOptions: {routeMetric: 1024, ipv6: false, duidv6: "0001"}
      vip: {ip: 172.16.199.55, hcloud: {apiToken: t}}
    - deviceSelector: {hardwareAddr: "*:f0:ab", physical: true}
      ignore: true
    - interface: wg0
      wireguard: {privateKey: a2V5, listenPort: 51111, peers: [{publicKey: cHVi, endpoint: 192.168.1.3, persistentKeepaliveInterval: 10s, allowedIPs: [192.168.1.0/24]}]}
    -
    nameservers: [8.8.8.8]
    extraHostEntries: [{ip: 192.168.1.100, aliases: [example, example.domain.tld]}]
    kubespan: {enabled: true, mtu: 0, filters: {endpoints: []}}
    disableSearchDomain: true
`,
    written: `version: ""
machine:
    type: ""
    token: ""
    certSANs: []
    pods:
        - apiVersion: v1
          metadata:
            name: nginx
          spec:
            containers:
                - name: nginx
                  ports:
                    - containerPort: 80
    network:
        hostname: node-1
        interfaces:
            - interface: eth0
              addresses:
                - 192.168.2.0/24
              routes:
                - network: 0.0.0.0/0
                  gateway: 192.168.2.1
                  metric: 1024
              bond:
                interfaces:
                    - a
                    - b
                deviceSelectors:
                    - busPath: 00:*
                mode: 802.3ad
                lacpRate: fast
              vlans:
                - routes: []
                  dhcp: true
                  vlanId: 100
                  mtu: 1500
                  vip:
                    ip: 10.0.0.5
              mtu: 1500
              dhcp: true
              dhcpOptions:
                routeMetric: 1024
                ipv6: false
                duidv6: "0001"
              vip:
                ip: 172.16.199.55
                hcloud:
                    apiToken: t
            - deviceSelector:
                hardwareAddr: '*:f0:ab'
                physical: true
              ignore: true
            - interface: wg0
              wireguard:
                privateKey: a2V5
                listenPort: 51111
                peers:
                    - publicKey: cHVi
                      endpoint: 192.168.1.3
                      persistentKeepaliveInterval: 10s
                      allowedIPs:
                        - 192.168.1.0/24
            - null
        nameservers:
            - 8.8.8.8
        extraHostEntries:
            - ip: 192.168.1.100
              aliases:
                - example
                - example.domain.tld
        kubespan:
            enabled: true
            mtu: 0
            filters: {}
        disableSearchDomain: true
cluster: null
`,
  },
  {
    text: `machine:
  disks: [{device: /dev/sdb, partitions: [{mountpoint: /var/mnt/extra, size: 100 MB}, {mountpoint: /var/mnt/b, size: 1073741824}, {size: "0"}]}]
  install:
    disk: /dev/sda
    diskSelector: {size: " >= 1TB ", type: nvme, busPath: "/pci0000:00/*"}
    extraKernelArgs: [talos.platform=metal, -console]
    image: ghcr.io/siderolabs/installer:latest
    extensions: [{image: x}]
    wipe: true
    legacyBIOSSupport: false
  time: {disabled: false, servers: [], bootTimeout: 2m30.5s}
  registries: {mirrors: {docker.io: {endpoints: ["https://registry.local"], overridePath: false}, "*": {skipFallback: true}}, config: {registry.local: {tls: {clientIdentity: {crt: dGVzdA==, key: dGVzdA==}, ca: dGVzdA==, insecureSkipVerify: false}, auth: {username: u, password: "*", auth: "", identityToken: "true"}}}}
`,
    written: `version: ""
machine:
    type: ""
    token: ""
    certSANs: []
    disks:
        - device: /dev/sdb
          partitions:
            - size: 100 MB
              mountpoint: /var/mnt/extra
            - size: 1073741824
              mountpoint: /var/mnt/b
            - {}
    install:
        disk: /dev/sda
        diskSelector:
            size: '>= 1TB'
            type: nvme
            busPath: /pci0000:00/*
        extraKernelArgs:
            - talos.platform=metal
            - -console
        image: ghcr.io/siderolabs/installer:latest
        extensions:
            - image: x
        wipe: true
        legacyBIOSSupport: false
    time:
        disabled: false
        bootTimeout: 2m30.5s
    registries:
        mirrors:
            '*':
                endpoints: []
                skipFallback: true
            docker.io:
                endpoints:
                    - https://registry.local
                overridePath: false
        config:
            registry.local:
                tls:
                    clientIdentity:
                        crt: dGVzdA==
                        key: dGVzdA==
                    ca: dGVzdA==
                    insecureSkipVerify: false
                auth:
                    username: u
                    password: '*'
                    identityToken: "true"
cluster: null
`,
  },
]
