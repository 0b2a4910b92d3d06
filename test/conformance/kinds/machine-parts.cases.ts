// What a TalosMachine has in common with the pools that make one.

import type { KindCases, Spec } from './cases.ts'

/** A reference with everything that one can have. */
export const everyReferenceField: Spec = {
  apiVersion: 'vitistack.io/v1alpha1',
  kind: 'Machine',
  name: 'prod-cp-0',
  namespace: 'default',
  fieldPath: '.status.ipAddresses[0]',
  resourceVersion: '1',
  uid: '7f0b3c1e-0000-4000-8000-000000000000',
}

/** What holds for the machine spec of a pool, and of a TalosMachine. */
export const machineSpecCases = (
  withMachineSpec: (machineSpec: Spec) => Spec,
  at: string,
): KindCases => {
  const free = {
    registries: { mirrors: { 'docker.io': { endpoints: ['https://mirror.example'] } } },
    configPatches: [{ cluster: { discovery: { enabled: false } } }],
    additionalConfig: [{ apiVersion: 'v1alpha1', kind: 'WatchdogTimerConfig', timeout: '2m' }],
  }
  const meta = {
    hostname: 'cp-0',
    interface: 'eth0',
    subnet: 24,
    gateway: '10.0.0.254',
    dnsServers: ['10.0.0.253'],
  }
  const switches = {
    wipe: true,
    airGap: true,
    imageCache: true,
    allowSchedulingOnControlPlanes: true,
    image: 'registry.example/installer',
  }
  const kept = (machineSpec: Spec): Spec => {
    const path = at.split('.').slice(1)
    return path.reduceRight<Spec>((inner, key) => ({ [key]: inner }), machineSpec)
  }
  return {
    accepted: [
      {
        title: 'an empty machine spec; every switch has a default',
        spec: withMachineSpec({}),
        becomes: kept({
          wipe: false,
          airGap: false,
          imageCache: false,
          allowSchedulingOnControlPlanes: false,
        }),
      },
      ...[
        '/dev/sda',
        '/dev/vdb1',
        '/dev/nvme0n1p2',
        '/dev/mmcblk0',
        '/dev/disk/by-id/wwn-0x5000c500a0b1c2d3',
        '/dev/disk/by-path/pci-0000:00:1f.2-ata-1',
      ].map((installDisk) => ({
        title: `the install disk ${installDisk}`,
        spec: withMachineSpec({ installDisk }),
        becomes: kept({ installDisk }),
      })),
      {
        title: 'registries, patches and documents are kept to the letter',
        spec: withMachineSpec(free),
        becomes: kept(free),
      },
      { title: 'META settings', spec: withMachineSpec({ meta }), becomes: kept({ meta }) },
      {
        title: 'every switch turned on, and an installer image',
        spec: withMachineSpec(switches),
        becomes: kept(switches),
      },
    ],
    refused: [
      ...['sda', '/dev/', '/dev/sda; reboot'].map((installDisk) => ({
        title: `the install disk ${installDisk}`,
        spec: withMachineSpec({ installDisk }),
        at: `${at}.installDisk`,
        says: 'should match',
      })),
      {
        title: 'a prefix length as text',
        spec: withMachineSpec({ meta: { subnet: '24' } }),
        at: `${at}.meta.subnet`,
        says: 'must be of type integer',
      },
    ],
  }
}

const client = { macAddress: '52:54:00:12:34:56', cpuArchitecture: 'amd64' }

/** How a machine boots over the network; `at` is the path of `pxeClientSpec`. */
export const pxeClientCases = (withPxe: (pxeClientSpec: Spec) => Spec, at: string): KindCases => ({
  accepted: [
    ...['amd64', 'arm64'].map((cpuArchitecture) => ({
      title: `a machine of ${cpuArchitecture} that boots over the network`,
      spec: withPxe({ ...client, cpuArchitecture }),
    })),
    {
      title: 'network boot with kernel arguments',
      spec: withPxe({ ...client, kernelCmdlineArgs: 'console=ttyS0' }),
      becomes: withPxe({ ...client, kernelCmdlineArgs: 'console=ttyS0' }),
    },
  ],
  refused: [
    {
      title: 'network boot without a MAC address',
      spec: withPxe({ cpuArchitecture: 'amd64' }),
      at: `${at}.macAddress`,
      says: 'Required value',
    },
    {
      title: 'network boot without an architecture',
      spec: withPxe({ macAddress: '52:54:00:12:34:56' }),
      at: `${at}.cpuArchitecture`,
      says: 'Required value',
    },
    {
      title: 'network boot of an architecture that Talos does not have',
      spec: withPxe({ ...client, cpuArchitecture: 'riscv64' }),
      at: `${at}.cpuArchitecture`,
      says: 'Unsupported value: "riscv64"',
    },
  ],
})

/** A configuration of the user's own, and what becomes of a machine in the end. */
export const configAndDeletionCases = (withChanges: (changes: Spec) => Spec): KindCases => ({
  accepted: [
    ...['reset', 'preserve'].map((deletionPolicy) => ({
      title: `the deletion policy ${deletionPolicy}`,
      spec: withChanges({ deletionPolicy }),
      becomes: { deletionPolicy },
    })),
    {
      title: 'a configuration of its own; the name of a reference defaults to nothing',
      spec: withChanges({ configRef: { key: 'machine.yaml' } }),
      becomes: { configRef: { name: '', key: 'machine.yaml' } },
    },
    {
      title: 'a configuration of its own that may be missing',
      spec: withChanges({ configRef: { name: 'mine', key: 'machine.yaml', optional: true } }),
      becomes: { configRef: { name: 'mine', key: 'machine.yaml', optional: true } },
    },
  ],
  refused: [
    {
      title: 'a deletion policy that there is not',
      spec: withChanges({ deletionPolicy: 'keep' }),
      at: 'spec.deletionPolicy',
      says: 'Unsupported value: "keep"',
    },
    {
      title: 'a configuration without a key',
      spec: withChanges({ configRef: { name: 'x' } }),
      at: 'spec.configRef.key',
      says: 'Required value',
    },
  ],
})
