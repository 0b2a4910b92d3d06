import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ConfigMap, Event, Lease } from '#api/foreign.ts'
import { KubernetesCluster } from '#api/kubernetes-cluster.ts'
import type { ApiKind, KubeObject } from '#api/meta.ts'
import { ProvidedMachine } from '#api/provided-machine.ts'
import { filesIn } from './files-in.ts'
import { brokenByCalls } from './invariants-of-calls.ts'
import { brokenDrains } from './invariants-of-drains.ts'
import { brokenProvided } from './invariants-of-provided.ts'
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
    ...brokenProvided(world.boundary.history),
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
  const kinds = [...OURS, KubernetesCluster, ProvidedMachine, Event, ConfigMap, Lease]
  const shown = [
    ...(await Promise.all(kinds.map((kind) => textsOf(world, kind)))).flat(),
    ...world.log.map((text) => ({ where: 'the log', text })),
    ...(await filesOf(world)),
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
      // Users may put a token and a CA into the spec of one.
      text: JSON.stringify(kind.kind === KubernetesCluster.kind ? { ...one, spec: {} } : one),
    }))
}

function filesOf({ clock, resultsFolder }: World) {
  const texts = async () =>
    (await filesIn(resultsFolder)).map(async (file) => ({
      ...{ where: `the file ${file}`, text: await readFile(join(resultsFolder, file), 'utf8') },
    }))
  return clock.elsewhere(async () => Promise.all(await texts()))
}
