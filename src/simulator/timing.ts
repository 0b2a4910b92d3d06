/**
 * How long things take, in seconds, as on small real machines. All that takes time in the simulator is here;
 * each time is drawn anew within a tenth of it.
 */
const timing = {
  /** Until a provider has made a machine. */
  createMachine: 6,
  /** From power to the kernel. */
  firmware: 12,
  /** From one kernel to the next, without firmware. */
  kexec: 4,
  /** Until Talos' first process runs. */
  kernel: 5,
  earlyService: 1,
  /** Until it is known that there is no configuration anywhere. */
  searchConfiguration: 3,
  leaveMaintenance: 1,
  pullImage: 8,
  pullInstaller: 15,
  install: 20,
  wipeDisk: 4,
  stopPods: 3,
  stopServices: 4,
  unmount: 1,
  /** A sequence that failed is followed by a restart, but not at once. */
  restartAfterFailure: 11,
  mountEphemeral: 2,
  certificates: 1,
  startService: 1,
  firstHealthCheck: 1,
  startContainerRuntime: 3,
  startEtcd: 3,
  etcdHealthCheck: 5,
  etcdCatchUp: 5,
  retryJoin: 3,
  retryLeave: 10,
  startKubelet: 2,
  kubeletHealthCheck: 3,
  stopStaticPod: 2,
  startStaticPod: 8,
  timeSync: 2,
  /** Until addresses and the firewall are as a configuration says. */
  changeNetwork: 0.5,
  /** Until one machine hears of another. */
  discovery: 2,
  /** Until a machine notices what others did. */
  notice: 0.1,
} as const

export type Timed = keyof typeof timing

/** What waits for others waits as long, in seconds, by the clock on the wall. */
export const patience = {
  /** A boot that has not come to its end is given up. */
  boot: 70 * 60,
  drain: 5 * 60,
  /** A node that is to be cordoned is waited for. */
  cordon: 60,
  /** Machines are remembered by the others. */
  affiliate: 30 * 60,
  tryMode: 60,
} as const

const SPREAD = 0.1

/** How long it takes this time. */
export const durationMs = (what: Timed, random: () => number): number =>
  Math.round(timing[what] * 1000 * (1 - SPREAD + 2 * SPREAD * random()))
