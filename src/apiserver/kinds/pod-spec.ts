import type { Fields } from '#apiserver/objects.ts'
import { setContainerDefaults } from './container.ts'
import { childOf, fill, fillEmpty, itemsOf, partOf } from './fill.ts'
import { setVolumeDefaults } from './volume.ts'

/** Fills in what a pod's spec leaves out, wherever it stands: in a pod or in a template. */
export function setPodSpecDefaults(spec: Fields): void {
  fillEmpty(spec, {
    restartPolicy: 'Always',
    dnsPolicy: 'ClusterFirst',
    schedulerName: 'default-scheduler',
  })
  fill(spec, { terminationGracePeriodSeconds: 30, securityContext: {} })
  for (const volume of itemsOf(spec, 'volumes')) setVolumeDefaults(volume)
  for (const container of containersOf(spec)) setContainerDefaults(container)
  if (spec.hostNetwork === true) useHostPorts(spec)
  // The older name of the same field; both are kept alike.
  const account = spec.serviceAccountName || spec.serviceAccount
  if (account) {
    spec.serviceAccountName = account
    spec.serviceAccount = account
  }
}

/** Fills in what a template of pods leaves out. */
export function setTemplateDefaults(template: Fields): void {
  childOf(template, 'metadata')
  setPodSpecDefaults(childOf(template, 'spec'))
}

/** Containers of every sort, in the order in which they are told of. */
const containersOf = (spec: Fields): Fields[] => [
  ...itemsOf(spec, 'initContainers'),
  ...itemsOf(spec, 'containers'),
  ...itemsOf(spec, 'ephemeralContainers'),
]

function useHostPorts(spec: Fields): void {
  for (const container of containersOf(spec))
    for (const port of itemsOf(container, 'ports'))
      fillEmpty(port, { hostPort: port.containerPort })
}

/** Requests that were left out are the limits. Of pods only: a template keeps what it says. */
export function requestLimits(spec: Fields): void {
  for (const container of [...itemsOf(spec, 'initContainers'), ...itemsOf(spec, 'containers')]) {
    const resources = childOf(container, 'resources')
    const limits = partOf(resources, 'limits')
    if (limits) fill(childOf(resources, 'requests'), limits)
  }
}
