/** How far others get through to a machine, as its configuration leaves it. */
export interface WayIn {
  /** Without it nothing goes in or out. */
  readonly hasAddress: boolean
  /** Whether those get to Talos' API who are not connected yet. */
  readonly letsApiIn: boolean
}

/** As it is before a configuration says otherwise. */
export const OPEN: WayIn = { hasAddress: true, letsApiIn: true }
