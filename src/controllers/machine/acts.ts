import {
  ADOPTED,
  CONFIG,
  ETCD_FORGOTTEN,
  ETCD_MEMBER,
  INSTALL_DISK,
  MACHINE_UUID,
  RESET_ACCEPTED,
} from '#api/labels.ts'
import { Machine } from '#api/machine.ts'
import { Secret } from '#base/secret.ts'
import { isAdopted } from '#engine/adoption.ts'
import type { ClusterPorts } from '#engine/cluster-ports.ts'
import { recordText } from '#engine/config-record.ts'
import type { LongCalls } from '#engine/long-calls.ts'
import { assertIs, onlyTo } from '#engine/machine-identity.ts'
import { configFingerprint } from '#engine/wanted-config.ts'
import { META_METAL_NETWORK } from '#machineconfig/generate/meta-values.ts'
import { writeConfig } from '#machineconfig/write/write-config.ts'
import type { Acts } from '#runtime/definition.ts'
import { answeredOrLost, assertClaimed, at, member, note, notOfThisLook } from './act-parts.ts'
import { configActs } from './acts-config.ts'
import { nodeActs } from './acts-node.ts'
import { upgradeActs } from './acts-upgrade.ts'
import type { SentConfigs } from './sent-configs.ts'
import type { Step, World } from './world.ts'

/** How each step is done. Whoever changes a machine has claimed it, and asks it first who it is. */
export function acts(
  ports: ClusterPorts & { sent: SentConfigs; long: LongCalls },
): Acts<typeof Machine, World, Step> {
  const { machines, nodes, clock, sent } = ports
  return {
    claim: ({ uuid, disk, config }, { resource, write }) =>
      note(resource, write, {
        [MACHINE_UUID]: uuid,
        ...(disk !== undefined && { [INSTALL_DISK]: disk }),
        ...(config && { [CONFIG]: recordText(config) }),
        // What waits for a configuration is installed by us, whoever made it before.
        ...(config && isAdopted(resource) && { [ADOPTED]: null }),
      }),

    adopt: ({ uuid, disk }, { resource, write }) =>
      note(resource, write, {
        ...{ [MACHINE_UUID]: uuid, [ADOPTED]: 'true' },
        ...(disk !== undefined && { [INSTALL_DISK]: disk }),
      }),

    noteMember: ({ member }, { resource, write }) =>
      note(resource, write, {
        [ETCD_MEMBER]: member,
        ...(resource.metadata.annotations?.[ETCD_FORGOTTEN] && { [ETCD_FORGOTTEN]: null }),
      }),

    configure: async ({ uuid, config }, { resource, world, write: { signal } }) => {
      const wanted = world.means.config?.()
      if (!wanted || configFingerprint(wanted) !== config) throw notOfThisLook()
      assertClaimed(resource, uuid)
      const machine = at(machines, resource, { kind: 'maintenance' })
      const configuration = new Secret(writeConfig(wanted))
      const applied = await onlyTo(machine, { uuid, signal }, async (same) => {
        await same.configuration.apply({ configuration, mode: 'auto', dryRun: true }, { signal })
        // Trying it may have taken a while: one that is gone since is not told by what cannot be taken back.
        await assertIs(same, uuid, signal)
        return answeredOrLost(same.configuration.apply({ configuration, mode: 'auto' }, { signal }))
      })
      if (applied) sent.note(uuid, config)
    },

    ...configActs(ports),
    ...upgradeActs(ports),

    writeMeta: async ({ uuid }, { resource, world, write: { signal } }) => {
      if (world.wanted.is !== 'known' || world.wanted.metaText === undefined) throw notOfThisLook()
      assertClaimed(resource, uuid)
      const value = Buffer.from(world.wanted.metaText)
      await onlyTo(member(machines, resource, world), { uuid, signal }, (same) =>
        answeredOrLost(same.meta.write(META_METAL_NETWORK, value, { signal })),
      )
    },

    reset: async ({ uuid, graceful }, { resource, world, write }) => {
      const { signal } = write
      assertClaimed(resource, uuid)
      const begun = await onlyTo(member(machines, resource, world), { uuid, signal }, (same) =>
        answeredOrLost(same.reset({ graceful, reboot: true }, { signal })),
      )
      if (!begun) return
      await write.patch(Machine, resource.metadata.name, {
        type: 'merge',
        body: { metadata: { annotations: { [RESET_ACCEPTED]: clock.now().toISOString() } } },
      })
    },

    ...nodeActs({ nodes }),
  }
}
