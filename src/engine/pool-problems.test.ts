import { describe, expect, test } from 'vitest'
import { aBundle } from '#machineconfig/generate/a-cluster.cases.ts'
import { aControlPlane, aMachineSpec, aWorker } from './pool.cases.ts'
import type { PoolInput } from './pool-input.ts'
import { poolProblem } from './pool-problems.ts'

type Spec = Parameters<typeof aControlPlane>[0]
type MetalSpec = NonNullable<NonNullable<Spec>['metalSpec']>

const pool = (spec: Spec = {}, more: Partial<PoolInput> = {}): PoolInput => ({
  controlPlane: aControlPlane(spec),
  bundle: aBundle,
  ...more,
})

const metal = (metalSpec: MetalSpec, more: Partial<PoolInput> = {}) => pool({ metalSpec }, more)

const machines = (...addresses: string[]) =>
  metal({ machines: addresses.map((address) => ({ address })) })

const CONFIG_REF = { name: 'mine', key: 'cp.yaml' }

const workers = (spec: Parameters<typeof aWorker>[0], of: Spec = {}): PoolInput => ({
  ...pool(of),
  worker: aWorker(spec),
})

describe('nothing is wrong with', () => {
  test.each<[string, PoolInput]>([
    ['one control plane', pool()],
    ['three machines of both families', machines('192.0.2.1', '192.0.2.2', '2001:db8::1')],
    ['a pool of workers', workers({})],
    ['a pool without workers', workers({ metalSpec: { machines: [] } })],
    [
      'ranges of both families',
      pool({
        podCIDR: ['10.1.0.0/16', 'fd00:1::/56'],
        serviceCIDR: ['10.2.0.0/16', 'fd00:2::/112'],
      }),
    ],
    [
      'the default range moved out of the way by a patch',
      metal({
        machines: [{ address: '10.96.0.5' }],
        machineSpec: aMachineSpec({
          configPatches: [{ cluster: { network: { serviceSubnets: ['172.20.0.0/16'] } } }],
        }),
      }),
    ],
    [
      'the host name of the only machine',
      metal({
        machines: [{ address: '192.0.2.1' }],
        machineSpec: aMachineSpec({ meta: { hostname: 'one' } }),
      }),
    ],
    [
      'a host name that is written to no machine',
      {
        ...metal({
          machines: [{ address: '192.0.2.1' }, { address: '192.0.2.2' }],
          machineSpec: aMachineSpec({ meta: { hostname: 'one' } }),
        }),
        isMetaWritten: false,
      },
    ],
    [
      'an object whose address is not known yet',
      metal(
        { machines: [{ machineRef: { kind: 'Node', name: 'a' } }] },
        { addresses: [undefined] },
      ),
    ],
    [
      'workers whose defaults are ahead',
      workers({}, { version: 'v1.12.0', kubeVersion: 'v1.34.0' }),
    ],
    ['an endpoint by name', pool({ endpoint: 'https://api.example.org' })],
    [
      'Services of one of the two families that pods have',
      pool({ podCIDR: ['10.1.0.0/16', 'fd00:1::/56'], serviceCIDR: ['fd00:2::/112'] }),
    ],
    ['a configRef that may lead nowhere', pool({ configRef: { ...CONFIG_REF, optional: true } })],
    [
      'pools of workers with machines of their own',
      pool({}, { workers: [aWorker(), aWorker({ metalSpec: { machines: [] } })] }),
    ],
    ['an IPv6 endpoint', pool({ endpoint: 'https://[2001:db8::1]:6443' })],
  ])('%s', (_, input) => {
    expect(poolProblem(input)).toBeUndefined()
  })
})

