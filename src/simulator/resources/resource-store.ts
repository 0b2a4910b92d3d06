import type { Cancel } from '#base/clock.ts'

/** Something that a machine shows of itself, as COSI has it. */
export interface MachineResource {
  readonly namespace: string
  /** `MachineStatuses.runtime.talos.dev` */
  readonly type: string
  readonly id: string
  /** Counts its changes, from 1. */
  readonly version: number
  readonly owner: string
  readonly phase: 'running' | 'tearingDown'
  readonly createdMs: number
  readonly updatedMs: number
  readonly labels: ReadonlyMap<string, string>
  readonly annotations: ReadonlyMap<string, string>
  /** As YAML shows it: plain data, keys in the order in which they are shown; a text for scalars. */
  readonly spec: unknown
}

export interface ResourceChange {
  readonly type: 'created' | 'updated' | 'destroyed'
  readonly resource: MachineResource
  readonly old: MachineResource | undefined
  /** Counts all changes of the store; where a watch can go on from. */
  readonly bookmark: number
}

/** All that a machine shows of itself. It begins anew with each boot. */
export interface ResourceStore {
  get(namespace: string, type: string, id: string): MachineResource | undefined
  /** In the order of their ids. */
  list(namespace: string, type: string): readonly MachineResource[]
  /** Of the newest change. */
  readonly bookmark: number
  /** Changes of one type after a bookmark, oldest first; undefined when that is too long ago. */
  changesSince(
    bookmark: number,
    namespace: string,
    type: string,
  ): readonly ResourceChange[] | undefined
  onChange(listener: (change: ResourceChange) => void): Cancel
}
