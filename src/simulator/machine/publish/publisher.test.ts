import { expect, it } from 'vitest'
import { aFleet, applying, configText, upgrading } from '#simulator/fleet/a-fleet.cases.ts'
import type { SimulatedMachine } from '#simulator/machine/simulated-machine.ts'
import { FakeClock } from '#test/fake-clock.ts'
import { definitionFor, definitions } from './definitions.ts'

const UNATTENDED = 'runtime/UnattendedInstallStatuses.runtime.talos.dev/unattended-install'

const DISK = 'provisioning: {diskSelector: {match: disk.dev_path == "/dev/sda"}}\n'

const shownBy = (machine: SimulatedMachine | undefined) =>
  definitions.filter(
    ({ type, defaultNamespace }) =>
      (machine?.resources.list(defaultNamespace, type).length ?? 0) > 0,
  )

const specOf = (machine: SimulatedMachine | undefined, place: string) => {
  const [namespace = '', type = '', ...id] = place.split('/')
  return machine?.resources.get(namespace, type, id.join('/'))?.spec
}

it('a machine in maintenance mode shows what it is made of', async () => {
  const { boot } = aFleet(new FakeClock())
  const [machine] = await boot(1, { schematic: 'a'.repeat(64) })

  expect(
    specOf(machine, 'hardware/SystemInformations.hardware.talos.dev/systeminformation'),
  ).toMatchObject({ uuid: machine?.hardware.uuid })
  expect(specOf(machine, 'runtime/MachineStatuses.runtime.talos.dev/machine')).toEqual({
    stage: 'maintenance',
    status: { ready: true, unmetConditions: [] },
  })
  expect(specOf(machine, 'runtime/ExtensionStatuses.runtime.talos.dev/0')).toMatchObject({
    metadata: { name: 'schematic', version: 'a'.repeat(64) },
  })
  expect(specOf(machine, 'runtime/Disks.block.talos.dev/sda')).toMatchObject({
    dev_path: '/dev/sda',
    pretty_size: '43 GB',
  })
  expect(specOf(machine, 'network/NodeAddresses.net.talos.dev/current')).toEqual({
    addresses: ['10.0.0.1/24'],
    sortAlgorithm: 'v1',
  })
  expect(specOf(machine, 'config/MachineTypes.config.talos.dev/machine-type')).toBe('unknown')
  expect(specOf(machine, 'runtime/VolumeStatuses.block.talos.dev/STATE')).toMatchObject({
    phase: 'missing',
  })
})

it('a control plane that runs shows everything that is worth reading', async () => {
  const { cluster } = aFleet(new FakeClock())
  const [machine] = await cluster(1, 0)
  const types = shownBy(machine).map(({ type }) => type.split('.')[0])

  expect(types).toEqual(
    expect.arrayContaining([
      ...['MachineStatuses', 'MachineConfigs', 'MachineTypes', 'Members', 'Affiliates'],
      ...['Identities', 'Infos', 'NodeAddresses', 'HostnameStatuses', 'AddressStatuses'],
      ...['LinkStatuses', 'RouteStatuses', 'ResolverStatuses', 'NetworkStatuses', 'TimeStatuses'],
      ...['Services', 'Versions', 'SecurityStates', 'PlatformMetadatas', 'Disks', 'SystemDisks'],
      ...['DiscoveredVolumes', 'VolumeStatuses', 'SystemInformations', 'Processors'],
      ...['MemoryModules', 'EtcdMembers', 'EtcdSpecs', 'PKIStatuses', 'Nodenames', 'NodeStatuses'],
      ...['NodeIPs', 'KubeletSpecs', 'StaticPods', 'StaticPodStatuses', 'APIServerConfigs'],
      ...['ControllerManagerConfigs', 'SchedulerConfigs', 'ConfigStatuses', 'SecretStatuses'],
      ...['ManifestStatuses', 'KubePrismStatuses', 'Endpoints', 'KubernetesAccessConfigs'],
    ]),
  )
  expect(specOf(machine, `cluster/Members.cluster.talos.dev/${machine?.hostname}`)).toMatchObject({
    operatingSystem: 'Talos (v1.13.0)',
    machineType: 'controlplane',
  })
  const id = machine?.etcd?.id.toString(16).padStart(16, '0')
  expect(specOf(machine, 'etcd/EtcdMembers.etcd.talos.dev/local')).toEqual({ memberID: id })
})

it('everything shown is of a type that the catalogue of that version has, in its namespace', async () => {
  for (const talosVersion of ['v1.5.0', 'v1.8.0', 'v1.14.0']) {
    const { cluster } = aFleet(new FakeClock())
    const kubernetesVersion = { 'v1.5.0': '1.28.0', 'v1.8.0': '1.31.0' }[talosVersion] ?? '1.36.0'
    const [machine] = await cluster(1, 0, { talosVersion, kubernetesVersion })
    const minor = Number(talosVersion.split('.')[1])
    const catalogue = machine?.resources.list('meta', 'ResourceDefinitions.meta.cosi.dev')

    expect(machine?.stage, talosVersion).toBe('running')
    for (const { type } of shownBy(machine)) expect(definitionFor(type, minor), type).toBeDefined()
    expect(catalogue?.length).toBe(definitions.filter(({ since }) => since <= minor).length)
  }
})

