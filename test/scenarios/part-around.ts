import { ControlPlane } from '#api/control-plane.ts'
import { MACHINE_UUID } from '#api/labels.ts'
import type { KubeObject } from '#api/meta.ts'
import type { Fleet } from '#simulator/fleet/fleet.ts'
import { allowedIn, parentOf } from './turns-around.ts'
import { isGoingAsAWhole } from './undrained.ts'

/** The moment at which a machine was last seen to run and to be ready, in which of its boots. */
interface LastReady {
  readonly at: Date
  readonly bootId: string
}

/** Those that belong to the same control plane or pool as a machine does, as far as each was given to a TalosMachine. */
export interface PartAround {
  readonly isOfControlPlane: boolean
  /** How many of all of them may be down at our hand. */
  readonly allowed: number
  /** Whether it was let go while it was down by itself: nobody had to wait for the others before. */
  readonly wasDownWhenLetGo?: boolean
  readonly others: readonly {
    readonly uuid: string
    readonly address: string
    readonly isLeaving: boolean
    readonly lastReady: LastReady | undefined
  }[]
}

/** When machines were ready, by what they say themselves. */
export class Readiness {
  readonly #fleet: Fleet
  readonly #now: () => Date
  readonly #known = new Map<string, LastReady>()
  /** Of those that are ready, since when. */
  readonly #since = new Map<string, Date>()

  constructor(fleet: Fleet, now: () => Date) {
    this.#fleet = fleet
    this.#now = now
    fleet.onChange((address) => this.#look(address))
  }

  /** Undefined: it never was. */
  of(address: string, uuid: string): LastReady | undefined {
    this.#look(address)
    return this.#known.get(uuid)
  }

  /** Whether it has been ready from then on without a break. */
  hasBeenSince(then: Date, address: string, uuid: string): boolean {
    this.#look(address)
    const since = this.#since.get(uuid)
    return since !== undefined && since <= then
  }

  #look(address: string): void {
    const machine = this.#fleet.machine(address)
    if (!machine) return
    const { uuid } = machine.hardware
    if (!machine.isReady || machine.stage !== 'running') {
      this.#since.delete(uuid)
      return
    }
    const [at, { bootId }] = [this.#now(), machine]
    if (this.#known.get(uuid)?.bootId !== bootId) this.#since.delete(uuid)
    if (!this.#since.has(uuid)) this.#since.set(uuid, at)
    this.#known.set(uuid, { at, bootId })
  }
}

/** Undefined of what belongs nowhere, and of those that go as a whole: of them none has to be left. */
export function partAround(
  claimed: readonly KubeObject[],
  all: readonly KubeObject[],
  readiness: Readiness,
): PartAround | undefined {
  const [machine] = claimed
  const parent = parentOf(machine, all)
  if (!machine || !parent || isGoingAsAWhole(parent, all)) return undefined
  const others = all.filter((one) => one !== machine && parentOf(one, all) === parent)
  return {
    isOfControlPlane: parent.kind === ControlPlane.kind,
    allowed: allowedIn(parent, all),
    wasDownWhenLetGo: wasDownWhenLetGo(machine, readiness),
    others: others.flatMap((one) => {
      const { uuid, address } = placeOf(one)
      const isLeaving = one.metadata.deletionTimestamp !== undefined
      return uuid === undefined
        ? []
        : { uuid, address, isLeaving, lastReady: readiness.of(address, uuid) }
    }),
  }
}

function wasDownWhenLetGo(machine: KubeObject, readiness: Readiness): boolean {
  const { deletionTimestamp } = machine.metadata
  const { uuid, address } = placeOf(machine)
  if (deletionTimestamp === undefined || uuid === undefined) return false
  return !readiness.hasBeenSince(new Date(deletionTimestamp), address, uuid)
}

const placeOf = ({ metadata, ...one }: KubeObject) => ({
  uuid: metadata.annotations?.[MACHINE_UUID],
  address: String(Object(one).spec?.endpoint ?? ''),
})
