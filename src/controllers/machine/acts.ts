import { INSTALL_DISK, MACHINE_UUID, RESET_ACCEPTED } from '#api/labels.ts'
import { Machine } from '#api/machine.ts'
import { Secret } from '#base/secret.ts'
import { assertIs } from '#engine/machine-identity.ts'
import type { TalosMachines } from '#engine/talos-machines.ts'
import { configFingerprint } from '#engine/wanted-config.ts'
import { keyOf } from '#kube/cache.ts'
import { META_METAL_NETWORK } from '#machineconfig/generate/meta-values.ts'
import { writeConfig } from '#machineconfig/write/write-config.ts'
import type { Acts } from '#runtime/definition.ts'
import type { TalosMachine } from '#talos/machine.ts'
import type { ClusterAccess } from '#talos/machine-target.ts'
import { outcomeOf } from '#talos/outcome.ts'
import type { Ports } from './observe.ts'
import type { SentConfigs } from './sent-configs.ts'
import type { Step, World } from './world.ts'

/** How each step is done. Whoever changes a machine has claimed it, and asks it first who it is. */
export function acts({
  machines,
  nodes,
  clock,
  sent,
}: Ports & { sent: SentConfigs }): Acts<typeof Machine, World, Step> {
  const targetOf = ({ spec }: Machine, { means }: World) => ({
    ...{ machines, address: spec?.endpoint ?? '', access: means.access },
  })
  return {
    // With the version that was looked at: another one may have claimed another machine meanwhile.
    claim: ({ uuid, disk }, { resource: { metadata }, write }) =>
      write.patch(Machine, metadata.name, {
        type: 'merge',
        body: {
          metadata: {
            resourceVersion: metadata.resourceVersion,
            annotations: {
              [MACHINE_UUID]: uuid,
              ...(disk !== undefined && { [INSTALL_DISK]: disk }),
            },
          },
        },
      }),

    configure: async ({ uuid, config }, { resource, world, write: { signal } }) => {
      const { config: wanted } = world.means
      if (!wanted || configFingerprint(wanted) !== config) throw notOfThisLook()
      assertClaimed(resource, uuid)
      const address = resource.spec?.endpoint ?? ''
      const machine = machines.machine({ address, access: { kind: 'maintenance' } })
      await assertIs(machine, uuid, signal)
      const configuration = new Secret(writeConfig(wanted))
      await machine.configuration.apply({ configuration, mode: 'auto', dryRun: true }, { signal })
      // Trying it may have taken a while, and the address may lead elsewhere since.
      await assertIs(machine, uuid, signal)
      const applied = machine.configuration.apply({ configuration, mode: 'auto' }, { signal })
      if (await answeredOrLost(applied)) sent.note(uuid, config)
    },

    writeMeta: async ({ uuid }, { resource, world, write: { signal } }) => {
      if (world.wanted.is !== 'known' || world.wanted.metaText === undefined) throw notOfThisLook()
      assertClaimed(resource, uuid)
      const machine = await member(targetOf(resource, world), uuid, signal)
      const value = Buffer.from(world.wanted.metaText)
      await answeredOrLost(machine.meta.write(META_METAL_NETWORK, value, { signal }))
    },

    reset: async ({ uuid, graceful }, { resource, world, write }) => {
      const { signal } = write
      assertClaimed(resource, uuid)
      const machine = await member(targetOf(resource, world), uuid, signal)
      const begun = await answeredOrLost(machine.reset({ graceful, reboot: true }, { signal }))
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

/** The machine as one of the cluster, if it is the one that is meant. */
async function member(
  {
    machines,
    address,
    access,
  }: { machines: TalosMachines; address: string; access: ClusterAccess | undefined },
  uuid: string,
  signal: AbortSignal,
): Promise<TalosMachine> {
  if (!access) throw notOfThisLook()
  const machine = machines.machine({ address, access })
  await assertIs(machine, uuid, signal)
  return machine
}

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
