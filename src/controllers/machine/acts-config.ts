import { CONFIG, CONFIG_REJECTED, CONFIG_TRIED, TURN_DONE } from '#api/labels.ts'
import { Machine } from '#api/machine.ts'
import type { Secret } from '#base/secret.ts'
import type { ClusterPorts } from '#engine/cluster-ports.ts'
import { recordText, rejectionText, type TriedMode, triedText } from '#engine/config-record.ts'
import { assertIs, onlyTo } from '#engine/machine-identity.ts'
import { configFingerprint, wantedText } from '#engine/wanted-config.ts'
import type { Acts } from '#runtime/definition.ts'
import type { Writer } from '#runtime/writer.ts'
import type { Application, ApplyMode } from '#talos/calls/configuration.ts'
import { MachineError, outcomeOf } from '#talos/outcome.ts'
import { answeredOrLost, assertClaimed, member, note, notOfThisLook } from './act-parts.ts'
import { TRY_MS } from './rules/configuration.ts'
import type { Step, World } from './world.ts'

type ConfigStep = Extract<
  Step,
  { do: 'applyConfig' | 'keepConfig' | 'noteConfig' | 'noteRejected' | 'endTurn' }
>

const MODES: Record<TriedMode, ApplyMode> = { live: 'no-reboot', try: 'try', reboot: 'reboot' }

/** How the configuration of a machine that runs is changed. */
export function configActs({
  machines,
  clock,
}: ClusterPorts): Acts<typeof Machine, World, ConfigStep> {
  return {
    applyConfig: async ({ uuid, config, mode, times }, { resource, world, write }) => {
      const configuration = textOf(world, config)
      assertClaimed(resource, uuid)
      if (world.turn === undefined) throw notOfThisLook()
      const { signal } = write
      await onlyTo(member(machines, resource, world), { uuid, signal }, async (same) => {
        const apply = (how: Omit<Application, 'configuration'>) =>
          same.configuration.apply({ configuration, ...how }, { signal })
        // For a try there is no dry run of its own: what can be had at once can be tried.
        const dryRun = { mode: mode === 'try' ? MODES.live : MODES[mode], dryRun: true }
        const said = await refusalOf(apply(dryRun))
        if (said !== undefined) {
          await reject(resource, write, rejectionText(config, said))
          return
        }
        // Before it is done: what became of it is judged by this.
        const tried = triedText({ config, times, mode, at: clock.now() })
        await note(resource, write, { [CONFIG_TRIED]: tried })
        await assertIs(same, uuid, signal)
        const tryFor = mode === 'try' ? { tryTimeoutMs: TRY_MS } : {}
        const no = await refusalOf(answeredOrLost(apply({ mode: MODES[mode], ...tryFor })))
        if (no !== undefined) await reject(resource, write, rejectionText(config, no))
      })
    },

    keepConfig: async ({ uuid, config }, { resource, world, write }) => {
      const configuration = textOf(world, config.config)
      assertClaimed(resource, uuid)
      const { signal } = write
      const machine = member(machines, resource, world)
      // Only a yes is believed: whoever did not hear it takes the configuration back.
      await onlyTo(machine, { uuid, signal }, (same) =>
        same.configuration.apply({ configuration, mode: MODES.live }, { signal }),
      )
      await note(resource, write, { [CONFIG]: recordText(config) })
    },

    noteConfig: ({ config }, { resource, write }) =>
      note(resource, write, { [CONFIG]: recordText(config) }),

    noteRejected: ({ config, why }, { resource, write }) =>
      reject(resource, write, rejectionText(config, why)),

    endTurn: ({ turn }, { resource, write }) => note(resource, write, { [TURN_DONE]: `${turn}` }),
  }
}

/** The text of the wanted configuration, which is this one. */
function textOf({ means }: World, config: string): Secret<string> {
  const wanted = means.config?.()
  if (!wanted || configFingerprint(wanted) !== config) throw notOfThisLook()
  return wantedText(wanted)
}

/** Of this very object, whatever was written on it meanwhile. */
const reject = ({ metadata }: Machine, write: Writer, text: string): Promise<unknown> =>
  write.patch(Machine, metadata.name, {
    type: 'merge',
    body: { metadata: { uid: metadata.uid, annotations: { [CONFIG_REJECTED]: text } } },
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
