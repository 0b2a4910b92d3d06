import type { RefusedCase } from './refused.cases.ts'

/** Values of the wrong type or form, and what talosctl v1.13.0 says as well; `…` stands for what could be a secret. */

export const typesRefused: readonly RefusedCase[] = [
  [
    'machine: 5\n',
    `error decoding document /v1alpha1/ (line 1): error decoding  to *v1alpha1.Config: yaml: construct errors:
  line 1: cannot construct !!int \`5\` into v1alpha1.MachineConfig`,
  ],
  [
    'machine: [a]\n',
    `error decoding document /v1alpha1/ (line 1): error decoding  to *v1alpha1.Config: yaml: construct errors:
  line 1: cannot construct !!seq into v1alpha1.MachineConfig`,
  ],
  [
    'machine:\n  type: [a]\n  kubelet: abc\n  time: {bootTimeout: 5}\n  install: {wipe: maybe}\n',
    `error decoding document /v1alpha1/ (line 1): error decoding  to *v1alpha1.Config: yaml: construct errors:
  line 2: cannot construct !!seq into string
  line 3: cannot construct !!str \`abc\` into v1alpha1.KubeletConfig
  line 4: cannot construct !!int \`5\` into time.Duration
  line 5: cannot construct !!str \`maybe\` into bool`,
  ],
  [
    'debug: "true"\n',
    `error decoding document /v1alpha1/ (line 1): error decoding  to *v1alpha1.Config: yaml: construct errors:
  line 1: cannot construct !!str \`true\` into bool`,
  ],
  [
    'machine:\n  network:\n    interfaces:\n    - {mtu: 1.5}\n    - {mtu: abc}\n    - {mtu: "5"}\n    - {mtu: 1e30}\n    - eth0\n',
    `error decoding document /v1alpha1/ (line 1): error decoding  to *v1alpha1.Config: yaml: construct errors:
  line 4: cannot construct !!float \`1.5\` into int
  line 5: cannot construct !!str \`abc\` into int
  line 6: cannot construct !!str \`5\` into int
  line 7: cannot construct !!float \`1e30\` into int
  line 8: cannot construct !!str \`eth0\` into v1alpha1.Device`,
  ],
  [
    'machine:\n  certSANs: a-very-long-name.example\n',
    `error decoding document /v1alpha1/ (line 1): error decoding  to *v1alpha1.Config: yaml: construct errors:
  line 2: cannot construct !!str \`a-very-...\` into []string`,
  ],
  [
    'machine:\n  certSANs: {a: b}\n  sysctls: [a]\n',
    `error decoding document /v1alpha1/ (line 1): error decoding  to *v1alpha1.Config: yaml: construct errors:
  line 2: cannot construct !!map into []string
  line 3: cannot construct !!seq into map[string]string`,
  ],
  [
    'machine:\n  sysctls: {a: [b], c: {d: e}}\n',
    `error decoding document /v1alpha1/ (line 1): error decoding  to *v1alpha1.Config: yaml: construct errors:
  line 2: cannot construct !!seq into string
  line 2: cannot construct !!map into string`,
  ],
  [
    'machine:\n  token: {a: b}\n',
    `error decoding document /v1alpha1/ (line 1): error decoding  to *v1alpha1.Config: yaml: construct errors:
  line 2: cannot construct !!map into string`,
  ],
  [
    'machine:\n  token: a\n  token: b\n',
    `error decoding document /v1alpha1/ (line 1): error decoding  to *v1alpha1.Config: yaml: construct errors:
  line 3: mapping key "token" already defined at line 2`,
  ],
  [
    'machine: {}\nmachine: {}\n',
    `error decoding document /v1alpha1/ (line 1): error decoding  to *v1alpha1.Config: yaml: construct errors:
  line 2: mapping key "machine" already defined at line 1`,
  ],
  [
    'machine:\n  sysctls: {a: b, a: c, d: e, d: f}\n',
    `error decoding document /v1alpha1/ (line 1): error decoding  to *v1alpha1.Config: yaml: construct errors:
  line 2: mapping key "a" already defined at line 2
  line 2: mapping key "d" already defined at line 2`,
  ],
  [
    'machine:\n  kubelet: {extraConfig: {a: {b: 1, b: 2}}}\n',
    `error decoding document /v1alpha1/ (line 1): error decoding  to *v1alpha1.Config: yaml: construct errors:
  line 2: mapping key "b" already defined at line 2`,
  ],
  [
    'machine:\n  kubelet: {extraConfig: [a]}\n',
    `error decoding document /v1alpha1/ (line 1): error decoding  to *v1alpha1.Config: yaml: construct errors:
  line 2: cannot construct !!seq into v1alpha1.Unstructured`,
  ],
  [
    'machine:\n  kubelet: {extraArgs: {a: {b: c}}}\n',
    `error decoding document /v1alpha1/ (line 1): error decoding  to *v1alpha1.Config: yaml: construct errors:
  line 2: arg value must be a string or list of strings`,
  ],
  [
    'machine:\n  ca: {crt: "!", key: x}\n',
    `error decoding document /v1alpha1/ (line 1): error decoding  to *v1alpha1.Config: yaml: construct errors:
  line 2: illegal base64 data at input byte 0`,
  ],
  [
    'machine:\n  ca: {crt: [a]}\n',
    `error decoding document /v1alpha1/ (line 1): error decoding  to *v1alpha1.Config: yaml: construct errors:
  line 2: cannot construct !!seq into string`,
  ],
  [
    'machine:\n  acceptedCAs: [{crt: YQ=}]\n',
    `error decoding document /v1alpha1/ (line 1): error decoding  to *v1alpha1.Config: yaml: construct errors:
  line 2: illegal base64 data at input byte 3`,
  ],
  [
    'machine:\n  files: [{permissions: rwx}]\n',
    `error decoding document /v1alpha1/ (line 1): error decoding  to *v1alpha1.Config: yaml: construct errors:
  line 2: cannot construct !!str \`rwx\` into v1alpha1.FileMode`,
  ],
  [
    'machine:\n  disks: [{partitions: [{size: 5XB}, {size: x}, {size: [a]}]}]\n',
    `error decoding document /v1alpha1/ (line 1): error decoding  to *v1alpha1.Config: yaml: construct errors:
  line 2: unhandled size name: xb
  line 2: strconv.ParseFloat: parsing "": invalid syntax
  line 2: cannot construct !!seq into string`,
  ],
  [
    'machine:\n  install: {diskSelector: {size: "!= 5"}}\n',
    `error decoding document /v1alpha1/ (line 1): error decoding  to *v1alpha1.Config: yaml: construct errors:
  line 2: failed to parse disk size != 5: strconv.ParseFloat: parsing "": invalid syntax`,
  ],
  [
    'machine:\n  install: {diskSelector: {size: ">= big"}}\n',
    `error decoding document /v1alpha1/ (line 1): error decoding  to *v1alpha1.Config: yaml: construct errors:
  line 2: failed to parse disk size  big: strconv.ParseFloat: parsing "": invalid syntax`,
  ],
  [
    'cluster:\n  controlPlane: {endpoint: "https://a:b"}\n',
    `error decoding document /v1alpha1/ (line 1): error decoding  to *v1alpha1.Config: yaml: construct errors:
  line 2: parse "https://a:b": invalid port ":b" after host`,
  ],
  [
    'cluster:\n  controlPlane: {endpoint: ":"}\n',
    `error decoding document /v1alpha1/ (line 1): error decoding  to *v1alpha1.Config: yaml: construct errors:
  line 2: parse ":": missing protocol scheme`,
  ],
  [
    'cluster:\n  controlPlane: {endpoint: {a: b}}\n',
    `error decoding document /v1alpha1/ (line 1): error decoding  to *v1alpha1.Config: yaml: construct errors:
  line 2: cannot construct !!map into string`,
  ],
  [
    'cluster:\n  controlPlane: {endpoint: "https://a b/"}\n',
    `error decoding document /v1alpha1/ (line 1): error decoding  to *v1alpha1.Config: yaml: construct errors:
  line 2: parse "https://a b/": invalid character " " in host name`,
  ],
  [
    'cluster:\n  controlPlane: {endpoint: "https://a/%zz"}\n',
    `error decoding document /v1alpha1/ (line 1): error decoding  to *v1alpha1.Config: yaml: construct errors:
  line 2: parse "https://a/%zz": invalid URL escape "%zz"`,
  ],
  [
    'cluster:\n  adminKubeconfig: {certLifetime: 1d}\n',
    `error decoding document /v1alpha1/ (line 1): error decoding  to *v1alpha1.Config: yaml: construct errors:
  line 2: cannot construct !!str \`1d\` into time.Duration`,
  ],
  [
    'cluster:\n  inlineManifests: abc\n',
    `error decoding document /v1alpha1/ (line 1): error decoding  to *v1alpha1.Config: yaml: construct errors:
  line 2: cannot construct !!str \`abc\` into []v1alpha1.ClusterInlineManifest`,
  ],
  [
    'cluster:\n  inlineManifests: [{contents: [a]}]\n',
    `error decoding document /v1alpha1/ (line 1): error decoding  to *v1alpha1.Config: yaml: construct errors:
  line 2: cannot construct !!seq into string`,
  ],
  [
    'cluster:\n  apiServer: {admissionControl: {a: b}}\n',
    `error decoding document /v1alpha1/ (line 1): error decoding  to *v1alpha1.Config: yaml: construct errors:
  line 2: cannot construct !!map into v1alpha1.AdmissionPluginConfigList`,
  ],
  [
    'machine:\n  sysctls: {<<: [a]}\n',
    'error decoding document /v1alpha1/ (line 1): error decoding  to *v1alpha1.Config: yaml: map merge requires map or sequence of maps as the value',
  ],
  [
    'machine:\n  [a]: b\n',
    `error decoding document /v1alpha1/ (line 1): error decoding  to *v1alpha1.Config: yaml: construct errors:
  line 2: cannot construct !!seq into string`,
  ],
  [
    'apiVersion: v1alpha1\nkind: LinkConfig\nname: [a]\nup: 5\naddresses: [{address: 10.0.0.1}, {address: 10.0.0.1/33}, {address: x/8}, {address: [a]}]\n',
    `error decoding document v1alpha1/LinkConfig/ (line 1): error decoding LinkConfig to *network.LinkConfigV1Alpha1: yaml: construct errors:
  line 3: cannot construct !!seq into string
  line 4: cannot construct !!int \`5\` into bool
  line 5: netip.ParsePrefix("10.0.0.1"): no '/'
  line 5: netip.ParsePrefix("10.0.0.1/33"): prefix length out of range
  line 5: netip.ParsePrefix("x/8"): ParseAddr("x"): unable to parse IP
  line 5: cannot construct !!seq into netip.Prefix (TextUnmarshaler)`,
  ],
  [
    'apiVersion: v1alpha1\nkind: LinkConfig\nname: a\nroutes: [{gateway: 10.0.0}, {gateway: 10.0.0.256}, {gateway: "1::2::3"}, {gateway: 01.2.3.4}, {gateway: "fe80::1%"}, {gateway: 1.2.3.4.5}, {table: nope}]\n',
    `error decoding document v1alpha1/LinkConfig/a (line 1): error decoding LinkConfig to *network.LinkConfigV1Alpha1: yaml: construct errors:
  line 4: ParseAddr("10.0.0"): IPv4 address too short
  line 4: ParseAddr("10.0.0.256"): IPv4 field has value >255
  line 4: ParseAddr("1::2::3"): multiple :: in address (at ":3")
  line 4: ParseAddr("01.2.3.4"): IPv4 field has octet with leading zero
  line 4: ParseAddr("fe80::1%"): zone must be a non-empty string
  line 4: ParseAddr("1.2.3.4.5"): IPv4 address too long
  line 4: nope does not belong to RoutingTable values`,
  ],
  [
    'apiVersion: v1alpha1\nkind: KubeSpanEndpointsConfig\nextraAnnouncedEndpoints: [10.0.0.1, "10.0.0.1:", 10.0.0.1:99999, "[10.0.0.1]:5", "::1:5"]\n',
    `error decoding document v1alpha1/KubeSpanEndpointsConfig/ (line 1): error decoding KubeSpanEndpointsConfig to *network.KubespanEndpointsConfigV1Alpha1: yaml: construct errors:
  line 3: not an ip:port
  line 3: no port
  line 3: invalid port "99999" parsing "10.0.0.1:99999"
  line 3: invalid ip:port "[10.0.0.1]:5", square brackets can only be used with IPv6 addresses
  line 3: invalid ip:port "::1:5", IPv6 addresses must be surrounded by square brackets`,
  ],
  [
    'apiVersion: v1alpha1\nkind: BondConfig\nname: a\nhardwareAddr: "xx:yy"\nbondMode: nonsense\nfailOverMac: 7\nlacpRate: [a]\n',
    `error decoding document v1alpha1/BondConfig/a (line 1): error decoding BondConfig to *network.BondConfigV1Alpha1: yaml: construct errors:
  line 4: encoding/hex: invalid byte: U+0078 'x'
  line 5: nonsense does not belong to BondMode values
  line 6: invalid fail_over_mac value 7
  line 7: cannot construct !!seq into *nethelpers.LACPRate (TextUnmarshaler)`,
  ],
  [
    'apiVersion: v1alpha1\nkind: BondConfig\nname: a\nhardwareAddr: "a:b:c"\n',
    `error decoding document v1alpha1/BondConfig/a (line 1): error decoding BondConfig to *network.BondConfigV1Alpha1: yaml: construct errors:
  line 4: encoding/hex: odd length hex string`,
  ],
  [
    'apiVersion: v1alpha1\nkind: NetworkRuleConfig\nname: a\nportSelector: {ports: [65536, 80-, x, [a]], protocol: tcpp}\n',
    `error decoding document v1alpha1/NetworkRuleConfig/a (line 1): error decoding NetworkRuleConfig to *network.RuleConfigV1Alpha1: yaml: construct errors:
  line 4: invalid port range: "65536"
  line 4: invalid port range: "80-"
  line 4: invalid port range: "x"
  line 4: cannot construct !!seq into string
  line 4: tcpp does not belong to Protocol values`,
  ],
  [
    'apiVersion: v1alpha1\nkind: VolumeConfig\nname: EPHEMERAL\nprovisioning: {minSize: 5 potatoes, maxSize: 120%, grow: perhaps, diskSelector: {match: [a]}}\n',
    `error decoding document v1alpha1/VolumeConfig/EPHEMERAL (line 1): error decoding VolumeConfig to *block.VolumeConfigV1Alpha1: yaml: construct errors:
  line 4: unhandled size name: potatoes
  line 4: percentage must be between 0 and 100, got 120
  line 4: cannot construct !!str \`perhaps\` into bool
  line 4: cannot construct !!seq into cel.Expression (TextUnmarshaler)`,
  ],
  [
    'apiVersion: v1alpha1\nkind: VolumeConfig\nname: EPHEMERAL\nprovisioning: {maxSize: 5%x, minSize: 50%}\nencryption: {provider: luks3}\n',
    `error decoding document v1alpha1/VolumeConfig/EPHEMERAL (line 1): error decoding VolumeConfig to *block.VolumeConfigV1Alpha1: yaml: construct errors:
  line 4: percentage must end with '%'
  line 4: unhandled size name: %
  line 5: luks3 does not belong to EncryptionProviderType values`,
  ],
  [
    'apiVersion: v1alpha1\nkind: WatchdogTimerConfig\ntimeout: 10\n',
    `error decoding document v1alpha1/WatchdogTimerConfig/ (line 1): error decoding WatchdogTimerConfig to *runtime.WatchdogTimerV1Alpha1: yaml: construct errors:
  line 3: cannot construct !!int \`10\` into time.Duration`,
  ],
  [
    'apiVersion: v1alpha1\nkind: SideroLinkConfig\napiUrl: "1a:b"\n',
    `error decoding document v1alpha1/SideroLinkConfig/ (line 1): error decoding SideroLinkConfig to *siderolink.ConfigV1Alpha1: yaml: construct errors:
  line 3: parse "1a:b": first path segment in URL cannot contain colon`,
  ],
  [
    'apiVersion: v1alpha1\nkind: KmsgLogConfig\nname: a\nurl: {a: b}\n',
    `error decoding document v1alpha1/KmsgLogConfig/a (line 1): error decoding KmsgLogConfig to *runtime.KmsgLogV1Alpha1: yaml: construct errors:
  line 4: cannot construct !!map into string`,
  ],
  [
    'apiVersion: v1alpha1\nkind: NetworkDefaultActionConfig\ningress: allow\n',
    `error decoding document v1alpha1/NetworkDefaultActionConfig/ (line 1): error decoding NetworkDefaultActionConfig to *network.DefaultActionConfigV1Alpha1: yaml: construct errors:
  line 3: allow does not belong to DefaultAction values`,
  ],
  [
    'apiVersion: v1alpha1\nkind: EthernetConfig\nname: a\nrings: {rx: -1, tx: 4294967296}\nfeatures: {a: 5}\nwakeOnLan: [x]\n',
    `error decoding document v1alpha1/EthernetConfig/a (line 1): error decoding EthernetConfig to *network.EthernetConfigV1Alpha1: yaml: construct errors:
  line 4: cannot construct !!int \`-1\` into uint32
  line 4: cannot construct !!int \`4294967296\` into uint32
  line 5: cannot construct !!int \`5\` into bool
  line 6: x does not belong to WOLMode values`,
  ],
  [
    'apiVersion: v1alpha1\nkind: VLANConfig\nname: a\nvlanID: 70000\nvlanMode: x\n',
    `error decoding document v1alpha1/VLANConfig/a (line 1): error decoding VLANConfig to *network.VLANConfigV1Alpha1: yaml: construct errors:
  line 4: cannot construct !!int \`70000\` into uint16
  line 5: x does not belong to VLANProtocol values`,
  ],
  [
    'apiVersion: v1alpha1\nkind: RegistryTLSConfig\nname: a\nclientIdentity: hunter2\n',
    `error decoding document v1alpha1/RegistryTLSConfig/a (line 1): error decoding RegistryTLSConfig to *cri.RegistryTLSConfigV1Alpha1: yaml: construct errors:
  line 4: cannot construct !!str \`…\` into meta.CertificateAndKey`,
  ],
  [
    'apiVersion: v1alpha1\nkind: OOMConfig\nsampleInterval: soon\n',
    `error decoding document v1alpha1/OOMConfig/ (line 1): error decoding OOMConfig to *runtime.OOMV1Alpha1: yaml: construct errors:
  line 3: cannot construct !!str \`soon\` into time.Duration`,
  ],
]
