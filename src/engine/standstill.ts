import { UPGRADE_FAILED } from '#api/labels.ts'
import type { Machine } from '#api/machine.ts'
import { installerOf } from './installer.ts'
import { isLeaving } from './removal.ts'
import { failureOf } from './upgrade-record.ts'

// Why a machine cannot be changed any further until somebody does something: the words that its parent knows it by.

export const CONFIG_REJECTED_REASON = 'ConfigRejected'
export const IMAGE_PULL_FAILED = 'ImagePullFailed'
export const COMPONENT_NOT_READY = 'ComponentNotReady'
export const KUBERNETES_DOWNGRADE = 'KubernetesDowngrade'
export const UPGRADE_FAILED_REASON = 'UpgradeFailed'
export const UPGRADE_NOT_TAKEN_BACK = 'UpgradeNotTakenBack'

/** Those that stop an upgrade of Kubernetes. */
const STANDSTILLS: readonly string[] = [
  CONFIG_REJECTED_REASON,
  IMAGE_PULL_FAILED,
  COMPONENT_NOT_READY,
  KUBERNETES_DOWNGRADE,
]

/** The first machine that an upgrade of Kubernetes cannot go on with, and why. */
export function whoStands(machines: readonly Machine[]): string | undefined {
  const said = machines.flatMap((machine) =>
    readyOf(machine)
      .filter(({ reason }) => STANDSTILLS.includes(reason))
      .map(({ message }) => `${machine.metadata.name}: ${message}`),
  )
  return said.sort()[0]
}

type Work = NonNullable<NonNullable<Machine['status']>['pending']>['work']

// What went wrong on one machine goes wrong on the next: nobody else gets the same before somebody has looked at it.
const STOPS: Record<Work, readonly string[]> = {
  upgrade: [UPGRADE_FAILED_REASON, UPGRADE_NOT_TAKEN_BACK],
  configuration: [CONFIG_REJECTED_REASON],
  kubernetes: [CONFIG_REJECTED_REASON, COMPONENT_NOT_READY],
}

/** A machine because of which nobody else is changed in some way, and what is wrong with it. */
export interface Stop {
  readonly name: string
  readonly reason: string
  readonly message: string
}

/** The first of these machines because of which nobody else is changed in this way. */
export const stoppedBy = (work: Work, machines: readonly Machine[]): Stop | undefined =>
  machines.flatMap((machine) => stopOn(work, machine) ?? [])[0]

function stopOn(work: Work, machine: Machine): Stop | undefined {
  const { name } = machine.metadata
  const said = readyOf(machine).find(({ reason }) => isStopping(work, reason))
  if (said) return { name, reason: said.reason, message: said.message }
  return work === 'upgrade' ? failedOn(machine) : undefined
}

/** That it does not run its image is true until somebody mends it, though it says something else meanwhile, or nothing. */
function failedOn(machine: Machine): Stop | undefined {
  const { name } = machine.metadata
  const image = installerOf(machine)
  const why = failureOf(machine, image)
  if (why === undefined || isLeaving(machine)) return undefined
  const wayOn = `Change the version or the image, or take it out of the spec; to have the same tried again, remove the annotation ${UPGRADE_FAILED} from TalosMachine ${name}`
  return {
    ...{ name, reason: UPGRADE_FAILED_REASON },
    message: `it was given ${image}, and does not run that: ${why}. ${wayOn}`,
  }
}

/** Whether what a machine says keeps others from being changed in this way. */
export const isStopping = (work: Work, reason: string): boolean => STOPS[work].includes(reason)

/** What is said of those that are not changed because of another one. */
export const stoppedWords = (names: string, stop: string, said: string): string =>
  `${names} is not changed while something is wrong with ${stop}, which was to be changed in the same way: ${said}`

/** What is said of workers while their control plane is not as it should be. */
export const waitsForControlPlaneWords = (name: string | undefined, missing: string): string =>
  `workers are changed when TalosControlPlane ${name} is ready. ${missing}`

const readyOf = ({ status }: Machine) =>
  (status?.conditions ?? []).filter(({ type, status: is }) => type === 'Ready' && is !== 'True')