it('a type has the names that clients look for', () => {
  expect(definitionFor('MachineStatuses.runtime.talos.dev', 13)?.resource).toEqual({
    namespace: 'meta',
    type: 'ResourceDefinitions.meta.cosi.dev',
    id: 'machinestatuses.runtime.talos.dev',
    spec: {
      type: 'MachineStatuses.runtime.talos.dev',
      displayType: 'MachineStatus',
      defaultNamespace: 'runtime',
      aliases: ['machinestatus', 'ms'],
      allAliases: [
        ...['machinestatuses', 'machinestatuses.runtime', 'machinestatuses.runtime.talos'],
        ...['machinestatus', 'ms'],
      ],
      printColumns: [
        { name: 'Stage', jsonPath: '{.stage}' },
        { name: 'Ready', jsonPath: '{.status.ready}' },
      ],
    },
  })
  expect(definitionFor('MachineConfigs.config.talos.dev', 13)?.isSensitive).toBe(true)
  expect(definitionFor('Disks.block.talos.dev', 7)).toBeUndefined()
  expect(definitionFor('constructor', 13)).toBeUndefined()
})

it('a service is shown only while it runs, and the status says what is missing', async () => {
  const { boot, seconds } = aFleet(new FakeClock())
  const [machine] = await boot(1)
  machine?.applyConfiguration(applying(configText('controlplane')))
  await seconds(90)

  expect(specOf(machine, 'runtime/Services.v1alpha1.talos.dev/etcd')).toBeUndefined()
  expect(specOf(machine, 'runtime/Services.v1alpha1.talos.dev/apid')).toEqual({
    running: true,
    healthy: true,
    unknown: false,
  })
  expect(specOf(machine, 'runtime/MachineStatuses.runtime.talos.dev/machine')).toEqual({
    stage: 'booting',
    status: {
      ready: false,
      unmetConditions: [
        { name: 'services', reason: 'kubelet not healthy, etcd not running' },
        { name: 'nodeReady', reason: `node "${machine?.hostname}" status is not available yet` },
      ],
    },
  })
})

it('a changed image of a component counts its configuration up, and its pod hears of it', async () => {
  const { cluster, seconds, kubernetes } = aFleet(new FakeClock())
  const [machine] = await cluster(1, 0)
  const versions = () => {
    const [facts] = [...(kubernetes[0]?.controlPlanes.values() ?? [])]
    return Object.values(facts?.components ?? {}).map(({ configVersion }) => configVersion)
  }
  const before = versions()
  const text = configText('controlplane').replace(
    'kube-scheduler:v1.35.0',
    'kube-scheduler:v1.35.1',
  )
  machine?.applyConfiguration(applying(text))
  await seconds(5)

  expect(before).toEqual(['1', '1', '1'])
  expect(versions()).toEqual(['1', '1', '2'])
})

it('a machine lists the extensions of its schematic, and loses those that the next image lacks', async () => {
  const [rich, poor] = ['a'.repeat(64), 'b'.repeat(64)]
  const extensions = new Map([[rich, ['iscsi-tools', 'util-linux-tools']]])
  const { cluster, seconds } = aFleet(new FakeClock(), { extensions })
  const image = (schematic: string, version: string) =>
    `factory.talos.dev/metal-installer/${schematic}:${version}`
  const [machine] = await cluster(1, 0, { install: { image: image(rich, 'v1.13.0') } })
  const listed = () =>
    machine?.resources
      .list('runtime', 'ExtensionStatuses.runtime.talos.dev')
      .map(({ id, spec }) => [id, Object(spec).metadata.name])
  const before = listed()
  const upgrade = machine?.upgrade(upgrading('v1.13.4', { image: image(poor, 'v1.13.4') }))
  await seconds(150)
  await upgrade

  expect(before).toEqual([
    ['0', 'iscsi-tools'],
    ['1', 'util-linux-tools'],
    ['2', 'schematic'],
  ])
  expect([machine?.talosVersion, listed()]).toEqual(['v1.13.4', [['0', 'schematic']]])
})

it('v1.14 asks for a restart after an unattended installation, and for no configuration', async () => {
  const { boot, seconds, fleet } = aFleet(new FakeClock())
  const own = { talosVersion: 'v1.14.0' }
  const [machine] = await boot(1, own)
  const shown = () => [
    Object(specOf(machine, UNATTENDED)).phase,
    specOf(machine, 'runtime/RebootRequests.runtime.talos.dev/reboot-request'),
  ]
  const seen: unknown[] = []
  fleet.onChange(() => seen.push(shown()))
  const legacy = configText('controlplane', own).replace(/^ {4}install:\n( {8}.*\n)+/m, '')
  const text = `${legacy}---\napiVersion: v1alpha1\nkind: UnattendedInstallConfig\n${DISK}`
  machine?.applyConfiguration(applying(text))
  await seconds(120)
  const booted = shown()
  machine?.applyConfiguration(
    applying(text.replace(/^ {4}type: /m, '    udev:\n        rules: [x]\n    type: ')),
  )
  await seconds(1)

  expect(seen).toContainEqual(['waiting-for-reboot', {}])
  expect([booted, shown()]).toEqual([
    ['installed', undefined],
    ['installed', undefined],
  ])
})
