import { CONFIG, CONFIG_REJECTED, CONFIG_TRIED, TURN_DONE } from '#api/labels.ts'
import { Machine } from '#api/machine.ts'
import type { Secret } from '#base/secret.ts'
import type { ClusterPorts } from '#engine/cluster-ports.ts'
import {
  closedText,
  recordText,
  rejectionText,
  type TriedMode,
  triedText,
  triedWith,
} from '#engine/config-record.ts'
import type { LongCalls } from '#engine/long-calls.ts'
import { assertIs, onlyTo } from '#engine/machine-identity.ts'
import { configFingerprint, wantedText } from '#engine/wanted-config.ts'
import { keyOf } from '#kube/cache.ts'
import { takesAllAtOnce } from '#machineconfig/diff/classify.ts'
import type { Acts } from '#runtime/definition.ts'
import type { Writer } from '#runtime/writer.ts'
import type { Application, ApplyMode } from '#talos/calls/configuration.ts'
import { MachineError, outcomeOf } from '#talos/outcome.ts'
import { answeredOrLost, assertClaimed, member, note, notOfThisLook } from './act-parts.ts'
import { assertMayGoDown, giveUpLead } from './going-down.ts'
import { TRY_MS } from './rules/tries.ts'
import type { Step, World } from './world.ts'

type ConfigStep = Extract<
  Step,
  {
    do: 'applyConfig' | 'keepConfig' | 'noteConfig' | 'noteRejected' | 'noteCutOff' | 'endTurn'
  }
>

/** How the configuration of a machine that runs is changed. */
export function configActs({
  machines,
  clock,
  long,
}: ClusterPorts & { long: LongCalls }): Acts<typeof Machine, World, ConfigStep> {
  return {
    applyConfig: async ({ uuid, config, mode, times }, { resource, world, write }) => {
      const configuration = textOf(world, config)
      assertClaimed(resource, uuid)
      if (world.turn === undefined) throw notOfThisLook()
      const { signal } = write
      const how = manner(mode, world)
      const reject = (why: string, more: Record<string, string> = {}) =>
        noteAnyhow(resource, write, { [CONFIG_REJECTED]: rejectionText(config, why), ...more })
      const machine = member(machines, resource, world)
      // Whether it can be reached with what it has now is found out by a new connection, and by no old one.
      await onlyTo(machine, { uuid, signal, isNone: true }, async (same) => {
        const apply = (by: Omit<Application, 'configuration'>) =>
          same.configuration.apply({ configuration, ...by }, { signal })
        const refusal = await refusalOf(apply({ mode: how.dryRun, dryRun: true }))
        if (refusal !== undefined) return reject(refusal)
        if (how.isDown) await assertMayGoDown({ machines }, { resource, world, signal })
        // Before it is done: what became of it is judged by this.
        const tried = { config, times, mode, at: clock.now(), ...how.boot }
        await note(resource, write, { [CONFIG_TRIED]: triedText(tried) })
        await assertIs(same, uuid, signal)
        if (how.isDown) await giveUpLead(same, world, signal)
        const afterAll = await refusalOf(answeredOrLost(apply(how.real)))
        return afterAll && reject(afterAll, { [CONFIG_TRIED]: closedText(tried) })
      })
    },

    keepConfig: async ({ uuid, config }, { resource, world, write }) => {
      const configuration = textOf(world, config.config)
      assertClaimed(resource, uuid)
      const { signal } = write
      const machine = member(machines, resource, world)
      // Old connections may go on where nobody gets a new one: so it is asked over one that is made now.
      await onlyTo(machine, { uuid, signal, isNone: true }, async () => undefined)
      // Only a yes is believed: whoever did not hear it takes the configuration back.
      await onlyTo(machine, { uuid, signal }, (same) =>
        same.configuration.apply({ configuration, mode: 'no-reboot' }, { signal }),
      )
      await note(resource, write, {
        [CONFIG]: recordText(config),
        ...closing(resource, config.config),
      })
    },

    noteConfig: ({ config }, { resource, write }) =>
      note(resource, write, { [CONFIG]: recordText(config) }),

    // Whoever has it tried again has that done from the start.
    noteRejected: ({ config, why }, { resource, write }) =>
      note(resource, write, {
        [CONFIG_REJECTED]: rejectionText(config, why),
        ...closing(resource, config),
      }),

    noteCutOff: async ({ config }, { resource, write }) => {
      const tried = triedWith(resource, config)
      if (!tried) throw notOfThisLook()
      await note(resource, write, { [CONFIG_TRIED]: triedText({ ...tried, isCutOff: true }) })
    },

    endTurn: ({ turn, took }, { resource, write }) => {
      long.forget(keyOf(resource))
      return note(resource, write, {
        [TURN_DONE]: `${turn}`,
        ...(took !== undefined && closing(resource, took)),
      })
    },
  }
}

/** What is written down when it is known what became of a try. Of another one nothing is. */
function closing(resource: Machine, config: string): Record<string, string> {
  const tried = triedWith(resource, config)
  return tried ? { [CONFIG_TRIED]: closedText(tried) } : {}
}

/** The text of the wanted configuration, which is this one. */
function textOf({ means }: World, config: string): Secret<string> {
  const wanted = means.config?.()
  if (!wanted || configFingerprint(wanted) !== config) throw notOfThisLook()
  return wantedText(wanted)
}

interface Manner {
  dryRun: ApplyMode
  real: Omit<Application, 'configuration'>
  /** Whether the machine goes down by it, or is to. */
  isDown: boolean
  /** By which it is known afterwards whether it has booted. */
  boot: { boot?: string }
}

/** How a configuration is given to a machine of this version. */
function manner(mode: TriedMode, { seen }: World): Manner {
  if (seen.is !== 'member') throw notOfThisLook()
  // What can be had at once can be tried: for that there is no dry run of its own.
  if (mode === 'try') {
    const real = { mode, tryTimeoutMs: TRY_MS }
    return { dryRun: 'no-reboot', real, isDown: false, boot: {} }
  }
  if (mode === 'live') {
    return { dryRun: 'no-reboot', real: { mode: 'no-reboot' }, isDown: false, boot: {} }
  }
  if (!seen.boot) throw notOfThisLook()
  // Since v1.14 it is booted by a call of its own.
  const by = takesAllAtOnce(seen.version) ? 'no-reboot' : 'reboot'
  return { dryRun: by, real: { mode: by }, isDown: true, boot: { boot: seen.boot.id } }
}

/** Of this very object, whatever was written on it meanwhile. */
const noteAnyhow = (
  { metadata }: Machine,
  write: Writer,
  annotations: Record<string, string>,
): Promise<unknown> =>
  write.patch(Machine, metadata.name, {
    type: 'merge',
    body: { metadata: { uid: metadata.uid, annotations } },
  })

/** The no of a machine in its own words, which quote no values. Undefined: it said yes. */
async function refusalOf(asked: Promise<unknown>): Promise<string | undefined> {
  try {
    await asked
    return undefined
  } catch (error) {
    if (error instanceof MachineError && outcomeOf(error) === 'refused') return error.message
    throw error
  }
}
