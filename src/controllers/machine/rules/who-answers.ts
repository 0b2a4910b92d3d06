import { MACHINE_UUID } from '#api/labels.ts'
import type { Decision, Rule } from '#controllers/machine/decision.ts'
import type { Seen } from '#controllers/machine/world.ts'
import { no, unknown, type Verdict } from '#runtime/plan.ts'

/** Whether it answers at all. Nothing else is known of a machine that does not. */
export const silent: Rule = ({ status }, { seen, wanted }) => {
  if (seen.is === 'unasked') {
    const why = wanted.is === 'waiting' ? wanted.message : 'the keys of its cluster are not known'
    return {
      reachable: unknown('NotAsked', `the machine was not asked: ${why}`),
      ready: no('NotAsked', `the machine was not asked: ${why}`),
      pace: 'soon',
    }
  }
  if (seen.is !== 'silent') return undefined
  // While it installs or boots it is not there for a while, and nobody has to be alarmed.
  const isOnItsWay = status?.state === 'Installing' || status?.state === 'Booting'
  return {
    ...unreached('Unreachable', seen.message),
    pace: isOnItsWay ? 'soon' : 'silent',
  }
}

/** Whether it is one that we may speak to. */
export const stranger: Rule = ({ spec }, { seen }) => {
  if (seen.is !== 'stranger') return undefined
  return { ...refusalOf(seen, spec?.endpoint ?? ''), pace: 'later' }
}

/** Addresses move, machines stay who they are. */
export const anotherMachine: Rule = ({ metadata, spec }, { seen }) => {
  const claimed = metadata.annotations?.[MACHINE_UUID]
  if (!claimed || !('uuid' in seen) || seen.uuid === claimed) return undefined
  return {
    ...unreached(
      'AnotherMachine',
      `the machine at ${spec?.endpoint} is ${seen.uuid}, and not ${claimed}, which this object stands for: nothing is done to it. Correct the address, or delete this object to let the machine go`,
    ),
    pace: 'later',
  }
}

function refusalOf({ mismatch, message }: Extract<Seen, { is: 'stranger' }>, address: string) {
  const way = `Wipe it with \`talosctl reset\` if nobody needs what is on it, or correct the address`
  switch (mismatch) {
    case 'not-in-maintenance':
    case 'another-cluster':
      return unreached(
        'NotInMaintenance',
        `the machine at ${address} already has a configuration that is not of this cluster, and is left alone. ${way}`,
      )
    case 'another-address':
      return unreached(
        'AnotherAddress',
        `the machine at ${address} is of this cluster, and its certificate is for other addresses: it is left alone. Correct the address`,
      )
    default:
      return unreached('IdentityUnknown', message)
  }
}

const unreached = (reason: string, message: string): Pick<Decision, 'ready' | 'reachable'> => {
  const verdict: Verdict = no(reason, message)
  return { ready: verdict, reachable: verdict }
}
