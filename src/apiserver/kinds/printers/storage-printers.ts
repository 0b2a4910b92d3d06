import { itemsOf, partOf } from '#apiserver/kinds/fill.ts'
import { type Fields, fieldsAt, listAt } from '#apiserver/objects.ts'
import type { Printer } from '#apiserver/resource.ts'
import { ageCell, type Cell, nameCell, tableOf, textCell, textIn } from './table.ts'
import { nameWithDefault } from './workload-printers.ts'

const shortModes: Readonly<Record<string, string>> = {
  ReadWriteOnce: 'RWO',
  ReadOnlyMany: 'ROX',
  ReadWriteMany: 'RWX',
  ReadWriteOncePod: 'RWOP',
}

const modesText = (modes: unknown[]): string => {
  const known = Object.keys(shortModes).filter((mode) => modes.includes(mode))
  return known.map((mode) => shortModes[mode]).join(',')
}

const phaseOf = (object: Fields): string =>
  fieldsAt(object, 'metadata').deletionTimestamp
    ? 'Terminating'
    : textIn(object, ['status', 'phase'])

const unsetText = (name: string, about: string, key: string): Cell => ({
  name,
  about,
  value: (object) => textIn(object, ['spec', key], '<unset>'),
})

const attributesClass = unsetText(
  'VolumeAttributesClass',
  'How the volume is tuned.',
  'volumeAttributesClassName',
)
const volumeMode = {
  ...unsetText('VolumeMode', 'Whether it holds files.', 'volumeMode'),
  wide: true,
}
const storageClassName = textCell(
  'StorageClass',
  'Where it comes from.',
  'spec',
  'storageClassName',
)

const claims = tableOf(
  nameCell,
  { name: 'Status', about: 'Whether there is a volume for it.', value: phaseOf },
  textCell('Volume', 'The volume that it has.', 'spec', 'volumeName'),
  {
    name: 'Capacity',
    about: 'Size of the volume.',
    value: (object) =>
      fieldsAt(object, 'spec').volumeName
        ? textIn(object, ['status', 'capacity', 'storage'], '0')
        : '',
  },
  {
    name: 'Access Modes',
    about: 'How it can be mounted.',
    value: (object) =>
      fieldsAt(object, 'spec').volumeName
        ? modesText(listAt(fieldsAt(object, 'status'), 'accessModes'))
        : '',
  },
  storageClassName,
  attributesClass,
  ageCell,
  volumeMode,
)

const volumes = tableOf(
  nameCell,
  {
    name: 'Capacity',
    about: 'Size of the volume.',
    value: (object) => textIn(object, ['spec', 'capacity', 'storage'], '0'),
  },
  {
    name: 'Access Modes',
    about: 'How it can be mounted.',
    value: (object) => modesText(listAt(fieldsAt(object, 'spec'), 'accessModes')),
  },
  textCell(
    'Reclaim Policy',
    'What becomes of it afterwards.',
    'spec',
    'persistentVolumeReclaimPolicy',
  ),
  { name: 'Status', about: 'Whether somebody has it.', value: phaseOf },
  {
    name: 'Claim',
    about: 'Who has it.',
    value: (object) => {
      const claim = partOf(fieldsAt(object, 'spec'), 'claimRef')
      return claim ? `${textIn(claim, ['namespace'])}/${textIn(claim, ['name'])}` : ''
    },
  },
  storageClassName,
  attributesClass,
  textCell('Reason', 'Why it is as it is.', 'status', 'reason'),
  ageCell,
  volumeMode,
)

const storageClasses = tableOf(
  nameWithDefault('storageclass.kubernetes.io/is-default-class'),
  textCell('Provisioner', 'Who makes the volumes.', 'provisioner'),
  textCell('ReclaimPolicy', 'What becomes of them.', 'reclaimPolicy'),
  textCell('VolumeBindingMode', 'When they are made.', 'volumeBindingMode'),
  {
    name: 'AllowVolumeExpansion',
    about: 'Whether they can grow.',
    value: ({ allowVolumeExpansion }) => allowVolumeExpansion === true,
  },
  ageCell,
)

const flag = (name: string, about: string, key: string): Cell => ({
  name,
  about,
  type: 'boolean',
  value: (object) => fieldsAt(object, 'spec')[key] === true,
})

const csiDrivers = tableOf(
  nameCell,
  flag('AttachRequired', 'Whether volumes are attached first.', 'attachRequired'),
  flag('PodInfoOnMount', 'Whether it is told of the pod.', 'podInfoOnMount'),
  flag('StorageCapacity', 'Whether it tells what is left.', 'storageCapacity'),
  {
    name: 'TokenRequests',
    about: 'Audiences of tokens that it wants.',
    value: (object) => {
      const requests = itemsOf(fieldsAt(object, 'spec'), 'tokenRequests')
      return requests.length === 0
        ? '<unset>'
        : requests.map((one) => textIn(one, ['audience'])).join(',')
    },
  },
  flag('RequiresRepublish', 'Whether it is asked again and again.', 'requiresRepublish'),
  {
    name: 'Modes',
    about: 'How long its volumes live.',
    value: (object) =>
      listAt(fieldsAt(object, 'spec'), 'volumeLifecycleModes').join(',') || '<none>',
  },
  ageCell,
)

const csiNodes = tableOf(
  nameCell,
  {
    name: 'Drivers',
    about: 'How many drivers the node has.',
    type: 'integer',
    value: (object) => listAt(fieldsAt(object, 'spec'), 'drivers').length,
  },
  ageCell,
)

const attachments = tableOf(
  nameCell,
  { ...textCell('Attacher', 'Who attaches.', 'spec', 'attacher'), format: 'name' },
  textCell('PV', 'Which volume.', 'spec', 'source', 'persistentVolumeName'),
  textCell('Node', 'Where to.', 'spec', 'nodeName'),
  {
    name: 'Attached',
    about: 'Whether it is attached.',
    type: 'boolean',
    value: (object) => fieldsAt(object, 'status').attached === true,
  },
  ageCell,
)

/** Tables of storage. */
export const storagePrinters: Readonly<Record<string, Printer>> = {
  '/persistentvolumeclaims': claims,
  '/persistentvolumes': volumes,
  'storage.k8s.io/csidrivers': csiDrivers,
  'storage.k8s.io/csinodes': csiNodes,
  'storage.k8s.io/storageclasses': storageClasses,
  'storage.k8s.io/volumeattachments': attachments,
  'storage.k8s.io/volumeattributesclasses': tableOf(
    nameCell,
    textCell('DriverName', 'Whose volumes.', 'driverName'),
    ageCell,
  ),
}
