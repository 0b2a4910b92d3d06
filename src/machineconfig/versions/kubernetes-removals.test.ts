import { describe, expect, test } from 'vitest'
import { aCluster } from '#machineconfig/generate/a-cluster.cases.ts'
import { generateConfig } from '#machineconfig/generate/generate-config.ts'
import type { MachineConfig } from '#machineconfig/machine-config.ts'
import { readConfig } from '#machineconfig/read/read-config.ts'
import { removedInUse, removedResources } from './kubernetes-removals.ts'

const read = (text: string): MachineConfig => readConfig(text, { talosVersion: 'v1.14.0' })

const controlPlane = (cluster: string, kubelet = '{}'): MachineConfig =>
  read(`machine:\n  type: controlplane\n  kubelet: ${kubelet}\ncluster:\n  ${cluster}\n`)

const document = (kind: string, fields: string): MachineConfig =>
  read(
    `machine:\n  type: controlplane\n---\napiVersion: v1alpha1\nkind: ${kind}\nimage: a:v1.31.0\n${fields}`,
  )

/** From the last patch of the minor version before to the first of this one. */
const into = (minor: number) => ({ from: `v1.${minor - 1}.9`, to: `1.${minor}.0` })

describe('what a configuration uses and the next version has not', () => {
  const used = (config: MachineConfig, minor: number): string[] =>
    removedInUse(config, into(minor)).map(
      ({ component, kind, name, path }) => `${component}: ${kind} ${name} at ${path}`,
    )

  test.each<[number, string, string]>([
    [25, 'apiServer', 'service-account-api-audiences'],
    [25, 'controllerManager', 'register-retry-count'],
    [26, 'apiServer', 'master-service-namespace'],
    [27, 'controllerManager', 'pod-eviction-timeout'],
    [31, 'controllerManager', 'horizontal-pod-autoscaler-upscale-delay'],
    [33, 'apiServer', 'cloud-config'],
  ])('is a flag in v1.%i: %s --%s', (minor, component, flag) => {
    const config = controlPlane(`${component}: {extraArgs: {v: "4", ${flag}: x}}`)

    expect(used(config, minor)).toEqual([
      `${component}: flag ${flag} at cluster.${component}.extraArgs.${flag}`,
    ])
    expect(used(config, minor - 1)).toEqual([])
    expect(used(config, minor + 1)).toEqual([])
  })

  test.each<[number, string]>([
    [27, 'container-runtime'],
    [31, 'iptables-drop-bit'],
    [34, 'cloud-config'],
    [35, 'pod-infra-container-image'],
    [37, 'storage-driver-db'],
  ])('is a flag of the kubelet in v1.%i: --%s', (minor, flag) => {
    const machines = [
      controlPlane('{}', `{extraArgs: {${flag}: x}}`),
      read(`machine:\n  type: worker\n  kubelet: {extraArgs: {${flag}: x}}\n`),
    ]

    for (const config of machines) {
      expect(used(config, minor)).toEqual([
        `kubelet: flag ${flag} at machine.kubelet.extraArgs.${flag}`,
      ])
    }
  })

  test('is a flag that is written with underscores', () => {
    expect(used(controlPlane('apiServer: {extraArgs: {cloud_config: x}}'), 33)).toEqual([
      'apiServer: flag cloud-config at cluster.apiServer.extraArgs.cloud_config',
    ])
  })

  test('is not the flag of another component', () => {
    expect(used(controlPlane('scheduler: {extraArgs: {cloud-config: x}}'), 33)).toEqual([])
  })

  test.each(['apiServer', 'controllerManager', 'scheduler', 'proxy'])(
    'is a feature gate of %s, on or off, among others',
    (component) => {
      const gates = '"KMSv2=true, Other=true,KMSv2KDF=false"'
      const path = `cluster.${component}.extraArgs.feature-gates`

      expect(
        used(controlPlane(`${component}: {extraArgs: {feature-gates: ${gates}}}`), 32),
      ).toEqual([
        `${component}: feature gate KMSv2 at ${path}`,
        `${component}: feature gate KMSv2KDF at ${path}`,
      ])
    },
  )

  test('is a feature gate of the kubelet, as an argument and in its file', () => {
    const kubelet =
      '{extraArgs: {feature-gates: CPUManager=true}, extraConfig: {featureGates: {AppArmor: true, Other: true}}}'

    expect(used(controlPlane('{}', kubelet), 33)).toEqual([
      'kubelet: feature gate CPUManager at machine.kubelet.extraArgs.feature-gates',
      'kubelet: feature gate AppArmor at machine.kubelet.extraConfig.featureGates.AppArmor',
    ])
  })

  test('is in any item of an argument that is given more than once', () => {
    const config = controlPlane(
      'apiServer: {extraArgs: {feature-gates: ["Other=true", "AppArmor=true,CPUManager=true"]}}',
    )

    expect(removedInUse(config, into(33)).map(({ name }) => name)).toEqual([
      'AppArmor',
      'CPUManager',
    ])
  })

  test('is an admission plugin, switched on, off or configured', () => {
    const config = controlPlane(
      'apiServer: {extraArgs: {enable-admission-plugins: "A,SecurityContextDeny", disable-admission-plugins: SecurityContextDeny}, admissionControl: [{name: PodSecurity}, {name: SecurityContextDeny}]}',
    )

    expect(used(config, 30)).toEqual(
      [
        'extraArgs.disable-admission-plugins',
        'extraArgs.enable-admission-plugins',
        'admissionControl[SecurityContextDeny]',
      ].map((at) => `apiServer: admission plugin SecurityContextDeny at cluster.apiServer.${at}`),
    )
  })

  test.each([
    [
      document('KubeAPIServerConfig', 'extraArgs:\n  cloud-config: x\n'),
      'apiServer: flag cloud-config at KubeAPIServerConfig.extraArgs.cloud-config',
    ],
    [
      document('KubeletConfig', 'config:\n  featureGates:\n    AppArmor: true\n'),
      'kubelet: feature gate AppArmor at KubeletConfig.config.featureGates.AppArmor',
    ],
    [
      document('KubeProxyConfig', 'config:\n  featureGates:\n    AppArmor: true\n'),
      'proxy: feature gate AppArmor at KubeProxyConfig.config.featureGates.AppArmor',
    ],
    [
      document('KubeSchedulerConfig', 'extraArgs:\n  feature-gates: [AppArmor=true]\n'),
      'scheduler: feature gate AppArmor at KubeSchedulerConfig.extraArgs.feature-gates',
    ],
  ])('is found in a document of its own', (config, use) => {
    expect(used(config, 33)).toEqual([use])
  })

  test('is an admission plugin in a document of its own', () => {
    const config = read(
      'machine: {type: controlplane}\n---\napiVersion: v1alpha1\nkind: KubeAdmissionControlConfig\nname: SecurityContextDeny\nconfiguration: {a: b}\n',
    )

    expect(used(config, 30)).toEqual([
      'apiServer: admission plugin SecurityContextDeny at KubeAdmissionControlConfig/SecurityContextDeny',
    ])
  })

  test('is nothing of what is switched off', () => {
    const proxy = 'proxy: {disabled: true, extraArgs: {feature-gates: AppArmor=true}}'

    expect(used(controlPlane(proxy), 33)).toEqual([])
  })

  test('is nothing where only the patch changes, or a version is none', () => {
    const config = controlPlane('apiServer: {extraArgs: {cloud-config: x}}')

    expect(removedInUse(config, { from: '1.33.0', to: '1.33.4' })).toEqual([])
    expect(removedInUse(config, { from: 'x', to: '1.33.4' })).toEqual([])
    expect(removedInUse(config, { from: '1.32.0', to: 'x' })).toEqual([])
  })

  test('is nothing of what is generated, up to the newest version', () => {
    const step = { from: '1.24.0', to: '1.37.0' }

    for (const role of ['controlplane', 'worker'] as const) {
      expect(removedInUse(generateConfig(role, aCluster()), step)).toEqual([])
    }
  })
})

describe('kinds of objects that the next version has not', () => {
  test.each<[number, string[]]>([
    [25, ['podsecuritypolicies v1beta1 policy']],
    [26, []],
    [29, ['clustercidrs v1alpha1 networking.k8s.io']],
    [32, ['podschedulingcontexts v1alpha3 resource.k8s.io']],
    [36, []],
    [37, ['workloads v1alpha2 scheduling.k8s.io', 'podgroups v1alpha2 scheduling.k8s.io']],
  ])('v1.%i: %j', (minor, expected) => {
    expect(
      removedResources(into(minor)).map(
        ({ resource, version, group }) => `${resource} ${version} ${group}`,
      ),
    ).toEqual(expected)
  })

  test('are none where only the patch changes', () => {
    expect(removedResources({ from: 'v1.37.0', to: 'v1.37.1' })).toEqual([])
  })

  test('are none of another major version, which nobody knows', () => {
    expect(removedResources({ from: 'v1.24.0', to: 'v2.0.0' })).toEqual([])
  })
})
