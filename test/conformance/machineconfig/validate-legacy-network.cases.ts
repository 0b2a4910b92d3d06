import { controlPlane, type LegacyCase, worker } from './validate-legacy-case.ts'

const KEY = 'QUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUFBQUE='

const device = (title: string, ...interfaces: unknown[]): LegacyCase =>
  controlPlane(title, { 'machine.network.interfaces': interfaces })
const bond = (title: string, settings: Record<string, unknown>): LegacyCase =>
  device(`bond: ${title}`, { interface: 'bond0', bond: { interfaces: ['eth0'], ...settings } })

const links: LegacyCase[] = [
  device('no name', { dhcp: true }),
  device('a name and a selector', { interface: 'eth0', deviceSelector: { busPath: '0*' } }),
  device('a selector', { deviceSelector: { driver: 'virtio', physical: false } }),
  device('an empty selector', { deviceSelector: {} }),
  device('an ignored device with everything wrong', {
    interface: 'eth0',
    ignore: true,
    cidr: 'x',
    routes: [{}],
  }),
  device(
    'good addresses',
    { interface: 'eth0', addresses: ['10.0.0.1/24', '10.0.0.2', 'fd00::1/64', '1.2.3.4/024'] },
    { interface: 'eth1', dhcp: true, vip: { ip: '10.0.0.5' } },
  ),
  device('odd addresses', {
    interface: 'eth0',
    addresses: ['10.0.0.1/33', '10.0.0', '', 'fe80::1%eth0', '1.2.3.4/', '01.2.3.4', 'a\tb"'],
  }),
  device('an old address', { interface: 'eth0', cidr: '10.0.0.1/24' }),
  device('an odd old address', { interface: 'eth0', cidr: '10.0.0.1/x' }),
  device('both kinds of addresses', {
    interface: 'eth0',
    cidr: '10.0.0.1/24',
    addresses: ['10.0.0.1/24'],
  }),
  device('an odd shared address', { interface: 'eth0', vip: { ip: 'x' } }),
  device('no shared address', { interface: 'eth0', vip: {} }),
  worker('shared addresses on a worker', {
    'machine.network.interfaces': [
      {
        interface: 'eth0',
        vip: { ip: '10.0.0.5' },
        vlans: [{ vlanId: 5, vip: { ip: '1.1.1.1' } }],
      },
    ],
  }),
  device('good routes', {
    interface: 'eth0',
    routes: [
      { network: '0.0.0.0/0', gateway: '10.0.0.1' },
      { gateway: 'fd00::1', source: 'fd00::2' },
      { network: '10.0.0.0/8' },
    ],
  }),
  device('odd routes', {
    interface: 'eth0',
    routes: [
      { network: '10.0.0.0', gateway: '10.0.0.0/8', source: 'x' },
      { metric: 5 },
      { network: '::/129' },
    ],
  }),
  device('VLANs', {
    interface: 'eth0',
    vlans: [
      { vlanId: 5, addresses: ['10.0.0.1/24'] },
      { vlanId: 6, addresses: ['x', '10.0.0.0/99'] },
      { vlanId: 7, cidr: '10.0.0.1/24', addresses: ['10.0.0.1/24'] },
      { cidr: 'y' },
    ],
  }),
  device(
    'bridges and bonds',
    { interface: 'br0', bridge: { interfaces: ['eth0', 'eth1'] } },
    { interface: 'bond0', bond: { interfaces: ['eth1', 'eth2'] } },
    { interface: 'eth2', dhcp: true },
    { interface: 'eth0', addresses: ['10.0.0.1'] },
    { interface: 'eth1', vip: { ip: '10.0.0.1' } },
  ),
  device('a bridge that is a bond', {
    interface: 'x',
    bridge: { interfaces: ['a'] },
    bond: { interfaces: ['b'], deviceSelectors: [{ busPath: '0*' }] },
  }),
]

const bonds: LegacyCase[] = [
  bond('with everything', {
    mode: '802.3ad',
    xmitHashPolicy: 'layer3+4',
    lacpRate: 'fast',
    adSelect: 'bandwidth',
    miimon: 100,
    updelay: 200,
    downdelay: 0,
    adActorSysPrio: 1,
    adUserPortKey: 2,
  }),
  bond('odd words', {
    mode: 'x1',
    xmitHashPolicy: 'x2',
    lacpRate: 'x3',
    arpValidate: 'x4',
    arpAllTargets: 'x5',
    primaryReselect: 'x6',
    failOverMac: 'x7',
    adSelect: 'x8',
  }),
  bond('delays without monitoring', { updelay: 1, downdelay: 1 }),
  bond('delays between two looks', { miimon: 100, updelay: 150, downdelay: 99 }),
  bond('what is not supported', { arpIPTarget: ['10.0.0.1'], adActorSystem: 'x' }),
  ...['balance-rr', 'active-backup', 'balance-xor', '802.3ad', 'balance-tlb', 'balance-alb'].map(
    (mode) =>
      bond(`everything in ${mode}`, {
        mode,
        lacpRate: 'slow',
        arpValidate: 'none',
        primary: 'eth0',
        arpInterval: 1,
        packetsPerSlave: 2,
        tlbDynamicLb: 1,
        adActorSysPrio: 1,
        adUserPortKey: 1,
      }),
  ),
]

const wireguards: LegacyCase[] = [
  device('wireguard', {
    interface: 'wg0',
    wireguard: {
      privateKey: KEY,
      peers: [{ publicKey: KEY, endpoint: '[fd00::1]:51820', allowedIPs: ['10.0.0.0/8'] }],
    },
  }),
  device('wireguard without a key', { interface: 'wg0', wireguard: {} }),
  device('wireguard with odd peers', {
    interface: 'wg0',
    wireguard: {
      privateKey: KEY,
      peers: [
        { publicKey: 'QUFB' },
        { publicKey: 'a' },
        { publicKey: KEY, endpoint: 'a.example', allowedIPs: ['10.0.0.1', 'x/8'] },
        { publicKey: KEY, endpoint: '[fd00::1::]:5' },
        { publicKey: KEY, endpoint: 'fd00::1:5' },
        { publicKey: KEY, endpoint: '[x]:' },
      ],
    },
  }),
]

const kubeSpans: LegacyCase[] = [
  controlPlane('KubeSpan', {
    'machine.network.kubespan': {
      enabled: true,
      mtu: 1280,
      filters: { endpoints: ['0.0.0.0/0', '!::/0'], excludeAdvertisedNetworks: ['10.0.0.0/8'] },
    },
  }),
  controlPlane('KubeSpan with everything wrong', {
    'machine.network.kubespan': {
      enabled: true,
      mtu: 1279,
      filters: { endpoints: ['x', '!y'], excludeAdvertisedNetworks: ['10.0.0.1', '!::/0'] },
    },
    'cluster.discovery': undefined,
    'cluster.id': undefined,
    'cluster.secret': undefined,
  }),
  controlPlane('KubeSpan, off', { 'machine.network.kubespan': { enabled: false, mtu: 5 } }),
  worker('KubeSpan without a cluster', {
    'machine.network.kubespan': { enabled: true },
    cluster: undefined,
  }),
]

/** Good and bad settings of the network of a machine. */
export const networkCases: readonly LegacyCase[] = [...links, ...bonds, ...wireguards, ...kubeSpans]
