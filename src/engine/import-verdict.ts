import type { ControlPlane } from '#api/control-plane.ts'
import type { Machine } from '#api/machine.ts'
import { no, type Verdict } from '#runtime/plan.ts'
import type { ApiSeen } from './cluster-nodes-seen.ts'
import { stuck } from './stuck.ts'
import { endpointOf } from './wanted-config-cluster.ts'

/** What keeps something that runs from being taken over, in clauses. Nothing: it is as it is described. */
export interface ImportVerdict {
  /** What is otherwise than it is described: somebody has to correct something. */
  readonly differs: readonly string[]
  /** What nobody knows yet. */
  readonly waits: readonly string[]
}

/** Why a machine is not ready that is as it is described, and only waits for the others. */
export const IMPORTING = 'Importing'

/** Why one is not that is otherwise. */
export const IMPORT_DIFFERS = 'ImportDiffers'

/** Whether a pool of workers is as it is described, as far as its machines say. */
export const poolVerdict = (machines: readonly Machine[]): ImportVerdict =>
  joined([...machines.map(machineVerdict), ...sameMachines(machines)])

/** Whether a cluster is as its control plane is described: its machines, their etcd, and the API that they serve. */
export const clusterVerdict = (
  controlPlane: ControlPlane,
  machines: readonly Machine[],
  api: ApiSeen,
): ImportVerdict =>
  joined([
    poolVerdict(machines),
    ...(machines.every(isSeen) ? [etcdVerdict(machines)] : []),
    apiVerdict(controlPlane, api),
  ])

/** What a verdict means for a control plane or a pool; undefined: it can be taken over. */
export function importProblem({ differs, waits }: ImportVerdict): Verdict | undefined {
  if (differs.length > 0) {
    return stuck(IMPORT_DIFFERS, `nothing was taken over: ${differs.join('; ')}. Correct the spec`)
  }
  if (waits.length === 0) return undefined
  const message = `nothing is taken over before all of it was seen. What is waited for: ${waits.join('; ')}`
  return no(IMPORTING, message)
}

const joined = (verdicts: readonly ImportVerdict[]): ImportVerdict => ({
  differs: verdicts.flatMap(({ differs }) => differs),
  waits: verdicts.flatMap(({ waits }) => waits),
})

const differing = (...differs: string[]): ImportVerdict => ({ differs, waits: [] })
const waiting = (...waits: string[]): ImportVerdict => ({ differs: [], waits })

const nameOf = ({ metadata, spec }: Machine): string => spec?.endpoint ?? metadata.name

const readyOf = ({ status }: Machine) => status?.conditions?.find(({ type }) => type === 'Ready')

/** Whether it says of itself, of the spec that it has now, that it runs as it is described. */
const isSeen = (machine: Machine): boolean =>
  machine.status?.observedGeneration === machine.metadata.generation &&
  readyOf(machine)?.reason === IMPORTING

// Whoever says so will say so until somebody corrects something.
const DIFFERING: readonly string[] = [IMPORT_DIFFERS, 'ClaimedByAnother']

function machineVerdict(machine: Machine): ImportVerdict {
  const { reason, message } = readyOf(machine) ?? {}
  if (isSeen(machine)) return differing()
  const isLookedAt = machine.status?.observedGeneration === machine.metadata.generation
  if (!isLookedAt || reason === undefined)
    return waiting(`${nameOf(machine)} was not looked at yet`)
  const clause = `${nameOf(machine)}: ${message}`
  return DIFFERING.includes(reason) ? differing(clause) : waiting(clause)
}

/** Two addresses may lead to one machine. */
function sameMachines(machines: readonly Machine[]): ImportVerdict[] {
  const uuidOf = ({ status }: Machine) => status?.uuid
  return machines.flatMap((machine, at) => {
    const other = machines.slice(0, at).find((one) => uuidOf(one) === uuidOf(machine))
    return other && uuidOf(machine) !== undefined
      ? [differing(`${nameOf(other)} and ${nameOf(machine)} are the same machine`)]
      : []
  })
}

/** The members of etcd are the machines that are listed, no more and no less, and each of them says so. */
function etcdVerdict(machines: readonly Machine[]): ImportVerdict {
  const ids = machines.flatMap(({ status }) => status?.etcdMember?.id ?? [])
  const listed = machines.flatMap(({ status }) => status?.etcdMembers ?? [])
  const strangers = new Map(
    listed.filter(({ id }) => !ids.includes(id)).map(({ id, name }) => [id, name]),
  )
  return joined([
    ...machines.map((machine) => memberVerdict(machine, ids)),
    ...[...strangers]
      .sort()
      .map(([id, name]) =>
        differing(`etcd has the member ${name} (${id}), which is none of the machines in the list`),
      ),
  ])
}

function memberVerdict(machine: Machine, ids: readonly string[]): ImportVerdict {
  const { etcdMember, etcdMembers } = machine.status ?? {}
  if (!etcdMember) return differing(`${nameOf(machine)} is no member of etcd`)
  if (etcdMember.learner) return waiting(`the etcd of ${nameOf(machine)} has no vote yet`)
  if (!etcdMembers) return waiting(`the etcd of ${nameOf(machine)} knows no leader`)
  const isKnown = (id: string) => etcdMembers.some((member) => member.id === id)
  return ids.every(isKnown)
    ? differing()
    : differing(`the etcd of ${nameOf(machine)} is another one than that of the others`)
}

function apiVerdict(controlPlane: ControlPlane, api: ApiSeen): ImportVerdict {
  const endpoint = endpointOf(controlPlane)
  if (api.is === 'connecting') return waiting(`the Kubernetes API at ${endpoint}`)
  if (api.is === 'silent') {
    return api.reason === 'Untrusted'
      ? differing(`what answers at ${endpoint} is not this cluster: ${api.message}`)
      : waiting(`the Kubernetes API at ${endpoint}: ${api.message}`)
  }
  const wanted = controlPlane.spec?.kubeVersion
  return api.version === wanted
    ? differing()
    : differing(`Kubernetes ${api.version} runs, and spec.kubeVersion is ${wanted}`)
}
