import { no, type Verdict } from '#runtime/plan.ts'
import { SECRETS_REASONS } from './cluster-secrets-error.ts'
import { KUBERNETES_REASONS } from './kubernetes-checks.ts'
import { POOL_REASONS } from './pool-input.ts'

/** Why a control plane or a pool does not get on before somebody mends something. */
const REASONS = [
  ...POOL_REASONS,
  ...SECRETS_REASONS,
  ...KUBERNETES_REASONS,
  'BootstrapMachineMissing',
  'ClusterRunsAlready',
  'ControlPlaneNotFound',
  'ControlPlaneNotSet',
  'DrainBlocked',
  'EndpointOfAnotherCluster',
  'EndpointOnMachine',
  'EtcdSplit',
  'ImportDiffers',
  'LastHealthyMember',
  'MachineNameTaken',
  'NotSupportedYet',
  'OldEtcdData',
  'QuorumLost',
  'QuorumWouldBeLost',
  'SecretNameTaken',
  'TurnsUnreadable',
] as const

type StuckReason = (typeof REASONS)[number]

/** It is not ready, and will not be before somebody mends what the message says. */
export const stuck = (reason: StuckReason, message: string): Verdict => no(reason, message)

/** Whether that is what a reason says. */
export const isStuck = (reason: string): boolean => STUCK.has(reason)

const STUCK: ReadonlySet<string> = new Set(REASONS)