describe('it is a problem with machines', () => {
  test.each<[string, PoolInput, string, string]>([
    ['that there are none', machines(), 'NoMachines', 'Add one'],
    [
      'that two are one',
      machines('192.0.2.1', '192.0.2.2', '192.0.2.1'),
      'AddressDuplicate',
      'spec.metalSpec.machines[0] and spec.metalSpec.machines[2] are the same machine, 192.0.2.1. Remove one of them.',
    ],
    [
      'that two are one in IPv6',
      machines('2001:db8::1', '2001:DB8:0:0::0001'),
      'AddressDuplicate',
      '2001:db8::1',
    ],
    [
      'that an object leads to another one',
      metal(
        { machines: [{ address: '192.0.2.1' }, { machineRef: { kind: 'Node', name: 'a' } }] },
        { addresses: ['192.0.2.1', '::ffff:192.0.2.1'] },
      ),
      'AddressDuplicate',
      'machines[1]',
    ],
    [
      'that a worker is one of the control plane',
      workers({ metalSpec: { machines: [{ address: '::ffff:192.0.2.1' }] } }),
      'AddressDuplicate',
      'spec.metalSpec.machines[0] of TalosControlPlane prod and spec.metalSpec.machines[0] are the same machine, 192.0.2.1. Remove one of them.',
    ],
    [
      'that one of the control plane is a worker',
      { ...machines('192.0.2.1', '192.0.2.21'), workers: [aWorker()] },
      'AddressDuplicate',
      'spec.metalSpec.machines[0] of TalosWorker pool and spec.metalSpec.machines[1] are the same machine, 192.0.2.21.',
    ],
    [
      'that two have one UUID',
      metal({
        machines: [
          { address: '192.0.2.1', uuid: 'AA00' },
          { address: '192.0.2.2', uuid: 'aa00' },
        ],
      }),
      'UuidDuplicate',
      'spec.metalSpec.machines[0] and spec.metalSpec.machines[1] are the same machine, uuid aa00. Remove one of them, or correct its uuid.',
    ],
    [
      'that a worker is one of the control plane by its UUID',
      workers(
        { metalSpec: { machines: [{ address: '192.0.2.21', uuid: 'aa00' }] } },
        { metalSpec: { machines: [{ address: '192.0.2.1', uuid: 'AA00' }] } },
      ),
      'UuidDuplicate',
      'spec.metalSpec.machines[0] of TalosControlPlane prod and spec.metalSpec.machines[0] are the same machine, uuid aa00.',
    ],
    [
      'that an address is none',
      machines('999.0.0.1'),
      'AddressInvalid',
      'spec.metalSpec.machines[0]: "999.0.0.1" is no IP address',
    ],
    [
      'that an address is nobody',
      machines('0.0.0.0'),
      'AddressInvalid',
      'no machine in particular',
    ],
    [
      'that two would have one name',
      metal({
        machines: [
          { machineRef: { kind: 'Node', name: 'a' } },
          { machineRef: { kind: 'Server', name: 'a' } },
        ],
      }),
      'MachineNameDuplicate',
      'TalosMachine prod-a',
    ],
    [
      'that they share a host name',
      metal({
        machines: [{ address: '192.0.2.1' }, { address: '192.0.2.2' }],
        machineSpec: aMachineSpec({ meta: { hostname: 'one' } }),
      }),
      'HostnameShared',
      'configPatches',
    ],
    [
      'that META is wrong',
      metal({
        machines: [{ address: '192.0.2.1' }],
        machineSpec: aMachineSpec({ meta: { interface: 'eth0', subnet: 99 } }),
      }),
      'MetaInvalid',
      'spec.metalSpec.machines[0]: machineSpec.meta: subnet',
    ],
  ])('%s', (_, input, ...[reason, message]) => {
    expect(poolProblem(input)).toEqual({ reason, message: expect.stringContaining(message) })
  })
})

