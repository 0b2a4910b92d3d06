import { CONFIG_TRIED, UPGRADE, UPGRADE_FAILED } from '#api/labels.ts'
import type { Machine } from '#api/machine.ts'
import type { ClusterPorts } from '#engine/cluster-ports.ts'
import { lastTried, triedText } from '#engine/config-record.ts'
import type { LongCalls } from '#engine/long-calls.ts'
import { onlyTo } from '#engine/machine-identity.ts'
import { failureOf, failureText, type UpgradeRecord, upgradeText } from '#engine/upgrade-record.ts'
import { keyOf } from '#kube/cache.ts'
import type { KubernetesComponent } from '#machineconfig/versions/kubernetes-components.ts'
import { compareVersions, parseVersion } from '#machineconfig/versions/version.ts'
import type { Acts } from '#runtime/definition.ts'
import type { Writer } from '#runtime/writer.ts'
import type { BoundMachine } from '#talos/machine.ts'
import { MachineError, outcomeOf } from '#talos/outcome.ts'
import { answeredOrLost, assertClaimed, member, note, notOfThisLook } from './act-parts.ts'
import { assertMayGoDown, giveUpLead } from './going-down.ts'
import { fetching } from './rules/kubernetes.ts'
import { installing, pulling } from './rules/upgrade-aim.ts'
import type { Member, Step, World } from './world.ts'

type UpgradeStep = Extract<
  Step,
  | { do: 'pullImage' | 'pullImages' | 'install' | 'restart' }
  | { do: 'noteUpgrade' | 'noteUpgraded' | 'noteUpgradeFailed' | 'dropUpgrade' }
>

type UpgradeActs = Acts<typeof Machine, World, UpgradeStep>

/** How another version of Talos comes to a machine. */
export function upgradeActs(ports: ClusterPorts & { long: LongCalls }): UpgradeActs {
  const { machines, long, clock } = ports
  return {
    pullImage: async ({ uuid, image }, { resource, world }) => {
      const machine = member(machines, resource, world)
      assertClaimed(resource, uuid)
      const pull = isBefore(runs(world), 13) ? pullLegacy : pullBySystem
      long.begin(keyOf(resource), pulling(image), (signal) =>
        onlyTo(machine, { uuid, signal }, (same) => pull(same, image, { signal })),
      )
    },

    pullImages: pullingImages(ports),

    install: async ({ uuid, image, by, name, record }, { resource, world, write }) => {
      const machine = member(machines, resource, world)
      assertClaimed(resource, uuid)
      if (world.turn === undefined) throw notOfThisLook()
      if (by === 'lifecycle') {
        await noteUpgrade(resource, write, record)
        long.begin(keyOf(resource), installing(image), (signal) =>
          onlyTo(machine, { uuid, signal }, (same) => installBeside(same, name, signal)),
        )
        return
      }
      await assertMayGoDown(ports, { resource, world, signal: write.signal })
      await noteUpgrade(resource, write, record)
      // Before v1.8 a machine that is not told to keeps nothing of what it has, its part of etcd included.
      const upgrade = { image: name, preserve: isBefore(runs(world), 8), force: false }
      // It fetches the image once more before it answers, and asks etcd itself before it goes.
      long.begin(keyOf(resource), installing(image), (signal) =>
        onlyTo(machine, { uuid, signal }, async (same) => {
          await same.upgrade.legacy(upgrade, { signal })
          return name
        }),
      )
    },

    restart: async ({ uuid, record, times }, { resource, world, write }) => {
      const { signal } = write
      assertClaimed(resource, uuid)
      if (world.turn === undefined) throw notOfThisLook()
      const machine = member(machines, resource, world)
      await assertMayGoDown(ports, { resource, world, signal })
      if (record) await noteUpgrade(resource, write, record)
      if (times !== undefined) await noteBoots(resource, write, { boots: times, at: clock.now() })
      await onlyTo(machine, { uuid, signal }, async (same) => {
        await giveUpLead(same, world, signal)
        await answeredOrLost(same.reboot({}, { signal }))
      })
    },

    ...noteActs(long),
  }
}

type NoteActs = Pick<
  UpgradeActs,
  'noteUpgrade' | 'noteUpgraded' | 'noteUpgradeFailed' | 'dropUpgrade'
