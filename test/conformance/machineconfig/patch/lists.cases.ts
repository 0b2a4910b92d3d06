import { type PatchCase, patching } from './patch-case.ts'

const devices = `machine:
  network:
    interfaces:
      - interface: eth0
        addresses: [10.0.0.1/24]
        routes: [{network: 0.0.0.0/0, gateway: 10.0.0.254}]
        vlans: [{vlanId: 5, addresses: [10.5.0.1/24]}, {vlanId: 6, dhcp: true}]
      - deviceSelector: {busPath: 00:01}
        dhcp: true
`
const onDevices = (items: string): string => `machine: {network: {interfaces: [${items}]}}`
const rules = 'apiVersion: v1alpha1\nkind: ImageVerificationConfig\n'
const volume = 'apiVersion: v1alpha1\nkind: VolumeConfig\nname: EPHEMERAL\n'
const ingress = 'apiVersion: v1alpha1\nkind: NetworkRuleConfig\nname: r\n'
const extension = 'apiVersion: v1alpha1\nkind: ExtensionServiceConfig\nname: x\n'
const routing = 'apiVersion: v1alpha1\nkind: RoutingRuleConfig\nname: "1000"\n'
const link = 'apiVersion: v1alpha1\nkind: LinkConfig\nname: eth0\n'

