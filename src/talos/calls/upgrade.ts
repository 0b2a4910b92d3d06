import type { Caller, CallOptions } from '#talos/caller.ts'
import {
  LifecycleService,
  type LifecycleServiceInstallProgress,
} from '#talos/generated/machine/lifecycle_pb.ts'
import { MachineService, UpgradeRequest_RebootMode } from '#talos/generated/machine/machine_pb.ts'
import { MachineError } from '#talos/outcome.ts'
import { containerdOf, type ImageStore } from './containerd.ts'
import { onlyMessage } from './only-message.ts'

export interface LegacyUpgrade {
  image: string
  /** Up to v1.7, without it a control plane machine leaves etcd and loses its data. */
  preserve?: boolean
  /** Do it after a reboot. */
  stage?: boolean
  /** Do not ask etcd whether the cluster can bear it. */
  force?: boolean
  powerCycle?: boolean
}

/** A line that the installer said, or at the end the code that it exited with: 0 is success. */
export type InstallerOutput = { message: string } | { exitCode: number }

interface FromImage {
  /** The image of the installer, as pulling it has named it. */
  image: string
  /** Left out: `system`. */
  store?: ImageStore
}

/** New versions of Talos, in both ways: all in one call, or since v1.13 step by step. */
export const upgradeCalls = (caller: Caller) => ({
  /** Pulls, checks, and begins; resolves when the machine has accepted. It then drains and reboots itself. */
  async legacy(upgrade: LegacyUpgrade, options?: CallOptions): Promise<{ actorId: string }> {
    const { image, preserve = false, stage = false, force = false, powerCycle = false } = upgrade
    const { POWERCYCLE, DEFAULT } = UpgradeRequest_RebootMode
    const method = MachineService.method.upgrade
    const answer = await caller.ask(
      { method, what: `upgrade to ${image}, on`, pace: 'slow', options },
      { image, preserve, stage, force, rebootMode: powerCycle ? POWERCYCLE : DEFAULT },
    )
    return { actorId: onlyMessage(caller, answer).actorId }
  },

  /** Since v1.13: installs next to what runs. It does not look at etcd, drain or reboot. */
  lifecycle({ image, store = 'system' }: FromImage, options?: CallOptions) {
    const method = LifecycleService.method.upgrade
    const what = `upgrade to ${image}, on`
    const answers = caller.follow(
      { method, what, pace: 'slow', options },
      { containerd: containerdOf(store), source: { imageName: image } },
    )
    return outputOf(caller, answers)
  },

  /** Since v1.13: installs on a disk, without a configuration. `already-done`: Talos is installed. */
  install(
    { image, disk, store = 'memory' }: FromImage & { disk: string },
    options?: CallOptions,
  ): AsyncIterable<InstallerOutput> {
    const method = LifecycleService.method.install
    const answers = caller.follow(
      {
        method,
        what: `install ${image} to ${disk}, on`,
        pace: 'slow',
        options,
      },
      { containerd: containerdOf(store), source: { imageName: image }, destination: { disk } },
    )
    return outputOf(caller, answers)
  },
})

/** What the installer says. Throws `lost` when it ends without a code. */
async function* outputOf(
  { where }: Caller,
  answers: AsyncIterable<{ progress?: LifecycleServiceInstallProgress | undefined }>,
): AsyncGenerator<InstallerOutput, void, undefined> {
  let isOver = false
  for await (const { progress } of answers) {
    const { case: kind, value } = progress?.response ?? { case: undefined }
    if (kind === 'message') yield { message: value }
    if (kind === 'exitCode') {
      isOver = true
      yield { exitCode: value }
    }
  }
  if (!isOver) {
    const message = `the installer on ${where} ended without saying how`
    throw new MachineError({ message, outcome: 'lost' })
  }
}
