import { FORCE_DELETION, MACHINE_UUID } from '#api/labels.ts'
import { Machine } from '#api/machine.ts'
import type { Told } from '#runtime/definition.ts'
import { no, type Verdict } from '#runtime/plan.ts'
import { restraintIn } from '#runtime/reconcile-mode.ts'
import type { Writer } from '#runtime/writer.ts'
import { whyLeftRunning } from './adoption.ts'
import type { MachineDraft, Parent } from './pool.ts'
import { isSpared, type MachinePlan } from './pool-plan.ts'
import { stuck } from './stuck.ts'
import { applyWhole } from './whole-spec.ts'

/** What control planes and pools of workers do with the objects of their machines. */
export type MachineStep =
  | { do: 'createMachine'; machine: string; address: string }
  | { do: 'updateMachine'; machine: string; fields: readonly string[] }
  /** `kept`: why its machine goes on running as it is, if it does. */
  | { do: 'removeMachine'; machine: string; uid: string; kept?: string }
  | { do: 'forceMachine'; machine: string }
  /** Says of one that goes that its machine is not to be wiped. */
  | { do: 'keepMachine'; machine: string; uid: string }

/**
 * What makes the machines those that are wanted. None goes that has its configuration: that takes more
 * than a step. One that never had it, a wrong address say, is an object and nothing else.
 */
export const machineSteps = ({
  missing,
  changed,
  surplus,
  spared = [],
}: MachinePlan): MachineStep[] => [
  ...spared.map(keepStep),
  ...missing.map(({ metadata, spec }) => ({
    ...{ do: 'createMachine' as const, machine: metadata.name, address: spec.endpoint },
  })),
  ...changed.map(({ machine, differs }) => ({
    ...{ do: 'updateMachine' as const, machine: machine.metadata.name, fields: differs },
  })),
  ...leavingSteps(
    surplus.filter((machine) => !isConfigured(machine)),
    false,
  ),
]

const keepStep = ({ metadata: { name, uid = '' } }: Machine): MachineStep => ({
  ...{ do: 'keepMachine', machine: name, uid },
})

/** By this operator, or by an older one that it was not taken over from yet. */
export const isConfigured = (machine: Machine): boolean =>
  isClaimed(machine) || Boolean(machine.status?.config)

/** What is in the way of that. */
export function machinesInTheWay({ taken, surplus }: MachinePlan): Verdict | undefined {
  const [first] = taken
  if (first) return stuck('MachineNameTaken', wordsForTaken(first))
  const names = surplus.filter((one) => isConfigured(one) && !isClaimed(one)).map(nameOf)
  return names.length === 0
    ? undefined
    : no(
        'TakingOver',
        `an older operator configured ${names.sort().join(', ')}, which is in the spec no more and was not taken over yet, so it stays: bring it back, or delete its TalosMachine, which leaves the machine as it is`,
      )
}

function wordsForTaken({ draft, machine }: MachinePlan['taken'][number]): string {
  const { name } = draft.metadata
  const is = `TalosMachine ${name} is there and`
  if (!isOfSame(draft, machine)) {
    return `${is} belongs to another: take the machine out of one of the two`
  }
  return `${is} stands for the machine at ${machine.spec?.endpoint}, which was at ${draft.spec.endpoint} before: names are kept. If the machine at ${draft.spec.endpoint} is that one, write its uuid into the entry; if it is another, give it another address or a machineRef, or delete TalosMachine ${name}, which wipes its machine and installs it anew`
}

/** Whether they are of one parent. */
const isOfSame = ({ spec: one }: MachineDraft, { spec: other }: Machine): boolean =>
  one.workerRef?.name === other?.workerRef?.name &&
  one.controlPlaneRef?.name === other?.controlPlaneRef?.name

const nameOf = ({ metadata }: Machine): string => metadata.name

/** Whether it stands for a machine. */
export const isClaimed = ({ metadata }: Machine): boolean =>
  metadata.annotations?.[MACHINE_UUID] !== undefined

/** Machines of ours that are in the spec no more, and that nobody has told to go yet. */
export const toBeRemoved = ({ surplus }: MachinePlan): Machine[] =>
  surplus.filter((one) => isClaimed(one) && one.metadata.deletionTimestamp === undefined)

/** Those by whom a parent is judged: whoever is on the way out of the spec is not waited for. */
export function judgedBy(machines: readonly Machine[], { surplus }: MachinePlan): Machine[] {
  const isSurplus = ({ metadata }: Machine) => surplus.some((one) => nameOf(one) === metadata.name)
  return machines.filter((one) => one.metadata.deletionTimestamp === undefined || !isSurplus(one))
}

/** What lets all machines go. By force first: one that is only deleted may be wiped before it hears of force. */
export const leavingSteps = (machines: readonly Machine[], isForced: boolean): MachineStep[] => [
  ...machines
    .filter(({ metadata }) => isForced && metadata.annotations?.[FORCE_DELETION] !== 'true')
    .map(({ metadata }) => ({ do: 'forceMachine' as const, machine: metadata.name })),
  ...machines
    .filter(({ metadata }) => metadata.deletionTimestamp === undefined)
    .map((machine) => {
      const { name, uid = '' } = machine.metadata
      const kept = whyLeftRunning(machine)
      return { do: 'removeMachine' as const, machine: name, uid, ...(kept && { kept }) }
    }),
]

/**
 * What lets the machines of a parent go that goes itself. What it says of them may not have reached them, and is said
 * first: one that is only deleted may be wiped before it hears of it.
 */
