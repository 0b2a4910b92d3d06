import type { MachineView } from './machine-view.ts'

export interface Unmet {
  readonly name: string
  readonly reason: string
}

/** What a machine lacks of being ready at its stage, in Talos' words. At most stages nothing is asked. */
export function unmetConditions(view: MachineView): readonly Unmet[] {
  if (view.stage !== 'booting' && view.stage !== 'running') return []
  const checks: [name: string, reason: string][] = [
    ['time', view.isTimeSynced ? '' : 'time is not synced'],
    ['network', view.isNetworkReady ? '' : NETWORK],
    ['services', servicesProblem(view)],
    ['staticPods', staticPodsProblem(view)],
    ['nodeReady', nodeProblem(view)],
  ]
  return checks.flatMap(([name, reason]) => (reason === '' ? [] : [{ name, reason }]))
}

const NETWORK = 'waiting on: address, connectivity, etc-files, hostname'
const EVERYWHERE = ['apid', 'machined', 'kubelet']
const ON_CONTROL_PLANES = ['etcd', 'trustd']

function servicesProblem({ services, facts }: MachineView): string {
  const running = services.filter(({ phase }) => phase === 'Running')
  const isControlPlane = facts?.type === 'controlplane'
  const required = [...EVERYWHERE, ...(isControlPlane ? ON_CONTROL_PLANES : [])]
  return [
    ...running
      .filter(({ health }) => health.isKnown && !health.isHealthy)
      .map(({ id }) => `${id} not healthy`),
    ...required
      .filter((id) => !running.some((service) => service.id === id))
      .map((id) => `${id} not running`),
  ].join(', ')
}

function staticPodsProblem({ staticPods, facts }: MachineView): string {
  if (facts?.type !== 'controlplane') return ''
  return staticPods
    .flatMap(({ id, isReady, status }) => {
      const { phase } = status
      if (phase === 'Running') return isReady ? [] : [`${id} not ready`]
      return phase === 'Succeeded' ? [] : [`${id} ${String(phase).toLowerCase()}`]
    })
    .join(', ')
}

function nodeProblem({ facts, hasBootDisk, isNetworkReady, node, hostname }: MachineView): string {
  // Without a name there is nothing to ask for.
  if (!facts || !hasBootDisk || !isNetworkReady || facts.skipsNodeRegistration) return ''
  if (!node) return `node ${JSON.stringify(hostname)} status is not available yet`
  return node.isReady ? '' : `node ${JSON.stringify(hostname)} is not ready`
}
