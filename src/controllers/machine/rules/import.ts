import { CONSENT, MACHINE_UUID } from '#api/labels.ts'
import type { Machine } from '#api/machine.ts'
import { fingerprint } from '#base/fingerprint.ts'
import type { Decision, Rule } from '#controllers/machine/decision.ts'
import {
  diskIn,
  diskPickedBefore,
  wasConfiguredBefore,
} from '#controllers/machine/published-config.ts'
import {
  isControlPlane,
  isMeant,
  type Member,
  type Seen,
  type World,
} from '#controllers/machine/world.ts'
import { adoptedMachines, isAsAdopted, isImport, isToBeImported } from '#engine/adoption.ts'
import { IMPORT_DIFFERS, IMPORTING } from '#engine/import-verdict.ts'
import { no, unknown } from '#runtime/plan.ts'
import { asRunning } from './member.ts'

/**
 * A machine of something that is to be taken over only says what it is. It is nobody's until all of them are as they are
 * described: so nothing is done to it, whatever it is, and one that waits for a configuration gets none.
 */
export const importing: Rule = (machine, world) => {
  const { parent, seen } = world
  if (isClaimed(machine) || parent.is !== 'there') return undefined
  if (!isToBeImported(parent.worker ?? parent.controlPlane)) return undefined
  const why = differenceOf(machine, world)
  if (why !== undefined) {
    const ready = no(IMPORT_DIFFERS, why)
    const isStranger = seen.is === 'stranger'
    return { ready, ...(isStranger && { reachable: unknown(ready.reason, why) }), pace: 'later' }
  }
  if (seen.is === 'member' && seen.stage !== 'running') {
    return { ready: no('ComingUp', `the machine is ${seen.stage}`), pace: 'soon' }
  }
  return {
    ready: no(
      IMPORTING,
      'the machine runs as it is described, and is taken over when all that are listed with it do',
    ),
    pace: 'soon',
  }
}

/** In what it is otherwise than it is described, as a clause. */
function differenceOf(machine: Machine, world: World): string | undefined {
  const { seen } = world
  if ('uuid' in seen && !isMeant(machine, seen.uuid)) {
    return `it is the machine ${seen.uuid}, and the spec says uuid ${machine.spec?.uuid}`
  }
  switch (seen.is) {
    case 'stranger':
      return strangerIn(seen)
    case 'waiting':
      return 'it waits for a configuration, so nothing runs on it'
    case 'member':
      return differenceIn(seen, machine, world)
    default:
      return undefined
  }
}

function strangerIn({ mismatch, message }: Extract<Seen, { is: 'stranger' }>): string {
  switch (mismatch) {
    case 'not-in-maintenance':
    case 'another-cluster':
      return 'it does not know the keys of this cluster, so it is one of another'
    case 'another-address':
      return 'it is one of this cluster, and its certificate is for other addresses'
    default:
      return message
  }
}

const WORDS = { controlplane: 'a control plane', worker: 'a worker' }

function differenceIn(seen: Member, machine: Machine, world: World): string | undefined {
  const role = isControlPlane(machine) ? 'controlplane' : 'worker'
  if (seen.type !== role) {
    const is = seen.type ? WORDS[seen.type] : 'neither a control plane nor a worker'
    return `it is ${is}, and is listed as ${WORDS[role]}`
  }
  const wanted = machine.spec?.version
  if (seen.version !== wanted) return `it runs Talos ${seen.version}, and the spec says ${wanted}`
  return kubeletDifference(world)
}

/** Of a control plane it is the API that is compared, with all that it is. */
function kubeletDifference({ parent, node }: World): string | undefined {
  const wanted = parent.is === 'there' ? parent.worker?.spec?.kubeVersion : undefined
  if (!node || wanted === undefined || node.kubeletVersion === wanted) return undefined
  return `its kubelet is ${node.kubeletVersion}, and spec.kubeVersion is ${wanted}`
}

/** One that its control plane or pool has taken over becomes this object's, as it runs, if it is what it was taken for. */
export const adopt: Rule = (machine, { parent, seen }) => {
  if (isClaimed(machine) || seen.is !== 'member' || parent.is !== 'there') return undefined
  const taken = adoptedMachines(parent.worker ?? parent.controlPlane) ?? []
  const isTaken = taken.includes(seen.uuid) || wasImportedBefore(machine)
  if (!isTaken || seen.type !== (isControlPlane(machine) ? 'controlplane' : 'worker')) {
    return undefined
  }
  const disk = diskPickedBefore(machine) ?? diskOf(machine, seen)
  return {
    steps: [{ do: 'adopt', uuid: seen.uuid, ...(disk !== undefined && { disk }) }],
    ready: no(IMPORTING, 'the machine is taken over as it runs'),
    pace: 'soon',
  }
}

/** By an older operator, which took over what it was told to. */
const wasImportedBefore = (machine: Machine): boolean =>
  wasConfiguredBefore(machine) && (machine.status?.imported === true || isImport(machine.metadata))

/** Where Talos is installed, if the spec does not say. */
const diskOf = ({ spec }: Machine, { config, version }: Member): string | undefined =>
  spec?.machineSpec?.installDisk === undefined && config
    ? diskIn(config.open(), version)
    : undefined

/** What an imported machine has in META is not ours either: somebody who knows both has to say so. */
export const metaWaitsForConsent: Rule = (machine, world) => {
  const { seen, wanted } = world
  if (seen.is !== 'member' || wanted.is !== 'known' || !isAsAdopted(machine)) return undefined
  if (seen.metaText === undefined || wanted.metaText === undefined) return undefined
  if (seen.metaText === wanted.metaText) return undefined
  const token = fingerprint([seen.metaText, wanted.metaText]).slice(0, 8)
  const otherwise = asRunning(machine, world)
  if (!otherwise || otherwise.ready || isConsented(machine, token)) return undefined
  return { ...otherwise, ready: metaDiffers(token) }
}

const isConsented = ({ metadata }: Machine, token: string): boolean =>
  metadata.annotations?.[CONSENT] === token

const metaDiffers = (token: string): NonNullable<Decision['ready']> =>
  no(
    'WaitsForConsent',
    `the machine was not configured by this operator, and has other network settings in META than machineSpec.meta says. It is left as it is. Correct the spec, or have them written by annotating this object with ${CONSENT}=${token}`,
  )

const isClaimed = ({ metadata }: Machine): boolean =>
  metadata.annotations?.[MACHINE_UUID] !== undefined