>

/** How it is written down where that is. What a long call has said is of no use from then on, and counts once. */
function noteActs(long: LongCalls): NoteActs {
  const noting = async (
    { resource, write }: { resource: Machine; write: Writer },
    annotations: Record<string, string | null>,
  ) => {
    await note(resource, write, annotations)
    long.forget(keyOf(resource))
  }
  return {
    noteUpgrade: ({ record }, at) => noting(at, { [UPGRADE]: upgradeText(record) }),

    noteUpgraded: ({ image }, at) => {
      // It may have been said of it before that it does not.
      const isRefuted = failureOf(at.resource, image) !== undefined
      return noting(at, { [UPGRADE]: null, ...(isRefuted && { [UPGRADE_FAILED]: null }) })
    },

    dropUpgrade: (_step, at) => noting(at, { [UPGRADE]: null }),

    noteUpgradeFailed: ({ image, why, record }, at) =>
      noting(at, {
        [UPGRADE]: record ? upgradeText(record) : null,
        [UPGRADE_FAILED]: failureText(image, why),
      }),
  }
}

/** Fetches them one after the other, and whoever looks next sees whether it could. */
const pullingImages =
  ({
    machines,
    long,
  }: Pick<ClusterPorts, 'machines'> & { long: LongCalls }): UpgradeActs['pullImages'] =>
  async ({ uuid, images }, { resource, world }) => {
    const machine = member(machines, resource, world)
    assertClaimed(resource, uuid)
    const pull = isBefore(runs(world), 13) ? pullLegacy : pullBySystem
    long.begin(keyOf(resource), fetching(images), (signal) =>
      onlyTo(machine, { uuid, signal }, async (same) => {
        for (const { component, image } of images) {
          await pull(same, image, { signal, store: storeOf(component) })
        }
        return ''
      }),
    )
  }

/** Before it is done: what became of it is judged by this. */
const noteUpgrade = (resource: Machine, write: Writer, record: UpgradeRecord): Promise<unknown> =>
  note(resource, write, { [UPGRADE]: upgradeText(record) })

/** The same for a boot that makes its configuration count. */
function noteBoots(
  resource: Machine,
  write: Writer,
  told: { boots: number; at: Date },
): Promise<unknown> {
  const tried = lastTried(resource)
  if (!tried) throw notOfThisLook()
  return note(resource, write, { [CONFIG_TRIED]: triedText({ ...tried, ...told }) })
}

function runs({ seen }: World): string {
  if (seen.is !== 'member') throw notOfThisLook()
  return (seen satisfies Member).version
}

const isBefore = (version: string, minor: number): boolean => {
  const parsed = parseVersion(version)
  return parsed !== undefined && compareVersions(parsed, { major: 1, minor, patch: 0 }) < 0
}

/** Who is to run it: Talos itself, or the kubelet. */
interface Pull {
  signal: AbortSignal
  store?: 'system' | 'kubernetes'
}

/** The kubelet is run by Talos, all others by the kubelet. */
const storeOf = (component: KubernetesComponent) =>
  component === 'kubelet' ? ('system' as const) : ('kubernetes' as const)

/** Resolves to the name that it is installed by. */
const pullBySystem = (same: BoundMachine, image: string, by: Pull): Promise<string> =>
  same.images.pull(image, by)

/** A machine that is too old to be asked pulls it when it needs it. That there is none is no such thing. */
const pullLegacy = async (same: BoundMachine, image: string, by: Pull): Promise<string> => {
  try {
    await same.images.pullLegacy(image, by)
  } catch (error) {
    if (outcomeOf(error) !== 'not-supported') throw error
  }
  return image
}

/** By the name that it has fetched it by. */
async function installBeside(
  same: BoundMachine,
  name: string,
  signal: AbortSignal,
): Promise<string> {
  let said = ''
  for await (const output of same.upgrade.lifecycle({ image: name }, { signal })) {
    if ('message' in output) said = output.message
    else if (output.exitCode !== 0) {
      const message = `the installer failed with code ${output.exitCode}: ${said.trim()}`
      throw new MachineError({ outcome: 'refused', message })
    }
  }
  return name
}
