import { ControlPlane } from '#api/control-plane.ts'
import { MACHINE_UUID } from '#api/labels.ts'
import { Machine } from '#api/machine.ts'
import { Worker } from '#api/worker.ts'
import type { ClusterSeen } from '#engine/cluster-nodes-seen.ts'
import type { ClusterPorts } from '#engine/cluster-ports.ts'
import { configTextOf } from '#engine/config-ref.ts'
import { wantedSchematic } from '#engine/installer.ts'
import type { LongCalls } from '#engine/long-calls.ts'
import { isTrue } from '#engine/pool-machines.ts'
import { heldTurn, ownTurn } from '#engine/turns.ts'
import { upgradeRecord } from '#engine/upgrade-record.ts'
import { keyOf } from '#kube/cache.ts'
import type { SecretsBundle } from '#machineconfig/secrets/bundle.ts'
import type { Reader } from '#runtime/reader.ts'
import { ClusterKeys, type Occasion } from './cluster-keys.ts'
import type { ConfigChanges } from './config-change.ts'
import type { ConfigFingerprints } from './config-fingerprints.ts'
import { alikeTo, claimantsOf } from './found-by.ts'
import { look } from './look.ts'
import { COMPONENTS_UNASKED, lookAtComponents } from './look-components.ts'
import { lookAtPods, UNASKED } from './look-pods.ts'
import { lookAtVersions, VERSIONS_UNASKED } from './look-versions.ts'
import { formerNodesOf, nodeOf } from './node-of.ts'
import { lookAgain } from './old-view.ts'
import { parentFor } from './parent.ts'
import { confirmedRivalsOf, holderOf, rivalsOf } from './rivals.ts'
import type { SentConfigs } from './sent-configs.ts'
import { type ConfigText, wantedOf } from './wanted.ts'
import { isWipedWhenDeleted, type Parent, type Seen, type World } from './world.ts'

/** What is known from before, and can be lost without harm. */
interface Remembered {
  sent: SentConfigs
  fingerprints: ConfigFingerprints
  changes: ConfigChanges
  long: LongCalls
}

const SETTLED_MS = 60_000

/** Looks at the machine, and at what it belongs to. */
export const observe = (ports: ClusterPorts & Remembered) => {
  const { clock, machines, credentials, nodes, writesMeta } = ports
  const { sent, fingerprints, changes, long } = ports
  const clusterKeys = new ClusterKeys(ports)
  return async (machine: Machine, read: Reader): Promise<World> => {
    const isLeaving = machine.metadata.deletionTimestamp !== undefined
    // What goes without its machine must not hang on whether that, or anything, can be asked.
    const isLetGo = isLeaving && !isWipedWhenDeleted(machine)
    const parent = await parentFor(machine, read)
    if (parent.is !== 'there' || isLetGo) return { ...NOTHING_SEEN, parent }
    const { controlPlane } = parent
    const cluster = keyOf(controlPlane)
    // Fetched only for a machine that answers, or that is asked with the keys.
    const isAtRest = isSettled(machine, clock.now())
    const bundle = keysFor(machine, isAtRest, (occasion) =>
      clusterKeys.of(controlPlane, occasion, read),
    )
    const access = onceAsked(async () => {
      const found = await bundle.toLook()
      return found && credentials.of(found, cluster)
    })
    const seen = await look({
      ...{ machines, access, fingerprints, signal: read.signal },
      ...whomOf(machine, writesMeta),
      isSettled: isAtRest,
    })
    const isOutOfReach = OUT_OF_REACH.has(seen.is)
    const { config, ...wanted } =
      isLeaving || isOutOfReach
        ? NOTHING_WANTED
        : wantedOf({
            ...{ machine, parent, seen, writesMeta },
            bundle: await bundle.toGive(seen),
            configText: await givenConfigOf(machine, read),
          })
    const keys = isOutOfReach ? undefined : await access()
    const place = await among(machine, seen, { read, cluster: nodes.seen(cluster) })
    const turn = await turnOf(machine, parent, read)
    const { signal } = read
    const change = changes.between(seen, wanted.wanted, config)
    return {
      ...{ parent, seen, ...wanted, ...place, turn, change },
      ...(await lookAtVersions(machine, { seen, parent, turn, change, ...wanted }, read)),
      components: await lookAtComponents(
        { parent, seen, turn, ...wanted, ...place },
        { nodes, signal },
      ),
      long: long.of(keyOf(machine)),
      pods: await lookAtPods(machine, { parent, seen, ...place }, { nodes, signal }),
      ...(await lookAgain(machine, { parent, seen }, read)),
      alike: alikeTo(seen, read),
      hasTakenConfig: sent.hasTaken(seen, wanted.wanted),
      means: {
        ...(keys && { access: keys }),
        ...(config && { config }),
        ...(ownTurn(machine) !== undefined && { others: othersOf(machine, read) }),
      },
    }
  }
}

