import type { WrittenCase } from './written-case.cases.ts'

export const network1Cases: readonly WrittenCase[] = [
  {
    text: `apiVersion: v1alpha1
kind: BlackholeRouteConfig
name: 10.0.0.0/12
metric: 100
`,
    written: `apiVersion: v1alpha1
kind: BlackholeRouteConfig
name: 10.0.0.0/12
metric: 100
`,
  },
  {
    text: `apiVersion: v1alpha1
kind: BondConfig
name: bond0
hardwareAddr: "AA:BB:CC:DD:EE:FF"
links: [enp1s2, enp1s3]
bondMode: 802.3ad
miimon: 100
updelay: 0x64
useCarrier: yes
xmitHashPolicy: LAYER3+4
arpIpTargets: [10.0.0.1]
lacpRate: slow
failOverMac: 1
adSelect: stable
adLACPActive: "on"
primaryReselect: better
numPeerNotif: 1
up: true
mtu: 9000
addresses: [{address: 10.5.0.2/24, routePriority: 100}, {address: "FD00:0:0::1/64"}]
routes: [{gateway: 10.5.0.1}, {destination: 10.0.0.0/8, gateway: 10.5.0.3, source: 10.5.0.2, metric: 1024, mtu: 1400, table: "1"}]
multicast: false
`,
    written: `apiVersion: v1alpha1
kind: BondConfig
name: bond0
hardwareAddr: aa:bb:cc:dd:ee:ff
links:
    - enp1s2
    - enp1s3
bondMode: 802.3ad
miimon: 100
updelay: 100
useCarrier: true
xmitHashPolicy: layer3+4
arpIpTargets:
    - 10.0.0.1
lacpRate: slow
failOverMac: active
adSelect: stable
adLACPActive: "on"
primaryReselect: better
numPeerNotif: 1
up: true
mtu: 9000
addresses:
    - address: 10.5.0.2/24
      routePriority: 100
    - address: fd00::1/64
routes:
    - gateway: 10.5.0.1
    - destination: 10.0.0.0/8
      gateway: 10.5.0.3
      source: 10.5.0.2
      metric: 1024
      mtu: 1400
      table: "1"
multicast: false
`,
  },
  {
    text: `apiVersion: v1alpha1
kind: BridgeConfig
name: br0
links: [eth0, eth1]
stp: {enabled: true}
vlan: {}
up: true
mtu: 9000
addresses: [{address: 10.5.0.2/24, routePriority: 100}, {address: "FD00:0:0::1/64"}]
routes: [{gateway: 10.5.0.1}, {destination: 10.0.0.0/8, gateway: 10.5.0.3, source: 10.5.0.2, metric: 1024, mtu: 1400, table: "1"}]
multicast: false
`,
    written: `apiVersion: v1alpha1
kind: BridgeConfig
name: br0
links:
    - eth0
    - eth1
stp:
    enabled: true
up: true
mtu: 9000
addresses:
    - address: 10.5.0.2/24
      routePriority: 100
    - address: fd00::1/64
routes:
    - gateway: 10.5.0.1
    - destination: 10.0.0.0/8
      gateway: 10.5.0.3
      source: 10.5.0.2
      metric: 1024
      mtu: 1400
      table: "1"
multicast: false
`,
  },
  {
    text: `apiVersion: v1alpha1
kind: DHCPv4Config
name: eth0
routeMetric: 512
ignoreHostname: true
clientIdentifier: duid
duidRaw: 0001:0001
`,
    written: `apiVersion: v1alpha1
kind: DHCPv4Config
name: eth0
routeMetric: 512
ignoreHostname: true
clientIdentifier: duid
duidRaw: "00:01:00:01"
`,
  },
  {
    text: `apiVersion: v1alpha1
kind: DHCPv6Config
name: eth1
routeMetric: 0
clientIdentifier: none
`,
    written: `apiVersion: v1alpha1
kind: DHCPv6Config
name: eth1
clientIdentifier: none
`,
  },
  {
    text: `apiVersion: v1alpha1
kind: DummyLinkConfig
name: dummy1
up: false
addresses: [{address: 192.168.1.100/32}]
`,
    written: `apiVersion: v1alpha1
kind: DummyLinkConfig
name: dummy1
up: false
addresses:
    - address: 192.168.1.100/32
`,
  },
  {
    text: `apiVersion: v1alpha1
kind: EthernetConfig
name: enp0s1
features: {tx-tcp-segmentation: false, rx-gro: on}
rings: {rx: 1024, tx-push: false}
channels: {combined: 0}
wakeOnLan: [magic, UNICAST]
`,
    written: `apiVersion: v1alpha1
kind: EthernetConfig
name: enp0s1
features:
    rx-gro: true
    tx-tcp-segmentation: false
rings:
    rx: 1024
    tx-push: false
channels:
    combined: 0
wakeOnLan:
    - magic
    - unicast
`,
  },
  {
    text: `apiVersion: v1alpha1
kind: HCloudVIPConfig
name: 1.2.3.4
link: eth0
apiToken: abc # not a real one
`,
    written: `apiVersion: v1alpha1
kind: HCloudVIPConfig
name: 1.2.3.4
link: eth0
apiToken: abc
`,
  },
  {
    text: `apiVersion: v1alpha1
kind: HostnameConfig
auto: stable
hostname: ""
`,
    written: `apiVersion: v1alpha1
kind: HostnameConfig
auto: stable
`,
  },
  {
    text: `apiVersion: v1alpha1
kind: HostnameConfig
hostname: worker-1
`,
    written: `apiVersion: v1alpha1
kind: HostnameConfig
hostname: worker-1
`,
  },
  {
    text: `apiVersion: v1alpha1
kind: KubeSpanConfig
enabled: true
mtu: 1420
filters: {endpoints: [0.0.0.0/0, "!192.168.0.0/16", "::/0"], excludeAdvertisedNetworks: [192.168.1.0/24]}
`,
    written: `apiVersion: v1alpha1
kind: KubeSpanConfig
enabled: true
mtu: 1420
filters:
    endpoints:
        - 0.0.0.0/0
        - '!192.168.0.0/16'
        - ::/0
    excludeAdvertisedNetworks:
        - 192.168.1.0/24
`,
  },
  {
    text: `apiVersion: v1alpha1
kind: KubeSpanEndpointsConfig
extraAnnouncedEndpoints: [192.168.13.46:52000, "[FD00::1]:52000"]
`,
    written: `apiVersion: v1alpha1
kind: KubeSpanEndpointsConfig
extraAnnouncedEndpoints:
    - 192.168.13.46:52000
    - '[fd00::1]:52000'
`,
  },
  {
    text: `apiVersion: v1alpha1
kind: Layer2VIPConfig
name: 192.168.100.1
link: eth0
`,
    written: `apiVersion: v1alpha1
kind: Layer2VIPConfig
name: 192.168.100.1
link: eth0
`,
  },
  {
    text: `apiVersion: v1alpha1
kind: LinkAliasConfig
name: net0
selector:
  match: mac(link.permanent_addr) == "00:1a:2b:3c:4d:5e"
`,
    written: `apiVersion: v1alpha1
kind: LinkAliasConfig
name: net0
selector:
    match: mac(link.permanent_addr) == "00:1a:2b:3c:4d:5e"
`,
  },
  {
    text: `apiVersion: v1alpha1
kind: LinkConfig
name: enp0s2
up: true
mtu: 9000
addresses: [{address: 10.5.0.2/24, routePriority: 100}, {address: "FD00:0:0::1/64"}]
routes: [{gateway: 10.5.0.1}, {destination: 10.0.0.0/8, gateway: 10.5.0.3, source: 10.5.0.2, metric: 1024, mtu: 1400, table: "1"}]
multicast: false
`,
    written: `apiVersion: v1alpha1
kind: LinkConfig
name: enp0s2
up: true
mtu: 9000
addresses:
    - address: 10.5.0.2/24
      routePriority: 100
    - address: fd00::1/64
routes:
    - gateway: 10.5.0.1
    - destination: 10.0.0.0/8
      gateway: 10.5.0.3
      source: 10.5.0.2
      metric: 1024
      mtu: 1400
      table: "1"
multicast: false
`,
  },
  {
    text: `apiVersion: v1alpha1
kind: NetworkDefaultActionConfig
ingress: block
`,
    written: `apiVersion: v1alpha1
kind: NetworkDefaultActionConfig
ingress: block
`,
  },
  {
    text: `apiVersion: v1alpha1
kind: NetworkDefaultActionConfig
ingress: accept
`,
    written: `apiVersion: v1alpha1
kind: NetworkDefaultActionConfig
ingress: accept
`,
  },
  {
    text: `apiVersion: v1alpha1
kind: NetworkRuleConfig
name: www
portSelector: {ports: [80, 0443, 8080-8090, 9000-9000], protocol: TCP}
ingress: [{subnet: 10.42.0.0/16, except: 10.42.43.0/24}, {subnet: "2001:db8::/32"}]
`,
    written: `apiVersion: v1alpha1
kind: NetworkRuleConfig
name: www
portSelector:
    ports:
        - 80
        - 291
        - 8080-8090
        - 9000
    protocol: tcp
ingress:
    - subnet: 10.42.0.0/16
      except: 10.42.43.0/24
    - subnet: 2001:db8::/32
`,
  },
  {
    text: `apiVersion: v1alpha1
kind: ResolverConfig
nameservers: [{address: 10.0.0.1}, {address: "2001:4860:4860:0:0:0:0:8888"}]
searchDomains: {domains: [example.org], disableDefault: true}
`,
    written: `apiVersion: v1alpha1
kind: ResolverConfig
nameservers:
    - address: 10.0.0.1
    - address: 2001:4860:4860::8888
searchDomains:
    domains:
        - example.org
    disableDefault: true
`,
  },
]
