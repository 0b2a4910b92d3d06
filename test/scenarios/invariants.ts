import { ConfigMap, Event, Lease } from '#api/foreign.ts'
import type { ApiKind, KubeObject } from '#api/meta.ts'
import { brokenByCalls } from './invariants-of-calls.ts'
import { brokenDrains } from './invariants-of-drains.ts'
import { OURS } from './objects.ts'
import { secretTexts } from './secret-texts.ts'
import type { World } from './world.ts'

/** On what a user wrote that has secrets in it. */
export const GIVEN = 'given-by-user'

/**
 * What must hold of everything that the operator did and of everything that it left behind, whatever
 * happened meanwhile. The answer is what does not hold, in sentences.
 */
export async function brokenInvariants(world: World): Promise<string[]> {
  return [
    ...begunTwice(world),
    ...brokenByCalls(world.boundary.history),
    ...(await brokenDrains(world)),
    ...(await shownSecrets(world)),
  ]
}

/** By what the machines themselves say: an answer may have been lost. Somebody who recovers one begins it anew, with what was in it. */
function begunTwice({ fleet }: World): string[] {
  const begun = fleet.clusters
    .map(({ halves }) => halves.filter(({ etcd }) => etcd.restored === undefined).length)
    .filter((times) => times > 1)
  return begun.map((times) => `a cluster was begun ${times} times`)
}

/** How often machines took a bootstrap. */
export const bootstrapsIn = ({ fleet }: World): number =>
  fleet.history.happenings.filter(({ what }) => what === 'is told to bootstrap').length

/** How often machines took a reset. */
export const resetsIn = ({ fleet }: World): number =>
  fleet.history.happenings.filter(({ what }) => what.startsWith('is told to reset')).length

async function shownSecrets(world: World): Promise<string[]> {
  const secrets = await secretTexts(world)
  const kinds = [...OURS, Event, ConfigMap, Lease]
  const shown = [
    ...(await Promise.all(kinds.map((kind) => textsOf(world, kind)))).flat(),
    ...world.log.map((text) => ({ where: 'the log', text })),
  ]
  return shown
    .filter(({ text }) => secrets.some((secret) => text.includes(secret)))
    .map(({ where }) => `a secret is in ${where}`)
}

async function textsOf({ objects }: World, kind: ApiKind) {
  const listed: KubeObject[] = await objects.list(kind)
  // What users put there themselves is theirs.
  return listed
    .filter(({ metadata }) => metadata.labels?.[GIVEN] === undefined)
    .map((one) => ({
      where: `${kind.kind} ${one.metadata.name}`,
      text: JSON.stringify(one),
    }))
}
