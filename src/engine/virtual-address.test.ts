import { describe, expect, test } from 'vitest'
import { aMachineSpec } from './pool.cases.ts'
import { isVirtualAddress } from './virtual-address.ts'

const VIP = '10.0.0.1'
const SIX = '2001:db8::1'

const isNamed = (patch: unknown, address = VIP): boolean =>
  isVirtualAddress(address, [undefined, aMachineSpec({ configPatches: [{ patch }] })])

/** `machine.network.interfaces`, as Talos documents a virtual IP. */
const withVip = (ip: string) => ({
  machine: { network: { interfaces: [{ interface: 'eth0', dhcp: true, vip: { ip } }] } },
})
const withAddress = (address: string) => ({
  machine: { network: { interfaces: [{ interface: 'eth1', addresses: [address] }] } },
})
const document = (name: string) => ({
  ...{ apiVersion: 'v1alpha1', kind: 'Layer2VIPConfig', name, link: 'eth0' },
})
const manifest = `apiVersion: v1
kind: Pod
spec:
  containers:
    - env: [{ name: address, value: "${VIP}" }]
`

describe('an address moves from machine to machine', () => {
  test.each<[string, unknown, string?]>([
    ['as vip of an interface', withVip(VIP)],
    ['as vip in another spelling', withVip('2001:0db8:0:0:0:0:0:1'), SIX],
    ['as vip, when the endpoint is in another spelling', withVip(SIX), '2001:DB8::0:1'],
    ['as vip in a patch that is a text', `machine:\n  network:\n    vip: {ip: ${VIP}}\n`],
    ['as vip in a JSON patch', [{ op: 'add', path: '/a', value: { vip: { ip: VIP } } }]],
    ['as vip in a JSON patch that is a text', `[{"op":"add","path":"/a","value":"${VIP}"}]`],
    ['by a document in a patch', document(VIP)],
    [
      'in a manifest that is in a patch',
      { cluster: { inlineManifests: [{ contents: manifest }] } },
    ],
    ['as an argument', { command: ['kube-vip', `--address=${VIP}`] }],
    ['in a text that is no YAML', `vip: ${VIP}\n\tdev eth0 {`],
    ['beside a certificate that names it, too', [withVip(VIP), { certSANs: [VIP] }]],
  ])('%s', (_, patch, address) => {
    expect(isNamed(patch, address)).toBe(true)
  })

  test('by a document of its own', () => {
    const spec = aMachineSpec({ additionalConfig: [document(VIP)] })

    expect(isVirtualAddress(VIP, [spec])).toBe(true)
  })
})

describe('an address stays with its machine', () => {
  test.each<[string, unknown, string?]>([
    ['of which another one begins with it', withVip('10.0.0.10')],
    ['of which another one ends with it', withVip('110.0.0.1')],
    ['of which a longer one has it in it', withVip(`${SIX}0`), SIX],
    ['which a link has for itself', withAddress(`${VIP}/24`)],
    ['which is called', { machine: { registries: { mirror: `http://${VIP}:5000` } } }],
    ['which is called at a port', { time: { servers: [`${VIP}:123`] } }],
    ['which is called at a port, in brackets', { endpoint: `https://[${SIX}]:6443` }, SIX],
    ['which a certificate names', { cluster: { apiServer: { certSANs: [VIP] } } }],
    ['which a certificate names, by a text', `cluster:\n  apiServer:\n    certSANs: [${VIP}]\n`],
    ['which a comment names', `machine: {} # was ${VIP} once\n`],
    ['which is a key', { sysctls: { [VIP]: '1' } }],
    ['of which nothing is written', undefined],
  ])('%s', (_, patch, address) => {
    expect(isNamed(patch, address)).toBe(false)
  })

  test('which is the gateway or the image of its machine', () => {
    const meta = { gateway: VIP, dnsServers: [VIP] }

    expect(isVirtualAddress(VIP, [aMachineSpec({ meta, image: VIP })])).toBe(false)
  })

  test('though a name has it in it', () => {
    expect(isNamed({ name: 'api.example' }, 'api.example')).toBe(false)
  })
})
