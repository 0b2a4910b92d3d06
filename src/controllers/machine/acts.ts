import { ETCD_MEMBER, INSTALL_DISK, MACHINE_UUID, RESET_ACCEPTED } from '#api/labels.ts'
import { Machine } from '#api/machine.ts'
import { Secret } from '#base/secret.ts'
import type { ClusterPorts } from '#engine/cluster-ports.ts'
import { assertIs, onlyTo } from '#engine/machine-identity.ts'
import { configFingerprint } from '#engine/wanted-config.ts'
import { keyOf } from '#kube/cache.ts'
import { META_METAL_NETWORK } from '#machineconfig/generate/meta-values.ts'
import { writeConfig } from '#machineconfig/write/write-config.ts'
import type { Acts } from '#runtime/definition.ts'
import type { Writer } from '#runtime/writer.ts'
import type { MachineTarget } from '#talos/machine-target.ts'
import { outcomeOf } from '#talos/outcome.ts'
import type { SentConfigs } from './sent-configs.ts'
import type { Step, World } from './world.ts'

/** How each step is done. Whoever changes a machine has claimed it, and asks it first who it is. */
export function acts({
  machines,
  nodes,
  clock,
  sent,
}: ClusterPorts & { sent: SentConfigs }): Acts<typeof Machine, World, Step> {
  const at = ({ spec }: Machine, access: MachineTarget['access']) =>
    machines.machine({ address: spec?.endpoint ?? '', access })
  /** As one of the cluster. */
  const member = (resource: Machine, { means: { access } }: World) => {
    if (!access) throw notOfThisLook()
    return at(resource, access)
  }
  return {
    claim: ({ uuid, disk }, { resource, write }) =>
      note(resource, write, {
        [MACHINE_UUID]: uuid,
        ...(disk !== undefined && { [INSTALL_DISK]: disk }),
      }),

    noteMember: ({ member }, { resource, write }) =>
      note(resource, write, { [ETCD_MEMBER]: member }),

    configure: async ({ uuid, config }, { resource, world, write: { signal } }) => {
      const wanted = world.means.config?.()
      if (!wanted || configFingerprint(wanted) !== config) throw notOfThisLook()
      assertClaimed(resource, uuid)
      const machine = at(resource, { kind: 'maintenance' })
      const configuration = new Secret(writeConfig(wanted))
      const applied = await onlyTo(machine, { uuid, signal }, async (same) => {
        await same.configuration.apply({ configuration, mode: 'auto', dryRun: true }, { signal })
        // Trying it may have taken a while: one that is gone since is not told by what cannot be taken back.
        await assertIs(same, uuid, signal)
        return answeredOrLost(same.configuration.apply({ configuration, mode: 'auto' }, { signal }))
      })
      if (applied) sent.note(uuid, config)
    },

    writeMeta: async ({ uuid }, { resource, world, write: { signal } }) => {
      if (world.wanted.is !== 'known' || world.wanted.metaText === undefined) throw notOfThisLook()
      assertClaimed(resource, uuid)
      const value = Buffer.from(world.wanted.metaText)
      await onlyTo(member(resource, world), { uuid, signal }, (same) =>
        answeredOrLost(same.meta.write(META_METAL_NETWORK, value, { signal })),
      )
    },

    reset: async ({ uuid, graceful }, { resource, world, write }) => {
      const { signal } = write
      assertClaimed(resource, uuid)
      const begun = await onlyTo(member(resource, world), { uuid, signal }, (same) =>
        answeredOrLost(same.reset({ graceful, reboot: true }, { signal })),
      )
      if (!begun) return
      await write.patch(Machine, resource.metadata.name, {
        type: 'merge',
        body: { metadata: { annotations: { [RESET_ACCEPTED]: clock.now().toISOString() } } },
      })
    },

    deleteNode: async ({ node, uid }, { world: { parent }, write: { signal } }) => {
      if (parent.is !== 'there') throw notOfThisLook()
      await nodes.deleteNode(keyOf(parent.controlPlane), { name: node, uid }, signal)
    },
  }
}

/** With the version that was looked at: another one may stand for another machine meanwhile. */
const note = (
  { metadata }: Machine,
  write: Writer,
  annotations: Record<string, string>,
): Promise<unknown> =>
  write.patch(Machine, metadata.name, {
    type: 'merge',
    body: { metadata: { resourceVersion: metadata.resourceVersion, annotations } },
  })

/** Whatever a plan says: nothing is done to a machine that is not written down as this object's. */
function assertClaimed({ metadata }: Machine, uuid: string): void {
  if (metadata.annotations?.[MACHINE_UUID] !== uuid) throw notOfThisLook()
}

const notOfThisLook = () => new Error('the plan is not of this look')

/** An answer that was lost is no failure: the next look tells what became of it. */
async function answeredOrLost<Answer>(asked: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await asked
  } catch (error) {
    if (outcomeOf(error) === 'lost') return undefined
    throw error
  }
}
