import { type Fields, textAt } from '#apiserver/objects.ts'
import { fill, fillEmpty, itemsOf, partOf } from './fill.ts'

/** Fills in what a container leaves out. */
export function setContainerDefaults(container: Fields): void {
  fillEmpty(container, {
    terminationMessagePath: '/dev/termination-log',
    terminationMessagePolicy: 'File',
    imagePullPolicy: pullPolicyOf(textAt(container, 'image') ?? ''),
  })
  fill(container, { resources: {} })
  for (const port of itemsOf(container, 'ports')) fillEmpty(port, { protocol: 'TCP' })
  for (const variable of itemsOf(container, 'env')) setVariableDefaults(variable)
  for (const probe of ['livenessProbe', 'readinessProbe', 'startupProbe'])
    setProbeDefaults(partOf(container, probe))
  const lifecycle = partOf(container, 'lifecycle')
  if (!lifecycle) return
  for (const moment of ['postStart', 'preStop']) setActionDefaults(partOf(lifecycle, moment))
}

/** `Always` for images that may change under their name, which is told from the tag `latest`. */
export function pullPolicyOf(image: string): string {
  const name = image.slice(image.lastIndexOf('/') + 1)
  if (name === '' || name.includes('@')) return 'IfNotPresent'
  const tag = name.split(':')[1]
  return tag === undefined || tag === 'latest' ? 'Always' : 'IfNotPresent'
}

function setVariableDefaults(variable: Fields): void {
  if (variable.value === '') delete variable.value
  const from = partOf(variable, 'valueFrom')
  const field = from && partOf(from, 'fieldRef')
  if (field) fillEmpty(field, { apiVersion: 'v1' })
  const resource = from && partOf(from, 'resourceFieldRef')
  if (resource) fillEmpty(resource, { divisor: '0' })
  const file = from && partOf(from, 'fileKeyRef')
  if (file) fill(file, { optional: false })
}

function setProbeDefaults(probe: Fields | undefined): void {
  if (!probe) return
  fillEmpty(probe, {
    timeoutSeconds: 1,
    periodSeconds: 10,
    successThreshold: 1,
    failureThreshold: 3,
  })
  setActionDefaults(probe)
  const grpc = partOf(probe, 'grpc')
  if (grpc) fill(grpc, { service: '' })
}

function setActionDefaults(action: Fields | undefined): void {
  const get = action && partOf(action, 'httpGet')
  if (get) fillEmpty(get, { path: '/', scheme: 'HTTP' })
}
