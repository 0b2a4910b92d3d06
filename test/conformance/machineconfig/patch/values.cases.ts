import { type PatchCase, patching } from './patch-case.ts'

const worker = 'machine: {type: worker, token: abc.def}\n'
const network = 'machine: {network: {hostname: a, kubespan: {enabled: true, mtu: 1400}}}\n'

const BOND = 'apiVersion: v1alpha1\nkind: BondConfig\nname: b\nlinks: [a]\n'
const ADDRESSED = `${BOND}hardwareAddr: '00:11:22:33:44:55'\n`
const DHCP = 'apiVersion: v1alpha1\nkind: DHCPv4Config\nname: a\n'
const VOLUME = 'apiVersion: v1alpha1\nkind: VolumeConfig\nname: EPHEMERAL\n'
const trusting = (ca: string) =>
  `machine: {registries: {config: {a: {tls: {ca: ${ca}, insecureSkipVerify: true}}}}}\n`
const TRUSTING = trusting('QUJD')

/** What becomes of texts, numbers, booleans, objects and maps. */
export const valueCases: readonly PatchCase[] = [
  patching('a text is replaced', worker, 'machine: {token: x.y}'),
  patching('a text that was unset is set', worker, 'machine: {kubelet: {image: k:1}}'),
  patching('an empty text changes nothing', worker, 'machine: {token: ""}'),
  patching('no bytes remove those that are there', ADDRESSED, `${BOND}hardwareAddr: ''\n`),
  patching('a null does not', ADDRESSED, `${BOND}hardwareAddr: null\n`),
  patching('bytes follow on none', `${BOND}hardwareAddr: ''\n`, `${BOND}hardwareAddr: '00:11'\n`),
  patching(
    'a document that is added may say that there are none',
    worker,
    `${BOND}hardwareAddr: ''\n`,
  ),
  patching(
    'an identifier is removed in the same way',
    `${DHCP}duidRaw: 00:11:22\n`,
    `${DHCP}duidRaw: ''\n`,
  ),
  patching('base64 of nothing removes what is there', TRUSTING, trusting("''")),
  patching('and null does not', TRUSTING, trusting('null')),
  patching('an item that is added may hold base64 of nothing', worker, trusting("''")),
  patching(
    'a size and an expression are removed by an empty text',
    `${VOLUME}provisioning: {minSize: 10GiB, diskSelector: {match: 'true'}}\n`,
    `${VOLUME}provisioning: {minSize: '', diskSelector: {match: ''}}\n`,
  ),
  patching('a null text changes nothing', worker, 'machine: {token: null}'),
  patching('an absent object changes nothing', worker, 'cluster: {clusterName: c}'),
  patching('a null object changes nothing', network, 'machine: {network: null}'),
  patching('an empty object changes nothing', network, 'machine: {network: {}}'),
  patching('an empty object is set where there was none', worker, 'machine: {network: {}}'),
  patching('the machine type is replaced', worker, 'machine: {type: controlplane}'),
  patching(
    'a true behind a pointer is replaced by false',
    network,
    'machine: {network: {kubespan: {enabled: false}}}',
  ),
  patching(
    'a false behind a pointer stays without one',
    'debug: false\nmachine: {type: worker}',
    'machine: {token: a}',
  ),
  patching(
    'debug and persist can be switched',
    'debug: true\npersist: true\n',
    'debug: false\npersist: false\n',
  ),
  patching(
    'a number behind a pointer is replaced by zero',
    network,
    'machine: {network: {kubespan: {mtu: 0}}}',
  ),
  patching(
    'a number behind a pointer is replaced',
    network,
    'machine: {network: {kubespan: {mtu: 1500}}}',
  ),
  patching(
    'a plain number is replaced',
    'machine: {network: {interfaces: [{interface: e, mtu: 9000}]}}',
    'machine: {network: {interfaces: [{interface: e, mtu: 1500}]}}',
  ),
  patching(
    'a plain zero changes nothing',
    'machine: {network: {interfaces: [{interface: e, mtu: 9000}]}}',
    'machine: {network: {interfaces: [{interface: e, mtu: 0}]}}',
  ),
  patching(
    'a boolean is read from a word of YAML 1.1',
    network,
    'machine: {network: {kubespan: {enabled: no}}}',
  ),
  patching(
    'a duration is replaced',
    'machine: {time: {bootTimeout: 2m}}',
    'machine: {time: {bootTimeout: 90s}}',
  ),
  patching(
    'a duration of zero changes nothing',
    'machine: {time: {bootTimeout: 2m}}',
    'machine: {time: {bootTimeout: 0s}}',
  ),
  patching(
    'an enum is replaced',
    'apiVersion: v1alpha1\nkind: NetworkDefaultActionConfig\ningress: accept\n',
    'apiVersion: v1alpha1\nkind: NetworkDefaultActionConfig\ningress: block\n',
  ),
  patching(
    'the first word of an enum is its zero and changes nothing',
    'apiVersion: v1alpha1\nkind: NetworkDefaultActionConfig\ningress: block\n',
    'apiVersion: v1alpha1\nkind: NetworkDefaultActionConfig\ningress: accept\n',
  ),
  patching(
    'the first word of an enum behind a pointer replaces',
    'apiVersion: v1alpha1\nkind: BondConfig\nname: b\nlinks: [a]\nbondMode: 802.3ad\n',
    'apiVersion: v1alpha1\nkind: BondConfig\nname: b\nbondMode: balance-rr\n',
  ),
  patching(
    'an enum behind a pointer is set',
    'apiVersion: v1alpha1\nkind: HostnameConfig\nhostname: a\n',
    'apiVersion: v1alpha1\nkind: HostnameConfig\nauto: stable\n',
  ),
  patching(
    'a hardware address is replaced',
    'apiVersion: v1alpha1\nkind: DummyLinkConfig\nname: d\nhardwareAddr: 02:00:00:00:00:01\n',
    'apiVersion: v1alpha1\nkind: DummyLinkConfig\nname: d\nhardwareAddr: 02:00:00:00:00:02\n',
  ),
  patching(
    'an optional boolean of a document is set to false',
    'apiVersion: v1alpha1\nkind: LinkConfig\nname: e\nup: true\nmtu: 1500\n',
    'apiVersion: v1alpha1\nkind: LinkConfig\nname: e\nup: false\n',
  ),
  patching(
    'an optional number of a document is set to zero',
    'apiVersion: v1alpha1\nkind: LinkConfig\nname: e\nup: true\nmtu: 1500\n',
    'apiVersion: v1alpha1\nkind: LinkConfig\nname: e\nmtu: 0\n',
  ),
  patching(
    'file permissions are written in octal',
    'machine: {files: [{path: /a, permissions: 0o644, content: x}]}',
    'machine: {files: [{path: /b, permissions: 420, op: create}]}',
  ),
  patching(
    'a map is merged by key',
    'machine: {sysctls: {a: "1", b: "2"}}',
    'machine: {sysctls: {b: "3", c: "4"}}',
  ),
  patching(
    'a map is set where there was none',
    'machine: {type: worker}',
    'machine: {sysctls: {a: "1"}}',
  ),
  patching(
    'an empty map changes nothing',
    'machine: {sysctls: {a: "1"}}',
    'machine: {sysctls: {}}',
  ),
  patching(
    'an empty map is set where there was none',
    'machine: {type: worker}',
    'machine: {nodeLabels: {}}',
  ),
  patching(
    'a null map changes nothing',
    'machine: {sysctls: {a: "1"}}',
    'machine: {sysctls: null}',
  ),
  patching(
    'an empty text in a map changes nothing',
    'machine: {sysctls: {a: "1"}}',
    'machine: {sysctls: {a: ""}}',
  ),
  patching(
    'an empty text is added to a map',
    'machine: {nodeLabels: {a: "1"}}',
    'machine: {nodeLabels: {b: ""}}',
  ),
  patching(
    'an empty text in a map is replaced',
    'machine: {nodeLabels: {a: ""}}',
    'machine: {nodeLabels: {a: x}}',
  ),
  patching(
    'numbers in a map of texts are texts',
    'machine: {sysctls: {a: 1}}',
    'machine: {sysctls: {b: 2, c: true}}',
  ),
  patching(
    'a map of booleans takes false',
    'apiVersion: v1alpha1\nkind: EthernetConfig\nname: e\nfeatures: {a: true}\n',
    'apiVersion: v1alpha1\nkind: EthernetConfig\nname: e\nfeatures: {a: false, b: true}\n',
  ),
  patching(
    'environment variables are merged',
    'machine: {env: {http_proxy: a, no_proxy: b}}',
    'machine: {env: {http_proxy: c}}',
  ),
  patching(
    'objects in a map are merged',
    'machine: {registries: {mirrors: {a.io: {endpoints: [x], overridePath: true}}}}',
    'machine: {registries: {mirrors: {a.io: {endpoints: [y], skipFallback: true}, b.io: {endpoints: [z]}}}}',
  ),
  patching(
    'a null object in a map changes nothing',
    'machine: {registries: {mirrors: {a.io: {endpoints: [x]}}}}',
    'machine: {registries: {mirrors: {a.io: null}}}',
  ),
  patching(
    'a null object in a map is replaced',
    'machine: {registries: {mirrors: {a.io: null}}}',
    'machine: {registries: {mirrors: {a.io: {endpoints: [x]}}}}',
  ),
  patching(
    'registry credentials are merged',
    'machine: {registries: {config: {a.io: {auth: {username: u, password: p}}}}}',
    'machine: {registries: {config: {a.io: {auth: {password: q}, tls: {insecureSkipVerify: true}}}}}',
  ),
  patching(
    'bytes are replaced',
    'machine: {registries: {config: {a.io: {tls: {ca: YWFh}}}}}',
    'machine: {registries: {config: {a.io: {tls: {ca: YmI=}}}}}',
  ),
  patching(
    'arguments are replaced by key',
    'cluster: {apiServer: {extraArgs: {a: "1", b: "2"}}}',
    'cluster: {apiServer: {extraArgs: {b: "3", c: "4"}}}',
  ),
  patching(
    'an empty argument replaces',
    'machine: {kubelet: {extraArgs: {a: "1", b: "2"}}}',
    'machine: {kubelet: {extraArgs: {a: ""}}}',
  ),
  patching(
    'no arguments change nothing',
    'machine: {kubelet: {extraArgs: {a: "1"}}}',
    'machine: {kubelet: {extraArgs: {}}}',
  ),
  patching(
    'no arguments are not set where there were none',
    'machine: {kubelet: {image: k}}',
    'machine: {kubelet: {extraArgs: {}}}',
  ),
  patching(
    'arguments of etcd, scheduler, proxy and controllers are merged',
    'cluster: {etcd: {extraArgs: {a: "1"}}, scheduler: {extraArgs: {a: "1"}}, proxy: {extraArgs: {a: "1"}}, controllerManager: {extraArgs: {a: "1"}}}',
    'cluster: {etcd: {extraArgs: {b: "2"}}, scheduler: {extraArgs: {a: "2"}}, proxy: {extraArgs: {b: "2"}, disabled: true}, controllerManager: {extraArgs: {b: "2"}, image: c}}',
  ),
  patching(
    'a certificate without a key empties the key',
    'machine: {ca: {crt: YQ==, key: Yg==}}',
    'machine: {ca: {crt: Yw==}}',
  ),
  patching(
    'a key without a certificate empties the certificate',
    'cluster: {ca: {crt: YQ==, key: Yg==}}',
    'cluster: {ca: {key: Yw==}}',
  ),
  patching(
    'a certificate with a key replaces both',
    'cluster: {ca: {crt: YQ==, key: Yg==}}',
    'cluster: {ca: {crt: Yw==, key: ZA==}}',
  ),
  patching(
    'an empty certificate empties both',
    'cluster: {aggregatorCA: {crt: YQ==, key: Yg==}}',
    'cluster: {aggregatorCA: {}}',
  ),
  patching(
    'a null certificate changes nothing',
    'cluster: {ca: {crt: YQ==, key: Yg==}}',
    'cluster: {ca: null}',
  ),
  patching(
    'a redacted key is taken',
    'cluster: {ca: {crt: YQ==, key: Yg==}}',
    'cluster: {ca: {crt: YQ==, key: "******"}}',
  ),
  patching(
    'the service account key is replaced',
    'cluster: {serviceAccount: {key: YQ==}}',
    'cluster: {serviceAccount: {key: Yg==}}',
  ),
  patching(
    'an endpoint is merged part by part',
    'cluster: {controlPlane: {endpoint: "https://a.example:6443/path?x=1"}}',
    'cluster: {controlPlane: {endpoint: "https://b.example"}}',
  ),
  patching(
    'an endpoint with a port is taken',
    'cluster: {controlPlane: {endpoint: "https://a.example"}}',
    'cluster: {controlPlane: {endpoint: "https://b.example:6443"}}',
  ),
  patching(
    'an endpoint with a path only changes the path',
    'cluster: {controlPlane: {endpoint: "https://a.example:6443"}}',
    'cluster: {controlPlane: {endpoint: "/x"}}',
  ),
  patching(
    'an empty endpoint changes nothing',
    'cluster: {controlPlane: {endpoint: "https://a.example:6443"}}',
    'cluster: {controlPlane: {endpoint: ""}}',
  ),
  patching(
    'an endpoint drops a question mark',
    'cluster: {controlPlane: {endpoint: "https://a.example:6443/?"}}',
    'cluster: {controlPlane: {endpoint: "https://b.example"}}',
  ),
  patching(
    'an endpoint keeps a fragment and gets a query',
    'cluster: {controlPlane: {endpoint: "https://a.example#f"}}',
    'cluster: {controlPlane: {endpoint: "?q=1"}}',
  ),
  patching(
    'an endpoint without host takes one',
    'cluster: {controlPlane: {endpoint: "https:/x"}}',
    'cluster: {controlPlane: {endpoint: "https://b"}}',
  ),
  patching(
    'an endpoint with a host takes one without',
    'cluster: {controlPlane: {endpoint: "https://b/y"}}',
    'cluster: {controlPlane: {endpoint: "https:/x"}}',
  ),
  patching(
    'an endpoint takes an opaque part',
    'cluster: {controlPlane: {endpoint: "https://b/y"}}',
    'cluster: {controlPlane: {endpoint: "mailto:x"}}',
  ),
  patching(
    'an endpoint takes a user',
    'cluster: {controlPlane: {endpoint: "https://b/y"}}',
    'cluster: {controlPlane: {endpoint: "https://u:p@b/z"}}',
  ),
  patching(
    'two users of an endpoint cannot be merged',
    'cluster: {controlPlane: {endpoint: "https://u@b/y"}}',
    'cluster: {controlPlane: {endpoint: "https://v@b/z"}}',
  ),
  patching(
    'an optional URL is merged part by part',
    'apiVersion: v1alpha1\nkind: SideroLinkConfig\napiUrl: https://a.example:8090/x?token=1\n',
    'apiVersion: v1alpha1\nkind: SideroLinkConfig\napiUrl: grpc://b.example\n',
  ),
  patching(
    'an empty optional URL changes nothing',
    'apiVersion: v1alpha1\nkind: KmsgLogConfig\nname: k\nurl: tcp://a:1\n',
    'apiVersion: v1alpha1\nkind: KmsgLogConfig\nname: k\nurl: ""\n',
  ),
  patching(
    'the disk selector is merged',
    'machine: {install: {diskSelector: {model: a, type: ssd}}}',
    'machine: {install: {diskSelector: {model: b}, wipe: true}}',
  ),
  patching(
    'a condition on a disk size is set',
    'machine: {install: {diskSelector: {model: a}}}',
    'machine: {install: {diskSelector: {size: ">= 1TB"}}}',
  ),
  patching(
    'two conditions on a disk size cannot be merged',
    'machine: {install: {diskSelector: {size: "< 1TB"}}}',
    'machine: {install: {diskSelector: {size: ">= 1TB"}}}',
  ),
  patching(
    'a plain boolean is always overwritten',
    'cluster: {apiServer: {extraVolumes: [{hostPath: /a, mountPath: /a, readonly: true}]}}',
    'cluster: {apiServer: {extraVolumes: [{hostPath: /b, mountPath: /b}]}}',
  ),
  patching(
    'wiping can be switched off',
    'machine: {install: {disk: /dev/sda, wipe: true}}',
    'machine: {install: {wipe: false}}',
  ),
]