describe('it is a problem with networks', () => {
  test.each<[string, Spec, string, string]>([
    [
      'that the endpoint is not served with TLS',
      { endpoint: 'http://192.0.2.10:6443' },
      'EndpointInvalid',
      'should have scheme https://; try: "https://192.0.2.10:6443"',
    ],
    [
      'that the endpoint is no URL',
      { endpoint: '192.0.2.10' },
      'EndpointInvalid',
      'no scheme and port specified',
    ],
    [
      'that the endpoint has no such port',
      { endpoint: 'https://192.0.2.10:99999' },
      'EndpointInvalid',
      'port number must be between',
    ],
    [
      'that the endpoint is no address',
      { endpoint: 'https://192.0.2.300:6443' },
      'EndpointInvalid',
      '192.0.2.300 is no IP address',
    ],
    [
      'that a prefix is too long',
      { podCIDR: ['10.0.0.0/33'] },
      'CidrInvalid',
      'spec.podCIDR[0]: 10.0.0.0/33 is no address range',
    ],
    [
      'that an address is none',
      { serviceCIDR: ['10.0.0.300/16'] },
      'CidrInvalid',
      'spec.serviceCIDR[0]',
    ],
    [
      'that a range is neither IPv4 nor IPv6',
      { serviceCIDR: ['::ffff:10.0.0.0/104'] },
      'CidrInvalid',
      'is no address range',
    ],
    [
      'that bits follow the prefix',
      { podCIDR: ['10.244.3.1/16'] },
      'CidrInvalid',
      'has bits set after its prefix. Write 10.244.0.0/16.',
    ],
    [
      'that bits follow the prefix in IPv6',
      { podCIDR: ['fd00:1:2:3::1/64'] },
      'CidrInvalid',
      'Write fd00:1:2:3::/64.',
    ],
    [
      'that there are two of a family',
      { podCIDR: ['10.1.0.0/16', '10.2.0.0/16'] },
      'CidrInvalid',
      'spec.podCIDR[0] and spec.podCIDR[1] are both IPv4',
    ],
    [
      'that pods and Services overlap',
      { podCIDR: ['10.0.0.0/8'], serviceCIDR: ['10.2.0.0/16'] },
      'CidrOverlap',
      'spec.podCIDR[0] (10.0.0.0/8) and spec.serviceCIDR[0] (10.2.0.0/16)',
    ],
    [
      'that pods overlap with the default of Services',
      { podCIDR: ['10.96.0.0/16'] },
      'CidrOverlap',
      'the range of Services (10.96.0.0/12)',
    ],
    [
      'that pods and Services have no family in common',
      { podCIDR: ['fd00:1::/56'], serviceCIDR: ['10.96.0.0/12'] },
      'CidrInvalid',
      'pods get IPv6 addresses and Services IPv4 ones, so that no Service would lead to a pod. Set spec.podCIDR and spec.serviceCIDR',
    ],
    [
      'that a machine is where the Services are',
      { metalSpec: { machines: [{ address: '192.0.2.1' }, { address: '10.100.0.1' }] } },
      'AddressInClusterNetwork',
      'spec.metalSpec.machines[1]: 10.100.0.1 lies in 10.96.0.0/12',
    ],
  ])('%s', (_, spec, ...[reason, message]) => {
    expect(poolProblem(pool(spec))).toEqual({ reason, message: expect.stringContaining(message) })
  })
})

describe('it is a problem with versions', () => {
  test.each<[string, PoolInput, string, string]>([
    [
      'that Talos is too new for us',
      pool({ version: 'v1.99.0' }),
      'TalosVersionUnsupported',
      'spec.version: Talos 1.99.0 is not served: only v1.5 to v1.14 are',
    ],
    [
      'that the Talos of one machine is',
      metal({ machines: [{ address: '192.0.2.1', version: 'v1.4.0' }] }),
      'TalosVersionUnsupported',
      'spec.metalSpec.machines[0].version: Talos 1.4.0',
    ],
    [
      'that they do not go together',
      pool({ kubeVersion: 'v1.30.0' }),
      'KubernetesVersionUnsupported',
      'spec.version and spec.kubeVersion: version of Kubernetes 1.30.0 is too old to be used with Talos 1.13.0',
    ],
    [
      'that one machine is too old for Kubernetes',
      metal({ machines: [{ address: '192.0.2.1', version: 'v1.11.0' }] }),
      'KubernetesVersionUnsupported',
      'too new to be used with Talos 1.11.0',
    ],
    [
      'that workers are too new for their kubelets',
      workers({ version: 'v1.13.0', kubeVersion: 'v1.30.0' }),
      'KubernetesVersionUnsupported',
      '1.30.0 is too old',
    ],
    [
      'that the Talos of workers is ahead',
      workers({ version: 'v1.13.1' }),
      'WorkerAheadOfControlPlane',
      'spec.version is v1.13.1, ahead of the v1.13.0 of TalosControlPlane prod. Set it to v1.13.0',
    ],
    [
      'that the Kubernetes of workers is ahead',
      workers({ kubeVersion: 'v1.35.1' }),
      'WorkerAheadOfControlPlane',
      'spec.kubeVersion is v1.35.1',
    ],
  ])('%s', (_, input, ...[reason, message]) => {
    expect(poolProblem(input)).toEqual({ reason, message: expect.stringContaining(message) })
  })
})

