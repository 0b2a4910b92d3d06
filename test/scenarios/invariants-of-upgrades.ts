import { type Call, type KubernetesCall, type MachineCall, wordsFor } from './boundary.ts'
import { takesDown } from './invariants-of-disruption.ts'

const UPGRADES: readonly string[] = ['upgrade.legacy', 'upgrade.lifecycle']

/** What was risked by giving a machine another Talos, by what was done to it before. */
export function brokenUpgrade(call: MachineCall, history: readonly Call[]): string[] {
  const before = history.slice(0, history.indexOf(call))
  return [
    ...(UPGRADES.includes(call.method)
      ? [...unfetched(call, before), ...toldInVain(call, before)]
      : []),
    ...(takesDown(call) ? drainedTooSoon(call, before) : []),
  ]
}

/** Before a machine is told to install something, that is known to be there. */
const unfetched = (call: MachineCall, before: readonly Call[]): string[] =>
  before.some(isFetchOf(call))
    ? []
    : [`${wordsFor(call)}: nobody has seen that it can fetch ${call.image}`]

const isFetchOf =
  ({ uuid, image }: MachineCall) =>
  (one: Call): one is MachineCall =>
    one.to === 'machine' &&
    /^images\.pull/.test(one.method) &&
    one.outcome === 'done' &&
    one.uuid === uuid &&
    [one.image, one.fetchedAs].includes(image)

/**
 * Who booted since it was told, and runs what it ran before, went back to that. To tell it the same once more may cost what it
 * still has, so somebody has to ask for that.
 */
function toldInVain(call: MachineCall, before: readonly Call[]): string[] {
  const former = before
    .filter((one) => one.to === 'machine')
    .filter((one) => one.uuid === call.uuid && UPGRADES.includes(one.method) && isEffective(one))
    .find(
      (one) =>
        one.version === call.version &&
        one.bootId !== call.bootId &&
        one.asked === call.asked &&
        nameOf(one, before) === nameOf(call, before),
    )
  return former
    ? [
        `${wordsFor(call)}: it went back to ${call.version} after it was told the same, and nobody asked for another try`,
      ]
    : []
}

const isEffective = ({ outcome }: Call): boolean =>
  outcome !== 'never made' && outcome !== 'refused'

/** What an image is called by whoever wants it: machines call what they have fetched by its digest. */
const nameOf = ({ image }: MachineCall, before: readonly Call[]): string | undefined =>
  before
    .filter((one) => one.to === 'machine')
    .find(({ fetchedAs }) => fetchedAs !== undefined && fetchedAs === image)?.image ?? image

/** A node is not emptied for an image that may not be there. */
function drainedTooSoon(call: MachineCall, before: readonly Call[]): string[] {
  const told = toldToInstall(call, before)
  const at = before.findLastIndex((one) => isCordonOf(one, call) || isOwnEnd(one, call))
  const cordon = before[at]
  if (!told || cordon?.to !== 'kubernetes') return []
  // Somebody may have asked for another one meanwhile.
  const isAnother = cordon.asked !== call.asked
  return isAnother || before.slice(0, at).some(isFetchOf(told))
    ? []
    : [`${wordsFor(call)}: its node was drained before it had ${told.image}`]
}

/** What makes a machine boot another Talos when it goes down; undefined if nothing does. */
const toldToInstall = (call: MachineCall, before: readonly Call[]): MachineCall | undefined =>
  call.method === 'upgrade.legacy'
    ? call
    : before.findLast(
        (one): one is MachineCall =>
          one.to === 'machine' &&
          one.method === 'upgrade.lifecycle' &&
          one.uuid === call.uuid &&
          one.bootId === call.bootId &&
          isEffective(one),
      )

const isCordonOf = (one: Call, { node }: MachineCall): one is KubernetesCall =>
  one.to === 'kubernetes' && one.isCordon === true && one.name === node && one.outcome === 'done'

/** For what it went down before, it was drained before. */
const isOwnEnd = (one: Call, { uuid }: MachineCall): boolean =>
  one.to === 'machine' && one.uuid === uuid && takesDown(one) && isEffective(one)
