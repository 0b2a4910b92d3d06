import { isOlder } from '#engine/kubernetes-record.ts'
import {
  KUBERNETES_COMPONENTS,
  type KubernetesComponent,
} from '#machineconfig/versions/kubernetes-components.ts'
import { type Call, isMachineChange, type MachineCall, wordsFor } from './boundary.ts'

// What talks to API servers, and must not be newer than any of them.
const CLIENTS = ['controllerManager', 'scheduler', 'kubelet'] as const
const UPGRADES: readonly string[] = ['upgrade.legacy', 'upgrade.lifecycle']
// Before that nothing is changed, and whoever is in the middle of an upgrade of Talos is waited for.
const UNMOVED: readonly (string | undefined)[] = [undefined, 'preparing', 'done', 'stopped']

/** What of the Kubernetes of a cluster was risked by a call, by what its machines had at that moment. */
export function brokenKubernetes(call: MachineCall, history: readonly Call[]): string[] {
  if (UPGRADES.includes(call.method)) return [...notBoth(call), ...besideKubelets(call, history)]
  if (call.method !== 'configuration.apply') return []
  return [
    ...newerThanApi(call),
    ...(call.stage === 'maintenance'
      ? []
      : [...older(call), ...twoAtOnce(call), ...besideTalos(call, history)]),
  ]
}

function newerThanApi(call: MachineCall): string[] {
  const servers = (call.kubernetes?.machines ?? []).filter(({ isControlPlane }) => isControlPlane)
  return CLIENTS.flatMap((component) => {
    const version = call.brings?.[component] ?? ''
    const older = servers.find(({ versions }) => isOlder(versions.apiServer, version))
    return older
      ? [
          `${wordsFor(call)}: its ${component} becomes ${version}, and the API server of ${older.address} is ${older.versions.apiServer}`,
        ]
      : []
  })
}

/** What was under way when an upgrade was stopped goes back; nothing else does. */
function older(call: MachineCall): string[] {
  const back = changed(call).filter((one) => isOlder(call.brings?.[one], hadBy(call)?.[one] ?? ''))
  return back.length > 0 && call.kubernetes?.stage !== 'stopped'
    ? [`${wordsFor(call)}: it gets an older ${back.join(', ')} than it has`]
    : []
}

function twoAtOnce(call: MachineCall): string[] {
  const own = call.kubernetes?.machines.find(({ isOwn }) => isOwn)
  const other = call.kubernetes?.machines.find(({ isOwn, isChanging }) => !isOwn && isChanging)
  return own?.isControlPlane && other && changed(call).length > 0
    ? [`${wordsFor(call)}: the control plane on ${other.address} is not up again`]
    : []
}

function besideTalos(call: MachineCall, history: readonly Call[]): string[] {
  if (changed(call).length === 0) return []
  const isUpgrade = ({ method }: MachineCall) => UPGRADES.includes(method)
  const other =
    call.kubernetes?.machines.find(({ isInstalling }) => isInstalling)?.address ??
    inTheMiddle(call, history, isUpgrade)
  return other
    ? [`${wordsFor(call)}: it gets another Kubernetes while ${other} gets another Talos`]
    : []
}

function besideKubelets(call: MachineCall, history: readonly Call[]): string[] {
  const other = inTheMiddle(call, history, (one) => changed(one).includes('kubelet'))
  return other
    ? [`${wordsFor(call)}: it gets another Talos while ${other} gets another kubelet`]
    : []
}

/** The address of another machine on which that was done in the turn that it still has. */
function inTheMiddle(
  call: MachineCall,
  history: readonly Call[],
  isSuch: (one: MachineCall) => boolean,
): string | undefined {
  const before = history.slice(0, history.indexOf(call)).filter(isMachineChange).filter(isSuch)
  const wasIn = (turn: number) => (one: MachineCall) => ownIn(one)?.turn === turn
  return call.kubernetes?.machines.find(
    ({ address, isOwn, turn }) =>
      !isOwn &&
      turn !== undefined &&
      before.filter((one) => one.address === address).some(wasIn(turn)),
  )?.address
}

const notBoth = (call: MachineCall): string[] =>
  UNMOVED.includes(call.kubernetes?.stage)
    ? []
    : [`${wordsFor(call)}: its Kubernetes is upgraded (${call.kubernetes?.stage})`]

const ownIn = ({ kubernetes }: MachineCall) => kubernetes?.machines.find(({ isOwn }) => isOwn)

const hadBy = (call: MachineCall) => ownIn(call)?.versions

/** The components that are others by the configuration that is sent. */
function changed(call: MachineCall): KubernetesComponent[] {
  const had = hadBy(call)
  return KUBERNETES_COMPONENTS.filter(
    (one) =>
      had?.[one] !== undefined && call.brings?.[one] !== undefined && had[one] !== call.brings[one],
  )
}
