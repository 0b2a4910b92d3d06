import type { KindCases, Spec } from './cases.ts'
import {
  configAndDeletionCases,
  everyReferenceField,
  machineSpecCases,
  pxeClientCases,
} from './machine-parts.cases.ts'

/** What holds for a control plane and for a pool of workers alike. */
export const machinePoolCases = (metal: (changes?: Spec) => Spec): KindCases => {
  const withMachine = (machine: unknown) => metal({ metalSpec: { machines: [machine] } })
  const withMachineSpec = (machineSpec: Spec) =>
    metal({ metalSpec: { machines: [{ address: '10.0.0.1' }], machineSpec } })
  const machines = machineCases(withMachine)
  const specs = machineSpecCases(withMachineSpec, 'spec.metalSpec.machineSpec')
  const configAndDeletion = configAndDeletionCases(metal)

  return {
    accepted: [
      { title: 'no spec at all' },
      {
        title: 'container mode with replicas',
        spec: { mode: 'container', replicas: 3 },
        becomes: { mode: 'container', replicas: 3 },
      },
      { title: 'cloud mode, which is reserved', spec: { mode: 'cloud' } },
      {
        title: 'a storage class',
        spec: metal({ storageClassName: 'fast-ssd' }),
        becomes: { storageClassName: 'fast-ssd' },
      },
      {
        title: 'another Kubernetes version, also an older one',
        from: metal({ kubeVersion: 'v1.35.0' }),
        spec: metal({ kubeVersion: 'v1.34.1' }),
      },
      {
        title: 'a field that the schema does not know is dropped',
        spec: metal({ colour: 'blue' }),
        drops: ['colour'],
      },
      {
        title: 'a pre-release of Talos',
        spec: metal({ version: 'v1.14.0-alpha.1' }),
        becomes: { version: 'v1.14.0-alpha.1' },
      },
      {
        title: 'a rollout of a quarter of the machines at a time; its type has a default',
        spec: metal({ rolloutStrategy: { rollingUpdate: { maxUnavailable: '25%' } } }),
        becomes: {
          rolloutStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '25%' } },
        },
      },
      {
        title: 'a rollout without a number; it has a default',
        spec: metal({ rolloutStrategy: { type: 'RollingUpdate', rollingUpdate: {} } }),
        becomes: { rolloutStrategy: { rollingUpdate: { maxUnavailable: 1 } } },
      },
      ...rolloutCases(metal).accepted,
      ...configAndDeletion.accepted,
      ...machines.accepted,
      ...specs.accepted,
    ],
    refused: [
      { title: 'no mode', spec: {}, at: 'spec.mode', says: 'Required value' },
      {
        title: 'a mode that there is not',
        spec: metal({ mode: 'virtual' }),
        at: 'spec.mode',
        says: 'Unsupported value: "virtual"',
      },
      {
        title: 'another mode later on',
        from: metal(),
        spec: metal({ mode: 'cloud' }),
        at: 'spec.mode',
        says: 'Mode is immutable',
      },
      {
        title: 'container mode with no replicas',
        spec: { mode: 'container', replicas: 0 },
        at: 'spec',
        says: "replicas must be at least 1 when mode is 'container'",
      },
      {
        title: 'a Talos version of two numbers',
        spec: metal({ version: 'v1.13' }),
        at: 'spec.version',
        says: 'should match',
      },
      {
        title: 'a Kubernetes version without v',
        spec: metal({ kubeVersion: '1.35.0' }),
        at: 'spec.kubeVersion',
        says: 'should match',
      },
      {
        title: 'a storage class with a slash',
        spec: metal({ storageClassName: 'a/b' }),
        at: 'spec.storageClassName',
        says: 'should match',
      },
      {
        title: 'a rollout that there is not',
        spec: metal({ rolloutStrategy: { type: 'OnDelete' } }),
        at: 'spec.rolloutStrategy.type',
        says: 'Unsupported value: "OnDelete"',
      },
      ...rolloutCases(metal).refused,
      ...configAndDeletion.refused,
      ...machines.refused,
      ...specs.refused,
    ],
  }
}

