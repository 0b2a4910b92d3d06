import type { WrittenCase } from './written-case.cases.ts'

export const network2Cases: readonly WrittenCase[] = [
  {
    text: `apiVersion: v1alpha1
kind: RoutingRuleConfig
name: "1000"
src: 10.0.0.0/8
dst: ~
table: main
action: unicast
iifName: eth0
fwMark: 0x100
fwMask: 65280
`,
    written: `apiVersion: v1alpha1
kind: RoutingRuleConfig
name: "1000"
src: 10.0.0.0/8
table: main
action: unicast
iifName: eth0
fwMark: 256
fwMask: 65280
`,
  },
  {
    text: `apiVersion: v1alpha1
kind: StaticHostConfig
name: 10.5.0.2
hostnames: [my-server, my-server.example.org]
`,
    written: `apiVersion: v1alpha1
kind: StaticHostConfig
name: 10.5.0.2
hostnames:
    - my-server
    - my-server.example.org
`,
  },
  {
    text: `apiVersion: v1alpha1
kind: TCPProbeConfig
name: proxy
interval: 1s
failureThreshold: 3
endpoint: proxy.example.com:3128
timeout: 10000ms
`,
    written: `apiVersion: v1alpha1
kind: TCPProbeConfig
name: proxy
interval: 1s
failureThreshold: 3
endpoint: proxy.example.com:3128
timeout: 10s
`,
  },
  {
    text: `apiVersion: v1alpha1
kind: TimeSyncConfig
enabled: true
bootTimeout: 2m
ntp: {servers: [time.cloudflare.com]}
`,
    written: `apiVersion: v1alpha1
kind: TimeSyncConfig
enabled: true
bootTimeout: 2m0s
ntp:
    servers:
        - time.cloudflare.com
`,
  },
  {
    text: `apiVersion: v1alpha1
kind: TimeSyncConfig
ptp: {devices: [/dev/ptp0]}
`,
    written: `apiVersion: v1alpha1
kind: TimeSyncConfig
ptp:
    devices:
        - /dev/ptp0
`,
  },
  {
    text: `apiVersion: v1alpha1
kind: VLANConfig
name: enp0s3.34
vlanID: 34
vlanMode: 802.1Q
parent: enp0s3
up: true
mtu: 9000
addresses: [{address: 10.5.0.2/24, routePriority: 100}, {address: "FD00:0:0::1/64"}]
routes: [{gateway: 10.5.0.1}, {destination: 10.0.0.0/8, gateway: 10.5.0.3, source: 10.5.0.2, metric: 1024, mtu: 1400, table: "1"}]
multicast: false
`,
    written: `apiVersion: v1alpha1
kind: VLANConfig
name: enp0s3.34
vlanID: 34
vlanMode: 802.1q
parent: enp0s3
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
kind: VRFConfig
name: vrf-blue
links: [eno0, eno1]
table: "123"
up: true
mtu: 9000
addresses: [{address: 10.5.0.2/24, routePriority: 100}, {address: "FD00:0:0::1/64"}]
routes: [{gateway: 10.5.0.1}, {destination: 10.0.0.0/8, gateway: 10.5.0.3, source: 10.5.0.2, metric: 1024, mtu: 1400, table: "1"}]
multicast: false
`,
    written: `apiVersion: v1alpha1
kind: VRFConfig
name: vrf-blue
links:
    - eno0
    - eno1
table: "123"
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
kind: WireguardConfig
name: wg1
privateKey: bm90IGEga2V5
listenPort: 51820
firewallMark: 1
peers: [{publicKey: cHVibGlj, presharedKey: c2hhcmVk, endpoint: 10.3.4.3:51820, persistentKeepaliveInterval: 25s, allowedIPs: [192.168.2.0/24]}]
up: true
mtu: 9000
addresses: [{address: 10.5.0.2/24, routePriority: 100}, {address: "FD00:0:0::1/64"}]
routes: [{gateway: 10.5.0.1}, {destination: 10.0.0.0/8, gateway: 10.5.0.3, source: 10.5.0.2, metric: 1024, mtu: 1400, table: "1"}]
multicast: false
`,
    written: `apiVersion: v1alpha1
kind: WireguardConfig
name: wg1
privateKey: bm90IGEga2V5
listenPort: 51820
firewallMark: 1
peers:
    - publicKey: cHVibGlj
      presharedKey: c2hhcmVk
      endpoint: 10.3.4.3:51820
      persistentKeepaliveInterval: 25s
      allowedIPs:
        - 192.168.2.0/24
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
]
