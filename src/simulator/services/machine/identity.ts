import type { Answers } from '#simulator/services/served-method.ts'
import type { MachineService } from '#talos/generated/machine/machine_pb.ts'

/** Who a machine is, and what runs on it. */
export const identity: Answers<typeof MachineService> = {
  version: (_, { machine }) => {
    const isContainer = machine.platform === 'container'
    return {
      messages: [
        {
          version: {
            tag: machine.talosVersion,
            sha: '00000000',
            os: 'linux',
            arch: 'amd64',
            goVersion: 'go1.26.1',
          },
          platform: { name: machine.platform, mode: isContainer ? 'container' : 'metal' },
          ...(machine.config && { features: { rbac: true } }),
        },
      ],
    }
  },
  hostname: (_, { machine }) => ({ messages: [{ hostname: machine.hostname }] }),
}