/** Whom to look for, and what for. */
const whomOf = (machine: Machine, writesMeta: boolean) => ({
  address: machine.spec?.endpoint ?? '',
  readsMeta: writesMeta && machine.spec?.machineSpec?.meta !== undefined,
  // What speaks against an upgrade is known before it is its turn: or it would get one, and give it back, for ever.
  readsBoot:
    ownTurn(machine) !== undefined ||
    machine.status?.observedVersion !== machine.spec?.version ||
    isSchematicOpen(machine) ||
    // What it was told is true only of the boot that it was told in.
    upgradeRecord(machine) !== undefined,
  isClaimed: machine.metadata.annotations?.[MACHINE_UUID] !== undefined,
})

/** Whether a machine may be of another schematic than it is to be. Only a boot makes it one, and none boots and stays ready. */
function isSchematicOpen(machine: Machine): boolean {
  const schematic = wantedSchematic(machine)
  const isKnown = machine.status?.observedSchematic === schematic && isTrue(machine, 'Ready')
  return schematic !== undefined && !isKnown
}

/** Whether it has been ready for a while. One that has just become so is looked at again with each node of its cluster. */
const isSettled = ({ status }: Machine, now: Date): boolean =>
  (status?.conditions ?? []).some(
    (condition) =>
      condition.type === 'Ready' &&
      condition.status === 'True' &&
      now.getTime() - Date.parse(condition.lastTransitionTime) > SETTLED_MS,
  )

interface Keys {
  toLook: () => Promise<SecretsBundle | undefined>
  toGive: (seen: Seen) => Promise<SecretsBundle | undefined>
}

/** The keys to look with, and those to give: nothing is done to a machine that is ready, unless it has a turn or goes. */
function keysFor(
  machine: Machine,
  isAtRest: boolean,
  ask: (occasion: Occasion) => Promise<SecretsBundle | undefined>,
): Keys {
  const isOnlyLookedAt =
    isAtRest &&
    ownTurn(machine) === undefined &&
    machine.metadata.deletionTimestamp === undefined &&
    machine.status?.observedGeneration === machine.metadata.generation
  const asked = onceAsked(() => ask('underWay'))
  const toLook = isOnlyLookedAt ? onceAsked(() => ask('atRest')) : asked
  // Who has lost all since the last look may be given a configuration in this very pass.
  return { toLook, toGive: (seen) => (seen.is === 'member' ? toLook() : asked()) }
}

/** What it is to the other machines, and in its cluster. */
async function among(
  machine: Machine,
  seen: Seen,
  { read, cluster: { api, nodes } }: { read: Reader; cluster: ClusterSeen },
): Promise<
  Pick<World, 'rivals' | 'holder' | 'node' | 'formerNodes' | 'areNodesKnown' | 'apiSilentSince'>