const rolloutCases = (metal: (spec: Spec) => Spec): KindCases => {
  const rollout = (rolloutStrategy: Spec) => metal({ rolloutStrategy })
  return {
    accepted: [
      ...['report', 'correct'].map((configDrift) => ({
        title: `a configuration that somebody changed: ${configDrift}`,
        spec: rollout({ configDrift, paused: true }),
        becomes: { rolloutStrategy: { configDrift, paused: true } },
      })),
      ...['Stop', 'Delete', 'Skip'].map((afterTimeout) => ({
        title: `a drain that is in vain: ${afterTimeout}`,
        spec: rollout({ drain: { timeoutSeconds: 0, afterTimeout } }),
        becomes: { rolloutStrategy: { drain: { timeoutSeconds: 0, afterTimeout } } },
      })),
      {
        title: 'machines that are watched for no longer than it takes',
        spec: rollout({ minReadySeconds: 0 }),
        becomes: { rolloutStrategy: { minReadySeconds: 0 } },
      },
      {
        title: 'a drain of which nothing is said; it has defaults',
        spec: rollout({ drain: {} }),
        becomes: { rolloutStrategy: { drain: { timeoutSeconds: 600, afterTimeout: 'Stop' } } },
      },
    ],
    refused: [
      {
        title: 'what becomes of a changed configuration, in a word that there is not',
        spec: rollout({ configDrift: 'ignore' }),
        at: 'spec.rolloutStrategy.configDrift',
        says: 'Unsupported value: "ignore"',
      },
      {
        title: 'what becomes of a drain that is in vain, in a word that there is not',
        spec: rollout({ drain: { afterTimeout: 'Wait' } }),
        at: 'spec.rolloutStrategy.drain.afterTimeout',
        says: 'Unsupported value: "Wait"',
      },
      {
        title: 'machines that are watched for less than nothing',
        spec: rollout({ minReadySeconds: -1 }),
        at: 'spec.rolloutStrategy.minReadySeconds',
        says: 'should be greater than or equal to 0',
      },
      {
        title: 'a drain that ends before it begins',
        spec: rollout({ drain: { timeoutSeconds: -1 } }),
        at: 'spec.rolloutStrategy.drain.timeoutSeconds',
        says: 'should be greater than or equal to 0',
      },
    ],
  }
}

const machineCases = (withMachine: (machine: unknown) => Spec): KindCases => {
  const machine = {
    address: '10.0.0.1',
    version: 'v1.13.1',
    image: 'registry.example/installer:v1.13.1',
    configPatches: [{ machine: { sysctls: { 'net.core.somaxconn': '65535' } } }],
    additionalConfig: [{ apiVersion: 'v1alpha1', kind: 'KubeSpanConfig', enabled: true }],
  }
  const at = (field: string) => `spec.metalSpec.machines[0]${field}`
  const withPxe = (pxeClientSpec: Spec) => withMachine({ address: '10.0.0.1', pxeClientSpec })
  const pxe = pxeClientCases(withPxe, at('.pxeClientSpec'))

  return {
    accepted: [
      ...['10.0.0.1', '2001:db8::1', '::1', 'fe80::1:2:3:4', '::ffff:10.0.0.1'].map((address) => ({
        title: `a machine at ${address}`,
        spec: withMachine({ address }),
      })),
      ...['9a0c5f2e-0000-4000-8000-00000000001f', '9A0C5F2E-0000-4000-8000-00000000001F'].map(
        (uuid) => ({
          title: `the machine ${uuid} and no other`,
          spec: withMachine({ address: '10.0.0.1', uuid }),
          becomes: { metalSpec: { machines: [{ uuid }] } },
        }),
      ),
      {
        title: 'a machine that another object knows',
        spec: withMachine({ machineRef: everyReferenceField }),
        becomes: { metalSpec: { machines: [{ machineRef: everyReferenceField }] } },
      },
      {
        title: 'patches and documents of one machine, kept to the letter',
        spec: withMachine(machine),
        becomes: { metalSpec: { machines: [machine] } },
      },
      ...pxe.accepted,
    ],
    refused: [
      {
        title: 'a machine as a bare string, the form of old examples',
        spec: withMachine('10.0.0.1'),
        at: at(''),
        says: 'must be of type object',
      },
      ...[
        {
          title: 'a machine with address and machineRef',
          machine: { address: '10.0.0.1', machineRef: { name: 'x' } },
        },
        { title: 'a machine with neither address nor machineRef', machine: { image: 'x' } },
      ].map(({ title, machine }) => ({
        title,
        spec: withMachine(machine),
        at: at(''),
        says: 'address and machineRef are mutually exclusive',
      })),
      ...['example.com', '10.0.0', '10.0.0.1:50000', 'fe80::1%eth0'].map((address) => ({
        title: `a machine at ${address}`,
        spec: withMachine({ address }),
        at: at('.address'),
        says: 'should match',
      })),
      ...['9a0c5f2e', '9a0c5f2e-0000-4000-8000-00000000001g', ''].map((uuid) => ({
        title: `a machine whose uuid is "${uuid}"`,
        spec: withMachine({ address: '10.0.0.1', uuid }),
        at: at('.uuid'),
        says: 'should match',
      })),
      {
        title: 'a machine with a version that is none',
        spec: withMachine({ address: '10.0.0.1', version: 'latest' }),
        at: at('.version'),
        says: 'should match',
      },
      ...pxe.refused,
    ],
  }
}