export function partingSteps(parent: Parent, machines: readonly Machine[]): MachineStep[] {
  const spared = machines.filter((machine) => isSpared(parent, machine))
  const asToldNow = machines.map((machine) => (spared.includes(machine) ? kept(machine) : machine))
  const isForced = parent.metadata.annotations?.[FORCE_DELETION] === 'true'
  return [...spared.map(keepStep), ...leavingSteps(asToldNow, isForced)]
}

const kept = (machine: Machine): Machine => ({
  ...machine,
  ...(machine.spec && { spec: { ...machine.spec, deletionPolicy: 'preserve' } }),
})

interface On {
  world: { pool: MachinePlan }
  write: Writer
}

/** How those steps are done. */
export const machineActs = {
  createMachine: ({ machine }: { machine: string }, { world, write }: On) =>
    write.create(Machine, draftNamed(machine, world.pool.missing)),

  updateMachine: ({ machine }: { machine: string }, { world, write }: On) =>
    applyWhole(
      write,
      Machine,
      draftNamed(
        machine,
        world.pool.changed.map(({ draft }) => draft),
      ),
    ),

  removeMachine: ({ machine, uid }: { machine: string; uid: string }, { write }: On) =>
    write.remove(Machine, machine, { uid }),

  keepMachine: ({ machine, uid }: { machine: string; uid: string }, { write }: On) =>
    write.patch(Machine, machine, {
      type: 'merge',
      body: { metadata: { uid }, spec: { deletionPolicy: 'preserve' } },
    }),

  forceMachine: ({ machine }: { machine: string }, { write }: On) =>
    write.patch(Machine, machine, {
      type: 'merge',
      body: { metadata: { annotations: { [FORCE_DELETION]: 'true' } } },
    }),
}

/** Those steps in words. `Created`, `Updated` and `DeleteFailed` are published. */
export const machineWords = {
  createMachine: ({ machine, address }: { machine: string; address: string }): Told => ({
    ...{ reason: 'Created', failure: 'FailedCreate' },
    deed: `create TalosMachine ${machine} for ${address}`,
    done: `TalosMachine ${machine} created for ${address}`,
  }),
  updateMachine: ({ machine, fields }: { machine: string; fields: readonly string[] }): Told => ({
    ...{ reason: 'Updated', failure: 'FailedUpdate' },
    deed: `update TalosMachine ${machine}: ${fields.join(', ')}`,
    done: `TalosMachine ${machine} updated: ${fields.join(', ')}`,
  }),
  removeMachine: ({ machine, kept }: { machine: string; kept?: string }): Told => ({
    ...{ reason: 'Deleting', failure: 'DeleteFailed' },
    deed: `delete TalosMachine ${machine}${whatIsKept(kept)}`,
    done: `TalosMachine ${machine} is being deleted${whatIsKept(kept)}`,
  }),
  keepMachine: ({ machine }: { machine: string }): Told => ({
    ...{ reason: 'Preserved', failure: 'FailedPreserve' },
    deed: `keep the machine of TalosMachine ${machine} from being reset, because deletionPolicy is preserve`,
    done: `machine of TalosMachine ${machine} is not reset, because deletionPolicy is preserve`,
  }),
  forceMachine: ({ machine }: { machine: string }): Told => ({
    ...{ reason: 'Forced', failure: 'FailedForce' },
    deed: `let TalosMachine ${machine} go without a reset of its machine`,
    done: `TalosMachine ${machine} goes without a reset of its machine`,
  }),
}

const whatIsKept = (why: string | undefined): string =>
  why === undefined ? '' : `, whose machine is not reset and goes on running, ${why}`

function draftNamed(name: string, drafts: readonly MachineDraft[]): MachineDraft {
  const draft = drafts.find(({ metadata }) => metadata.name === name)
  if (!draft) throw new Error('the plan is not of this look')
  return draft
}

/** Whether a condition of a machine holds. */
export const isTrue = ({ status }: Machine, type: string): boolean =>
  (status?.conditions ?? []).some((one) => one.type === type && one.status === 'True')

/** Whether a machine is ready as its spec is now. What was said of an older one says nothing. */
export const isReadyNow = (machine: Machine): boolean =>
  isTrue(machine, 'Ready') && isCurrent(machine)

/** Whether what is said of a machine is of the spec that it has now. */
export const isCurrent = ({ metadata, status }: Machine): boolean =>
  status?.observedGeneration === undefined || status.observedGeneration === metadata.generation

/** What is the matter with those that are not ready, or say so of what was wanted before, sorted by name. */
export const whatIsMissing = (
  machines: readonly Machine[],
  unasked: readonly Machine[] = [],
): string =>
  saidBy(
    machines.filter((machine) => !isReadyNow(machine) || unasked.includes(machine)),
    'Ready',
  )

/** What machines that are to go wait for, sorted by name. */
export const whatBlocks = (machines: readonly Machine[]): string => saidBy(machines, 'Deleting')

const saidBy = (machines: readonly Machine[], type: string): string =>
  machines
    .map((machine) => {
      const { metadata, status } = machine
      const restraint = restraintIn(machine)
      // What else it says is of the time before: nobody looks at it any more.
      if (restraint) return `${metadata.name} ${restraint}`
      const said = status?.conditions?.find((one) => one.type === type)
      const isOld = type === 'Ready' && said?.status === 'True'
      return `${metadata.name}: ${isOld ? 'not looked at since its spec changed' : (said?.message ?? 'not looked at yet')}`
    })
    .sort()
    .join('; ')