> {
  const known = {
    ...(seen.is === 'stranger' && {
      holder: holderOf(machine, read.list(Machine, { everywhere: true })),
    }),
    areNodesKnown: api.is === 'answering',
    apiSilentSince: api.is === 'silent' ? api.since : undefined,
  }
  // Whom nobody sees is nobody's rival, and all of them are many.
  const isAlone = OUT_OF_REACH.has(seen.is) && nodes.length === 0
  if (isAlone) return { rivals: [], node: undefined, formerNodes: [], ...known }
  const others = rivalryFor(machine, seen, read)
  const isLeaving = machine.metadata.deletionTimestamp !== undefined
  const node = nodeOf(machine, { seen, nodes, claimants: (uuid) => claimantsOf(read, uuid) })
  return {
    rivals: isLeaving
      ? await confirmedRivalsOf(machine, seen, { all: others, read })
      : rivalsOf(machine, seen, others),
    ...{ node, ...known },
    formerNodes: isLeaving ? [] : formerNodesOf(machine, node, { seen, nodes }),
  }
}

/** Those who may be after the same machine: who has it; and while it is nobody's, all that have an address. */
function rivalryFor(machine: Machine, seen: Seen, read: Reader): Machine[] {
  if (!('uuid' in seen)) return []
  const isToBeClaimed =
    seen.is === 'waiting' && machine.metadata.annotations?.[MACHINE_UUID] === undefined
  return isToBeClaimed ? read.list(Machine, { everywhere: true }) : claimantsOf(read, seen.uuid)
}

/** The other machines of its control plane; nobody of a pool. */
const othersOf = ({ metadata, spec }: Machine, read: Reader): Machine[] =>
  spec?.workerRef
    ? []
    : read
        .list(Machine)
        .filter(
          (one) =>
            one.metadata.uid !== metadata.uid &&
            !one.spec?.workerRef &&
            one.spec?.controlPlaneRef?.name === spec?.controlPlaneRef?.name,
        )

/** Whether it is its turn to be changed, asked of the API: what a cache shows of turns may be over. */
const turnOf = (
  machine: Machine,
  { controlPlane, worker }: Extract<Parent, { is: 'there' }>,
  read: Reader,
): Promise<number | undefined> =>
  worker
    ? heldTurn(machine, { kind: Worker, metadata: worker.metadata }, read)
    : heldTurn(machine, { kind: ControlPlane, metadata: controlPlane.metadata }, read)

/** As whom a machine is seen that nothing can be given to. */
const OUT_OF_REACH: ReadonlySet<Seen['is']> = new Set(['silent', 'stranger'])

const onceAsked = <Result>(ask: () => Promise<Result>): (() => Promise<Result>) => {
  let asked: Promise<Result> | undefined
  return () => {
    asked ??= ask()
    return asked
  }
}

/** Nothing is given to a machine that goes, or to whom nobody can give anything. */
const NOTHING_WANTED: ReturnType<typeof wantedOf> = {
  wanted: { is: 'waiting', reason: 'NotWanted', message: 'nothing is wanted of it' },
  disk: { is: 'settled' },
}

/** Nobody is asked anything on behalf of a machine that belongs nowhere, or is let go. */
const NOTHING_SEEN: Omit<World, 'parent'> = {
  ...NOTHING_WANTED,
  rivals: [],
  seen: { is: 'unasked' },
  change: undefined,
  turn: undefined,
  long: undefined,
  ...VERSIONS_UNASKED,
  components: COMPONENTS_UNASKED,
  isOld: false,
  alike: 0,
  node: undefined,
  formerNodes: [],
  areNodesKnown: false,
  apiSilentSince: undefined,
  pods: UNASKED,
  hasTakenConfig: false,
  means: {},
}

async function givenConfigOf({ spec }: Machine, read: Reader): Promise<ConfigText> {
  const { name, key, optional } = spec?.configRef ?? {}
  if (!name || !key) return { is: 'unasked' }
  const text = await configTextOf(spec, read)
  if (text !== undefined) return { is: 'there', text }
  if (optional) return { is: 'unasked' }
  const message = `configRef: there is no ConfigMap ${name} with a key ${key} in this namespace. Create it, or take configRef out`
  return { is: 'missing', message }
}
