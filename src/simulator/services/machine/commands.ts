import { durationMs } from '@bufbuild/protobuf/wkt'
import type { ApplyMode, RebootMode, ResetRequest } from '#simulator/machine/machine.ts'
import { Refusal } from '#simulator/refusal.ts'
import { controlPlaneOnly } from '#simulator/services/control-plane-only.ts'
import { nameOf } from '#simulator/services/enum-name.ts'
import { minorOf } from '#simulator/services/minor-of.ts'
import type { Answers } from '#simulator/services/served-method.ts'
import {
  ApplyConfigurationRequest_Mode,
  type MachineService,
  UpgradeRequest_RebootMode,
} from '#talos/generated/machine/machine_pb.ts'

const APPLY_MODES = ['REBOOT', 'AUTO', 'NO_REBOOT', 'STAGED', 'TRY'] as const satisfies ApplyMode[]
const REBOOT_MODES = ['DEFAULT', 'POWERCYCLE', 'FORCE'] as const satisfies RebootMode[]
const WIPE_MODES = ['ALL', 'SYSTEM_DISK', 'USER_DISKS'] as const satisfies ResetRequest['mode'][]

/** What a machine can be told to do. */
export const commands: Answers<typeof MachineService> = {
  applyConfiguration: (request, { machine }) => {
    const { warnings, mode, details } = machine.applyConfiguration({
      text: new TextDecoder().decode(request.data),
      mode: nameOf(APPLY_MODES, request.mode, 'apply configuration mode'),
      dryRun: request.dryRun,
      tryTimeoutMs: request.tryModeTimeout && durationMs(request.tryModeTimeout),
    })
    return {
      messages: [
        {
          warnings: [...warnings],
          mode: ApplyConfigurationRequest_Mode[mode],
          modeDetails: details,
        },
      ],
    }
  },
  bootstrap: (request, { machine }) => {
    if (machine.type !== 'controlplane' && minorOf(machine) < 13) {
      throw new Refusal(
        'FailedPrecondition',
        'bootstrap can only be performed on a control plane node',
      )
    }
    controlPlaneOnly(machine, 'bootstrap')
    machine.bootstrap({
      recoverEtcd: request.recoverEtcd,
      skipHashCheck: request.recoverSkipHashCheck,
    })
    return { messages: [{}] }
  },
  reboot: ({ mode }, { machine }) => ({
    messages: [machine.reboot(nameOf(REBOOT_MODES, mode, 'reboot mode'))],
  }),
  shutdown: ({ force }, { machine }) => ({ messages: [machine.shutdown(force)] }),
  reset: (request, { machine }) => ({
    messages: [
      machine.reset({
        graceful: request.graceful,
        reboot: request.reboot,
        partitions: request.systemPartitionsToWipe.map(({ label, wipe }) => ({ label, wipe })),
        userDisks: request.userDisksToWipe,
        mode: nameOf(WIPE_MODES, request.mode, 'wipe mode'),
      }),
    ],
  }),
  rollback: (_, { machine }) => {
    machine.rollback()
    return { messages: [{}] }
  },
  upgrade: async (request, { machine }) => {
    const { actorId } = await machine.upgrade({
      image: request.image,
      preserve: request.preserve,
      stage: request.stage,
      force: request.force,
      rebootMode:
        request.rebootMode === UpgradeRequest_RebootMode.POWERCYCLE ? 'POWERCYCLE' : 'DEFAULT',
    })
    return { messages: [{ ack: 'Upgrade request received', actorId }] }
  },
}