describe('it is a problem with configurations', () => {
  const patch = { machine: { env: { A: '1' } } }
  const wrong = { machine: { nope: 'hunter2' } }
  const shared = aMachineSpec({ configPatches: [patch], additionalConfig: [] })

  test.each<[string, MetalSpec, string]>([
    [
      'that a patch of all machines does not apply',
      {
        machines: [{ address: '192.0.2.1' }],
        machineSpec: aMachineSpec({ configPatches: [patch, wrong] }),
      },
      'spec.metalSpec.machineSpec.configPatches[1]: ',
    ],
    [
      'that a patch is of nothing that Talos knows',
      {
        machines: [{ address: '192.0.2.1' }],
        machineSpec: aMachineSpec({ configPatches: [{ machin: {} }] }),
      },
      'missing kind: a patch begins with `machine` or `cluster`',
    ],
    [
      'that a patch of one machine does not apply',
      {
        machines: [
          { address: '192.0.2.1' },
          { address: '192.0.2.2', configPatches: [patch, wrong] },
        ],
        machineSpec: shared,
      },
      'spec.metalSpec.machines[1].configPatches[1]: ',
    ],
    [
      'that a document is none',
      {
        machines: [
          { address: '192.0.2.1', additionalConfig: [{ kind: 'Nope', apiVersion: 'v1alpha1' }] },
        ],
        machineSpec: shared,
      },
      'spec.metalSpec.machines[0].additionalConfig[0]: ',
    ],
    [
      'that Talos would refuse it',
      {
        machines: [
          { address: '192.0.2.1', configPatches: [{ machine: { nodeTaints: { a: 'b:Never' } } }] },
        ],
      },
      'v1alpha1.Config: ',
    ],
  ])('%s', (_, spec, message) => {
    const problem = poolProblem(metal(spec))

    expect(problem).toEqual({ reason: 'ConfigInvalid', message: expect.stringContaining(message) })
    expect(problem?.message).toMatch(/^spec\.metalSpec\..* Correct [^\n]+\.$/)
    expect(problem?.message).not.toMatch('hunter2')
  })

  test('that what configRef leads to is none', () => {
    expect(poolProblem(pool({}, { configText: 'nonsense' }))).toMatchObject({
      reason: 'ConfigRefInvalid',
      message: expect.stringContaining('configRef: '),
    })
  })

  test('that configRef leads nowhere', () => {
    expect(poolProblem(pool({ configRef: CONFIG_REF }))).toEqual({
      reason: 'ConfigRefMissing',
      message:
        'spec.configRef: there is no ConfigMap mine with a key cp.yaml in this namespace. Create it, or take configRef out.',
    })
    expect(poolProblem(workers({ configRef: CONFIG_REF }))?.reason).toBe('ConfigRefMissing')
    expect(poolProblem(workers({}, { configRef: CONFIG_REF }))).toBeUndefined()
  })

  test('of workers, that their control plane is wrong', () => {
    expect(poolProblem(workers({}, { endpoint: 'http://192.0.2.10' }))).toEqual({
      reason: 'ControlPlaneInvalid',
      message: expect.stringMatching(
        /^TalosControlPlane prod has to be corrected first: spec.endpoint: /,
      ),
    })
  })

  test('of workers, judged with their control plane', () => {
    expect(poolProblem(workers({}, { cni: { name: 'custom' } }))).toMatchObject({
      reason: 'ConfigInvalid',
    })
  })

  test('only once there are secrets to make them with', () => {
    const { bundle: _, ...early } = metal({
      machines: [{ address: '192.0.2.1', configPatches: [wrong] }],
    })

    expect(poolProblem(early)).toBeUndefined()
  })

  test('even when there is no spec at all, nothing is thrown', () => {
    const { spec: _, ...controlPlane } = aControlPlane()

    expect(poolProblem({ controlPlane, bundle: aBundle })).toHaveProperty('reason', 'NoMachines')
    expect(poolProblem({ controlPlane, worker: aWorker(), bundle: aBundle })).toMatchObject({
      message: 'TalosControlPlane prod has no spec. Give it one.',
    })
  })
})
