import { CONFIG_REJECTED } from '#api/labels.ts'
import type { Machine } from '#api/machine.ts'
import { configRecord, rejectionOf } from '#engine/config-record.ts'
import { type Belonging, originOf } from '#engine/machine-origin.ts'
import { isLeaving } from '#engine/removal.ts'
import { CONFIG_REJECTED_REASON, type Stop } from '#engine/standstill.ts'
import { type MachineOrigin, wantedRecord } from '#engine/wanted-config.ts'
import { ConfigError } from '#machineconfig/config-error.ts'
import type { Reader } from '#runtime/reader.ts'

/**
 * The machines of a pool that said no to the configuration that they are to have. What they say at the moment does not tell: one
 * that went down since, or does not answer any more, has not taken it either.
 */
export async function rejectionsOf(
  machines: readonly Machine[],
  belonging: Belonging,
  read: Pick<Reader, 'fetch'>,
): Promise<Stop[]> {
  const asked = machines.filter(
    (machine) =>
      machine.metadata.annotations?.[CONFIG_REJECTED] !== undefined && !isLeaving(machine),
  )
  const origins = await Promise.all(asked.map((machine) => originOf(machine, belonging, read)))
  return origins.flatMap((origin) => rejectionIn(origin) ?? [])
}

function rejectionIn(origin: MachineOrigin): Stop | undefined {
  const { machine } = origin
  const { name } = machine.metadata
  const wanted = wantedIn(origin)
  const why = wanted === undefined ? undefined : rejectionOf(machine, wanted)
  // It may have come to have it by other means.
  if (why === undefined || configRecord(machine)?.config === wanted) return undefined
  return {
    ...{ name, reason: CONFIG_REJECTED_REASON },
    message: `it does not take the configuration that the spec asks for: ${why}. Correct the spec, or take it out of that; to have the same tried again, remove the annotation ${CONFIG_REJECTED} from TalosMachine ${name}`,
  }
}

function wantedIn(origin: MachineOrigin): string | undefined {
  try {
    return wantedRecord(origin).config
  } catch (error) {
    // Its machine says what is wrong with it.
    if (error instanceof ConfigError) return undefined
    throw error
  }
}
