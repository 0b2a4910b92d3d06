import type { ControlPlane } from '#api/control-plane.ts'
import {
  BOOTSTRAP_ACCEPTED,
  BOOTSTRAP_MACHINE,
  ETCD_LEFT,
  ETCD_SEEN,
  MACHINE_UUID,
  MAY_GO,
} from '#api/labels.ts'
import type { Machine } from '#api/machine.ts'
import { isTrue } from '#engine/pool-machines.ts'

// What the machine controller says of machines: nothing else is known of them here.

/** The machine that it stands for, once that was, or is about to be, given its configuration. */
export const claimedUuid = ({ metadata }: Machine): string | undefined =>
  metadata.annotations?.[MACHINE_UUID]

export const isClaimed = (machine: Machine): boolean => claimedUuid(machine) !== undefined

/** Whether it was taken out of etcd, to be reset. */
export const hasLeft = ({ metadata }: Machine): boolean =>
  metadata.annotations?.[ETCD_LEFT] !== undefined

/** Whether it was said that nothing speaks against its going. */
export const mayGo = ({ metadata }: Machine): boolean =>
  metadata.annotations?.[MAY_GO] !== undefined

/** What is written down of where a cluster began, and before it does. */
const BEGINNINGS = [BOOTSTRAP_MACHINE, BOOTSTRAP_ACCEPTED, ETCD_SEEN]

export const hasEverBegun = ({ metadata }: ControlPlane): boolean =>
  BEGINNINGS.some((note) => metadata.annotations?.[note] !== undefined)

export const beganOn = ({ metadata }: ControlPlane, uuid: string): boolean =>
  BEGINNINGS.some((note) => metadata.annotations?.[note] === uuid)

/** Whether it answered as the one that it is to be. */
export const isAnswering = (machine: Machine): boolean => isTrue(machine, 'Reachable')

// Without etcd it never gets further than booting; before that it cannot begin a cluster.
const UP: readonly (string | undefined)[] = ['booting', 'running']

/** Whether it has its configuration and works with it, and is there to stay. */
export const isUp = (machine: Machine): boolean =>
  isClaimed(machine) &&
  machine.metadata.deletionTimestamp === undefined &&
  isAnswering(machine) &&
  machine.status?.type === 'controlplane' &&
  UP.includes(machine.status.stage)

export const isMember = ({ status }: Machine): boolean => status?.etcdMember !== undefined

/** Whether there is a member of etcd among them: then the cluster has begun, whoever began it. */
export const hasBegun = (machines: readonly Machine[]): boolean => machines.some(isMember)

/** Whether none of them is on its way, so that what belongs to nobody will not be one of theirs in a moment. */
export const areSettled = (machines: readonly Machine[]): boolean =>
  machines.every(
    (machine) => machine.metadata.deletionTimestamp !== undefined || isTrue(machine, 'Ready'),
  )

/** Where a control plane is that is not ready. */
export const standing = (machines: readonly Machine[]) =>
  hasBegun(machines) ? ('Bootstrapped' as const) : ('Pending' as const)
