import { machineSpec, pxeClientSpec } from './machine-pool.ts'
import { ageColumn, defineKind, type Resource, TALOS_GROUP } from './meta.ts'
import { flag, list, object, oneOf, optional, text, wordOf } from './schema.ts'
import {
  conditions,
  configMapKey,
  deletionPolicy,
  machineUuid,
  objectReference,
  observedGeneration,
} from './shapes.ts'

/** One machine that runs Talos. The only kind whose controller talks to machines. */
export const Machine = defineKind({
  group: TALOS_GROUP,
  version: 'v1alpha1',
  kind: 'TalosMachine',
  plural: 'talosmachines',
  stem: 'machine',
  shortNames: ['tm'],
  description:
    'One machine of a control plane or of a pool of workers. Made by the operator; there is no need to write one.',
  columns: [
    {
      name: 'State',
      jsonPath: '.status.state',
      type: 'string',
      description: 'Where the machine is in its life.',
    },
    {
      name: 'Version',
      jsonPath: '.spec.version',
      type: 'string',
      description: 'Talos version that is wanted.',
    },
    {
      name: 'Endpoint',
      jsonPath: '.spec.endpoint',
      type: 'string',
      description: 'Address of the machine.',
    },
    ageColumn,
  ],
  specRequired: false,
  spec: object('The machine that is wanted.', {
    endpoint: text('Address of the machine’s Talos API, an IP or a host name. It may change.'),
    uuid: optional(
      machineUuid(
        'The machine that it has to be, by its SMBIOS UUID. Left out: whichever is there.',
      ),
    ),
    version: text('Talos version.'),
    machineSpec: optional(machineSpec),
    controlPlaneRef: optional(
      objectReference('The TalosControlPlane that the machine belongs to.'),
    ),
    workerRef: optional(objectReference('The TalosWorker that the machine belongs to.')),
    configRef: optional(
      configMapKey('A complete machine configuration to use instead of a generated one.'),
    ),
    deletionPolicy,
    pxeClientSpec: optional(pxeClientSpec),
  }),
  status: object('The machine that is there, as it was last seen.', {
    state: optional(
      wordOf('Where the machine is in its life.', [
        'Pending',
        'Booting',
        'Installing',
        'Available',
        'Upgrading',
        'Orphaned',
      ]),
    ),
    observedGeneration,
    conditions,
    observedVersion: optional(text('Talos version that runs, read from the machine.')),
    observedSchematic: optional(
      text(
        'Schematic of the image factory that runs, read from the machine whenever it may be another one than is wanted. Left out: it runs none, or its image names none to compare it with.',
      ),
    ),
    uuid: optional(
      text('The machine’s own identity (SMBIOS UUID). It is compared before anything destructive.'),
    ),
    type: optional(oneOf('What the machine is in its cluster.', ['controlplane', 'worker'])),
    hostname: optional(text('Host name that the machine gave itself.')),
    addresses: optional(list('Addresses of the machine, sorted.', text('An IP address.'))),
    stage: optional(
      text('Stage that Talos reports: booting, installing, maintenance, running, rebooting, …'),
    ),
    etcdMember: optional(
      object('The machine’s membership in etcd; absent while it is no member.', {
        id: text('Member id, hexadecimal as etcdctl prints it.'),
        learner: flag('Whether the member still catches up and has no vote yet.', {
          default: false,
        }),
      }),
    ),
    etcdMembers: optional(
      list(
        'All members of etcd as the machine’s own lists them, sorted by id; absent while that knows no leader.',
        object('A member of etcd.', {
          id: text('Member id, hexadecimal as etcdctl prints it.'),
          name: text('Host name of the machine that it runs on.'),
          learner: flag('Whether the member still catches up and has no vote yet.', {
            default: false,
          }),
        }),
      ),
    ),
    kubernetes: optional(
      object('The versions of Kubernetes that its configuration names, by component.', {
        apiServer: optional(text('Of kube-apiserver.')),
        controllerManager: optional(text('Of kube-controller-manager.')),
        scheduler: optional(text('Of kube-scheduler.')),
        proxy: optional(text('Of kube-proxy. Left out: it is turned off.')),
        kubelet: optional(text('Of the kubelet.')),
      }),
    ),
    pending: optional(
      object('What is to be changed on the machine and waits for its turn.', {
        work: oneOf(
          'What it is: `upgrade` is another Talos, `kubernetes` a configuration with another version of it.',
          ['configuration', 'upgrade', 'kubernetes'],
        ),
        needs: oneOf('Whether the machine has to reboot for it.', ['live', 'reboot']),
      }),
    ),
    imported: optional(flag('Whether the machine was taken over rather than installed.')),
    config: optional(
      text('Written by older operators only; read once for takeover, then cleared.'),
    ),
  }),
  conditions: {
    Ready: 'The machine runs the wanted version and configuration, and its node is ready.',
    Drifted: {
      meaning: 'Somebody changed the machine’s configuration on the machine itself.',
      forReady: 'any',
    },
    Reachable: 'The machine’s Talos API answers at the address, with the identity we know.',
    Deleting: { meaning: 'The machine is being taken out of its cluster.', forReady: 'False' },
  },
})
export type Machine = Resource<typeof Machine>
