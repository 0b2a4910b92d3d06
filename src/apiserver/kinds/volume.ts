import { type Fields, textAt } from '#apiserver/objects.ts'
import { setClaimSpecDefaults } from './claim-spec.ts'
import { pullPolicyOf } from './container.ts'
import { childOf, fill, fillEmpty, itemsOf, partOf } from './fill.ts'

// 0644, as files are read.
const defaultMode = 420

/** Fills in what a volume of a pod leaves out: what it is made of, and how files are read. */
export function setVolumeDefaults(volume: Fields): void {
  if (Object.keys(volume).every((key) => key === 'name')) volume.emptyDir = {}
  for (const source of ['secret', 'configMap', 'downwardAPI', 'projected']) {
    const part = partOf(volume, source)
    if (part) fill(part, { defaultMode })
  }
  setFieldVersions(partOf(volume, 'downwardAPI'))
  const image = partOf(volume, 'image')
  if (image) fillEmpty(image, { pullPolicy: pullPolicyOf(textAt(image, 'reference') ?? '') })
  for (const source of itemsOf(partOf(volume, 'projected') ?? {}, 'sources'))
    setProjectionDefaults(source)
  setSourceDefaults(volume)
  const template = partOf(partOf(volume, 'ephemeral') ?? {}, 'volumeClaimTemplate')
  if (!template) return
  childOf(template, 'metadata')
  setClaimSpecDefaults(childOf(template, 'spec'))
}

/** The same for where a volume's bytes come from, which persistent volumes say likewise. */
export function setSourceDefaults(holder: Fields): void {
  const hostPath = partOf(holder, 'hostPath')
  if (hostPath) fill(hostPath, { type: '' })
  const iscsi = partOf(holder, 'iscsi')
  if (iscsi) fillEmpty(iscsi, { iscsiInterface: 'default' })
  const rbd = partOf(holder, 'rbd')
  if (rbd) fillEmpty(rbd, { pool: 'rbd', user: 'admin', keyring: '/etc/ceph/keyring' })
  const azure = partOf(holder, 'azureDisk')
  if (azure)
    fill(azure, { cachingMode: 'ReadWrite', kind: 'Shared', fsType: 'ext4', readOnly: false })
  const scaleIo = partOf(holder, 'scaleIO')
  if (scaleIo) fillEmpty(scaleIo, { storageMode: 'ThinProvisioned', fsType: 'xfs' })
}

function setProjectionDefaults(source: Fields): void {
  const token = partOf(source, 'serviceAccountToken')
  if (token) fill(token, { expirationSeconds: 3600 })
  setFieldVersions(partOf(source, 'downwardAPI'))
}

function setFieldVersions(source: Fields | undefined): void {
  for (const item of itemsOf(source ?? {}, 'items')) {
    const field = partOf(item, 'fieldRef')
    if (field) fillEmpty(field, { apiVersion: 'v1' })
    const resource = partOf(item, 'resourceFieldRef')
    if (resource) fillEmpty(resource, { divisor: '0' })
  }
}
