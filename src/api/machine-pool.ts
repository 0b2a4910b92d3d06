// What a control plane and a worker pool have in common: the machines, and how they are rolled.

import {
  flag,
  freeForm,
  integer,
  integerOrText,
  list,
  object,
  oneOf,
  optional,
  text,
} from './schema.ts'
import {
  additionalConfig,
  version as aVersion,
  configPatches,
  ipAddress,
  machineUuid,
  NOT_BUILT_YET,
  objectReference,
} from './shapes.ts'

export const DEFAULT_TALOS_VERSION = 'v1.13.0'
export const DEFAULT_KUBERNETES_VERSION = 'v1.35.0'

const meta = object(
  'Network settings written to the META partition, for machines whose image reads them at boot. Meant for pools of one machine where `hostname` is set.',
  {
    hostname: optional(text('Host name of the machine.')),
    interface: optional(text('Name of the network interface, for example `eth0`.')),
    subnet: optional(integer('Prefix length of the machine address, for example 24.')),
    gateway: optional(text('Address of the default gateway.')),
    dnsServers: optional(list('DNS servers, in order.', text('Address of a DNS server.'))),
  },
)

export const machineSpec = object('How a machine is installed and configured.', {
  installDisk: optional(
    text(
      'Disk that Talos is installed on, for example `/dev/sda` or `/dev/disk/by-id/…`. Left out: the operator picks a writable disk once and keeps to it.',
      { pattern: '^/dev/[A-Za-z0-9._:+@=/\\\\-]+$' },
    ),
  ),
  wipe: flag('Wipe the disk before installing.', { default: false }),
  image: optional(
    text(
      'Talos installer image. Without a version tag, `:<version>` is appended. Left out: the standard installer of the Talos version. Another schematic of the image factory is installed as an upgrade is, at the same version too; any other image counts from the next upgrade on.',
    ),
  ),
  meta: optional(meta),
  airGap: flag('The machines have no internet: no time servers, no discovery service.', {
    default: false,
  }),
  imageCache: flag('Use the image cache on the boot medium (a volume named IMAGECACHE).', {
    default: false,
  }),
  allowSchedulingOnControlPlanes: flag('Let workloads run on control-plane machines.', {
    default: false,
  }),
  registries: optional(
    freeForm(
      'Registry mirrors, as under `machine.registries` in Talos. Whoever may read this object sees what is in it.',
    ),
  ),
  additionalConfig: optional(additionalConfig),
  configPatches: optional(configPatches),
})

export const pxeClientSpec = object(`How this machine boots over the network. ${NOT_BUILT_YET}`, {
  macAddress: text('MAC address of the interface that boots.'),
  cpuArchitecture: oneOf('Architecture of the machine.', ['amd64', 'arm64']),
  kernelCmdlineArgs: optional(text('Further kernel arguments, separated by spaces.')),
})

const machine = object(
  'One machine, found by its address or through another object.',
  {
    address: optional(
      ipAddress(
        'IP address of the machine. An entry is an object: write `- address: 10.0.0.1`, not `- 10.0.0.1`.',
      ),
    ),
    machineRef: optional(
      objectReference(
        'An object that knows the address of the machine; `fieldPath` says where in it.',
      ),
    ),
    uuid: optional(
      machineUuid(
        'The machine’s own identity (SMBIOS UUID), as on its label or in the provider’s inventory. Compared before anything is sent to the machine; another one at the address is left alone. Left out: the first that answers there is taken, and kept to.',
      ),
    ),
    version: optional(
      aVersion('Talos version of this machine alone, instead of the version of the pool.'),
    ),
    image: optional(text('Installer image of this machine, instead of `machineSpec.image`.')),
    pxeClientSpec: optional(pxeClientSpec),
    configPatches: optional(configPatches),
    additionalConfig: optional(additionalConfig),
  },
  {
    rules: [
      {
        rule: 'has(self.address) != has(self.machineRef)',
        message: 'address and machineRef are mutually exclusive',
      },
    ],
  },
)

export const metalSpec = object('The machines, in metal mode.', {
  machines: optional(
    list(
      'One entry for each machine: an object with `address` or `machineRef`. The old form, a bare string, is not accepted: write `- address: 10.0.0.1`.',
      machine,
    ),
  ),
  machineSpec: optional(machineSpec),
})

export const rolloutStrategy = object(
  'How changes that take a machine down are rolled over the machines, in metal mode.',
  {
    type: oneOf('The kind of rollout.', ['RollingUpdate'], { default: 'RollingUpdate' }),
    rollingUpdate: optional(
      object('Parameters of a rolling update.', {
        maxUnavailable: integerOrText(
          'How many machines may be down at once: a number, or a percentage of the machines rounded down to at least 1. On a control plane etcd’s quorum limits it further.',
          { default: 1 },
        ),
      }),
    ),
    paused: optional(
      flag(
        'Begin nothing new: whatever a machine is in the middle of is finished, and the others wait.',
      ),
    ),
    minReadySeconds: optional(
      integer(
        'For how long a machine is watched after it was changed, before the next one is: it may be well for a moment longer with what is wrong. Left out: 30.',
        { minimum: 0 },
      ),
    ),
    configDrift: optional(
      oneOf(
        'What becomes of a configuration that somebody changed on a machine by hand: `report` shows it and leaves it until the next edit of the spec, `correct` puts it right as if the spec had been edited. Left out: `report`.',
        ['report', 'correct'],
      ),
    ),
    drain: optional(
      object(
        'How the pods of a node are moved away before its machine is taken down. They are evicted, so that PodDisruptionBudgets hold.',
        {
          timeoutSeconds: integer('For how long budgets are respected and pods are waited for.', {
            default: 600,
            minimum: 0,
          }),
          afterTimeout: oneOf(
            'What becomes of pods that are still there then. `Stop`: the machine stays as it is, and its node takes pods again. `Delete`: they are deleted, whatever their budgets say. `Skip`: the machine goes with them.',
            ['Stop', 'Delete', 'Skip'],
            { default: 'Stop' },
          ),
        },
      ),
    ),
  },
  { default: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 1 } } },
)

export const replicasInContainerMode = {
  rule: "self.mode != 'container' || (has(self.replicas) && self.replicas >= 1)",
  message: "replicas must be at least 1 when mode is 'container'",
}
