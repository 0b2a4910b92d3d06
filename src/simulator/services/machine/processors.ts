import type { Answers } from '#simulator/services/served-method.ts'
import type { MachineService } from '#talos/generated/machine/machine_pb.ts'

const MHZ = 2_400

/** The processors of a machine. */
export const processors: Answers<typeof MachineService> = {
  cPUInfo: (_, { machine: { hardware } }) => ({
    messages: [
      {
        cpuInfo: Array.from({ length: hardware.cpus }, (_, processor) => ({
          ...{ processor, cpuMhz: MHZ, vendorId: hardware.manufacturer },
          ...{ modelName: `${hardware.productName} CPU`, cacheSize: '4096 KB', physicalId: '0' },
          ...{ coreId: String(processor), cpuCores: hardware.cpus, siblings: hardware.cpus },
        })),
      },
    ],
  }),
  cPUFreqStats: (_, { machine: { hardware } }) => {
    const hertz = BigInt(MHZ) * 1000n
    const one = { currentFrequency: hertz, minimumFrequency: hertz / 3n, maximumFrequency: hertz }
    return {
      messages: [
        {
          cpuFreqStats: Array.from({ length: hardware.cpus }, () => ({
            ...one,
            governor: 'performance',
          })),
        },
      ],
    }
  },
}