/** What becomes of lists, of fields that are replaced, and of types with a rule of their own. */
export const listCases: readonly PatchCase[] = [
  patching('a list is appended to', 'machine: {certSANs: [a, b]}', 'machine: {certSANs: [b, c]}'),
  patching(
    'a list is set where there was none',
    'machine: {type: worker}',
    'machine: {certSANs: [a]}',
  ),
  patching('an empty list changes nothing', 'machine: {certSANs: [a]}', 'machine: {certSANs: []}'),
  patching(
    'an empty list is set where there was none',
    'machine: {type: worker}',
    'machine: {network: {nameservers: []}}',
  ),
  patching('a null list changes nothing', 'machine: {certSANs: [a]}', 'machine: {certSANs: null}'),
  patching(
    'nameservers are appended',
    'machine: {network: {nameservers: [1.1.1.1]}}',
    'machine: {network: {nameservers: [8.8.8.8]}}',
  ),
  patching(
    'kubelet mounts are appended, same destination or not',
    'machine: {kubelet: {extraMounts: [{destination: /a, source: /a, type: bind, options: [rw]}]}}',
    'machine: {kubelet: {extraMounts: [{destination: /a, source: /b, type: bind, options: [ro]}]}}',
  ),
  patching(
    'clusterDNS and valid subnets are appended',
    'machine: {kubelet: {clusterDNS: [a], nodeIP: {validSubnets: [10.0.0.0/8]}}}',
    'machine: {kubelet: {clusterDNS: [b], nodeIP: {validSubnets: ["!10.1.0.0/16"]}}}',
  ),
  patching(
    'kernel arguments are appended',
    'machine: {install: {extraKernelArgs: [a]}}',
    'machine: {install: {extraKernelArgs: [-b, c=d]}}',
  ),
  patching(
    'kernel modules are appended',
    'machine: {kernel: {modules: [{name: a}]}}',
    'machine: {kernel: {modules: [{name: a, parameters: [x]}]}}',
  ),
  patching(
    'files, udev rules and disks are appended',
    'machine: {files: [{path: /a, content: a}], udev: {rules: [a]}, disks: [{device: /dev/a, partitions: [{mountpoint: /m, size: 100 MB}]}]}',
    'machine: {files: [{path: /a, content: b}], udev: {rules: [b]}, disks: [{device: /dev/a, partitions: [{mountpoint: /n, size: 1GiB}]}]}',
  ),
  patching(
    'time servers are appended',
    'machine: {time: {servers: [a]}}',
    'machine: {time: {servers: [b], disabled: false}}',
  ),
  patching(
    'inline manifests of one name are both there',
    'cluster: {inlineManifests: [{name: a, contents: x}]}',
    'cluster: {inlineManifests: [{name: a, contents: y}]}',
  ),
  patching(
    'manifests over several lines stay',
    'cluster: {extraManifests: [a]}',
    'cluster:\n  extraManifests: [b]\n  inlineManifests:\n    - name: a\n      contents: |\n        a: 1\n        b:\n          - c\n',
  ),
  patching(
    'static pods are appended',
    'machine: {pods: [{kind: Pod, metadata: {name: a}}]}',
    'machine: {pods: [{kind: Pod, metadata: {name: b}}]}',
  ),
  patching(
    'etcd subnets are appended',
    'cluster: {etcd: {advertisedSubnets: [a]}}',
    'cluster: {etcd: {advertisedSubnets: [b]}}',
  ),
  patching(
    'authorizers are appended',
    'cluster: {apiServer: {authorizationConfig: [{type: Node, name: n}]}}',
    'cluster: {apiServer: {authorizationConfig: [{type: Webhook, name: n, webhook: {a: 1}}]}}',
  ),
  patching(
    'accepted CAs are appended',
    'cluster: {acceptedCAs: [{crt: YQ==}]}',
    'cluster: {acceptedCAs: [{crt: Yg==}]}',
  ),
  patching(
    'extra hosts are appended',
    'machine: {network: {extraHostEntries: [{ip: 1.1.1.1, aliases: [a]}]}}',
    'machine: {network: {extraHostEntries: [{ip: 1.1.1.1, aliases: [b]}]}}',
  ),
  patching(
    'logging destinations are appended',
    'machine: {logging: {destinations: [{endpoint: "tcp://a:1", format: json_lines}]}}',
    'machine: {logging: {destinations: [{endpoint: "tcp://b:1", format: json_lines, extraTags: {a: b}}]}}',
  ),
  patching(
    'pod subnets are replaced',
    'cluster: {network: {podSubnets: [a], serviceSubnets: [b]}}',
    'cluster: {network: {podSubnets: [c, d]}}',
  ),
  patching(
    'service subnets are replaced',
    'cluster: {network: {podSubnets: [a], serviceSubnets: [b]}}',
    'cluster: {network: {serviceSubnets: [c]}}',
  ),
  patching(
    'pod subnets are replaced by none',
    'cluster: {network: {podSubnets: [a], dnsDomain: x}}',
    'cluster: {network: {podSubnets: []}}',
  ),
  patching(
    'null pod subnets change nothing',
    'cluster: {network: {podSubnets: [a]}}',
    'cluster: {network: {podSubnets: null}}',
  ),
  patching(
    'the audit policy is replaced',
    'cluster: {apiServer: {auditPolicy: {kind: Policy, rules: [{level: Metadata}], a: b}}}',
    'cluster: {apiServer: {auditPolicy: {kind: Policy, rules: [{level: None}]}}}',
  ),
  patching(
    'the audit policy stays without one',
    'cluster: {apiServer: {auditPolicy: {kind: Policy}}}',
    'cluster: {apiServer: {image: x}}',
  ),
  patching(
    'an empty audit policy replaces',
    'cluster: {apiServer: {auditPolicy: {kind: Policy}}}',
    'cluster: {apiServer: {auditPolicy: {}}}',
  ),
  patching(
    'ingress rules are replaced',
    `${ingress}portSelector: {ports: [80, 90-99], protocol: tcp}\ningress: [{subnet: 10.0.0.0/8}, {subnet: 10.1.0.0/16, except: 10.1.1.0/24}]\n`,
    `${ingress}ingress: [{subnet: 192.168.0.0/16}]\n`,
  ),
  patching(
    'ports are replaced',
    `${ingress}portSelector: {ports: [80, 90-99], protocol: tcp}\ningress: [{subnet: 10.0.0.0/8}]\n`,
    `${ingress}portSelector: {ports: [443]}\n`,
  ),
  patching(
    'a protocol is replaced',
    `${ingress}portSelector: {ports: [80], protocol: tcp}\n`,
    `${ingress}portSelector: {protocol: udp}\n`,
  ),
  patching(
    'a known interface is merged',
    devices,
    onDevices('{interface: eth0, mtu: 9000, addresses: [10.0.0.2/24]}'),
  ),
  patching('an unknown interface is appended', devices, onDevices('{interface: eth1, dhcp: true}')),
  patching(
    'an interface that the patch brings twice is merged',
    devices,
    onDevices('{interface: eth1, dhcp: true}, {interface: eth1, mtu: 1400}'),
  ),
  patching(
    'a device selector finds its like',
    devices,
    onDevices('{deviceSelector: {busPath: "00:01"}, mtu: 9000}'),
  ),
  patching(
    'another device selector is appended',
    devices,
    onDevices('{deviceSelector: {busPath: "00:02"}, mtu: 9000}'),
  ),
  patching(
    'a device selector with more in it is another',
    devices,
    onDevices('{deviceSelector: {busPath: "00:01", driver: d}, mtu: 9000}'),
  ),
  patching(
    'device selectors with physical are never the same',
    'machine: {network: {interfaces: [{deviceSelector: {physical: true}, dhcp: true}]}}',
    onDevices('{deviceSelector: {physical: true}, mtu: 9000}'),
  ),
  patching(
    'an interface wins over a device selector',
    devices,
    onDevices('{interface: eth2, deviceSelector: {busPath: "00:01"}}'),
  ),
  patching('an interface without a name is appended', devices, onDevices('{mtu: 9000}')),
  patching(
    'an interface is found by an empty selector',
    'machine: {network: {interfaces: [{deviceSelector: {}}]}}',
    onDevices('{deviceSelector: {}, mtu: 9000}'),
  ),
  patching('no interfaces change nothing', devices, onDevices('')),
  patching(
    'no interfaces are set where there were none',
    'machine: {network: {hostname: a}}',
    onDevices(''),
  ),
  patching('a null interface crashes talosctl', devices, onDevices('null')),
  patching(
    'a known VLAN is merged',
    devices,
    onDevices('{interface: eth0, vlans: [{vlanId: 5, mtu: 1400, addresses: [10.5.0.2/24]}]}'),
  ),
  patching(
    'an unknown VLAN is appended',
    devices,
    onDevices('{interface: eth0, vlans: [{vlanId: 7}]}'),
  ),
  patching(
    'routes of an interface are appended',
    devices,
    onDevices(
      '{interface: eth0, routes: [{network: 10.9.0.0/16, gateway: 10.0.0.253, metric: 5}]}',
    ),
  ),
  patching(
    'a bond is merged',
    'machine: {network: {interfaces: [{interface: b, bond: {interfaces: [a], mode: 802.3ad, miimon: 100}}]}}',
    onDevices('{interface: b, bond: {interfaces: [c], lacpRate: fast}}'),
  ),
  patching(
    'a VIP is merged',
    'machine: {network: {interfaces: [{interface: b, vip: {ip: 1.1.1.1}}]}}',
    onDevices('{interface: b, vip: {ip: 1.1.1.2}}'),
  ),
  patching(
    'wireguard peers are appended',
    'machine: {network: {interfaces: [{interface: w, wireguard: {privateKey: a, peers: [{publicKey: b}]}}]}}',
    onDevices(
      '{interface: w, wireguard: {listenPort: 51, peers: [{publicKey: b, persistentKeepaliveInterval: 10s}]}}',
    ),
  ),
  patching(
    'a known admission plugin is merged',
    'cluster: {apiServer: {admissionControl: [{name: PodSecurity, configuration: {a: x, l: [1]}}]}}',
    'cluster: {apiServer: {admissionControl: [{name: PodSecurity, configuration: {b: y, l: [2]}}]}}',
  ),
  patching(
    'an unknown admission plugin is appended',
    'cluster: {apiServer: {admissionControl: [{name: PodSecurity, configuration: {a: x}}]}}',
    'cluster: {apiServer: {admissionControl: [{name: Other, configuration: {b: y}}]}}',
  ),
  patching(
    'a known config file is merged',
    `${extension}configFiles: [{content: a, mountPath: /a}, {content: b, mountPath: /b}]\nenvironment: [A=1]\n`,
    `${extension}configFiles: [{content: c, mountPath: /b}, {content: d, mountPath: /d}]\nenvironment: [B=2]\n`,
  ),
  patching(
    'a config file without content keeps it',
    `${extension}configFiles: [{content: a, mountPath: /a}]\n`,
    `${extension}configFiles: [{mountPath: /a}]\n`,
  ),
  patching(
    'a known image rule is replaced',
    `${rules}rules: [{image: a, skip: true}, {image: b, deny: true}]\n`,
    `${rules}rules: [{image: a, deny: true}, {image: c}]\n`,
  ),
  patching(
    'an image rule that the patch brings twice is there twice',
    `${rules}rules: [{image: a, skip: true}]\n`,
    `${rules}rules: [{image: c, skip: true}, {image: c, deny: true}]\n`,
  ),
  patching(
    'the last of two equal image rules is replaced',
    `${rules}rules: [{image: a, skip: true}, {image: a, deny: true}]\n`,
    `${rules}rules: [{image: a}]\n`,
  ),
  patching(
    'patching a volume wipes sizes and expressions that are not named',
    `${volume}provisioning: {minSize: 2GB, maxSize: 10GB, grow: true, diskSelector: {match: "disk.size > 1u"}}\n`,
    `${volume}provisioning: {maxSize: 20GB}\n`,
  ),
  patching(
    'patching anything else of a volume wipes them too',
    `${volume}provisioning: {minSize: 2GB, diskSelector: {match: "true"}}\n`,
    `${volume}encryption: {provider: luks2, keys: [{slot: 0, nodeID: {}}]}\n`,
  ),
  patching(
    'bytes over a percentage win',
    `${volume}provisioning: {maxSize: 50%}\n`,
    `${volume}provisioning: {maxSize: 10GB}\n`,
  ),
  patching(
    'a percentage over bytes does not win',
    `${volume}provisioning: {maxSize: 10GB}\n`,
    `${volume}provisioning: {maxSize: 50%}\n`,
  ),
  patching(
    'a percentage over a percentage wins',
    `${volume}provisioning: {maxSize: 10%}\n`,
    `${volume}provisioning: {maxSize: 50%}\n`,
  ),
  patching(
    'a percentage and bytes, one after the other',
    `${volume}provisioning: {maxSize: 10GB}\n`,
    `${volume}provisioning: {maxSize: 50%}\n`,
    `${volume}provisioning: {maxSize: 5GB}\n`,
  ),
  patching(
    'encryption keys are appended',
    `${volume}encryption: {provider: luks2, keys: [{slot: 0, nodeID: {}}]}\n`,
    `${volume}encryption: {keys: [{slot: 0, static: {passphrase: x}}]}\n`,
  ),
  patching(
    'nothing merges into a routing rule',
    `${routing}src: 10.0.0.0/8\ntable: "100"\n`,
    `${routing}table: "200"\n`,
  ),
  patching(
    'a new routing rule is added',
    'machine: {type: worker}',
    `${routing}src: 10.0.0.0/8\ntable: "100"\n`,
  ),
  patching(
    'addresses of a link are appended',
    `${link}addresses: [{address: 10.0.0.1/24}]\nroutes: [{gateway: 10.0.0.254}]\n`,
    `${link}addresses: [{address: 10.0.0.2/24, routePriority: 5}]\nroutes: [{destination: 10.9.0.0/16, gateway: 10.0.0.253}]\n`,
  ),
  patching(
    'resolvers are appended',
    'apiVersion: v1alpha1\nkind: ResolverConfig\nnameservers: [{address: 1.1.1.1}]\n',
    'apiVersion: v1alpha1\nkind: ResolverConfig\nnameservers: [{address: "2606:4700::1111"}]\n',
  ),
  patching(
    'time sync is merged',
    'apiVersion: v1alpha1\nkind: TimeSyncConfig\nenabled: true\nntp: {servers: [a]}\n',
    'apiVersion: v1alpha1\nkind: TimeSyncConfig\nenabled: false\nntp: {servers: [b]}\n',
  ),
  patching(
    'a watchdog timeout is replaced',
    'apiVersion: v1alpha1\nkind: WatchdogTimerConfig\ndevice: /dev/watchdog0\ntimeout: 2m0s\n',
    'apiVersion: v1alpha1\nkind: WatchdogTimerConfig\ntimeout: 3m\n',
  ),
  patching(
    'expressions of the OOM controller are overwritten',
    'apiVersion: v1alpha1\nkind: OOMConfig\ntriggerExpression: "true"\ncgroupRankingExpression: "1.0"\nsampleInterval: 100ms\n',
    'apiVersion: v1alpha1\nkind: OOMConfig\ntriggerExpression: "false"\n',
  ),
]
