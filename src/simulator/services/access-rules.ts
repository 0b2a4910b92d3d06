import { compareVersions, parseVersion } from '#machineconfig/versions/version.ts'
import type { Role } from './roles.ts'

/** Who may call a method, and which machines have it. */
export interface AccessRule {
  readonly roles: readonly Role[]
  /** The first minor version of Talos 1 that has it; left out: all do. */
  readonly since?: number
  /** Anyone may call it on a machine that waits for its configuration. */
  readonly isForMaintenance?: true
}

const ADMIN: readonly Role[] = ['os:admin']
const OPERATOR: readonly Role[] = [...ADMIN, 'os:operator']
const READER: readonly Role[] = [...OPERATOR, 'os:reader']
const BACKUP: readonly Role[] = [...READER, 'os:etcd:backup']

const MACHINE: Readonly<Record<string, AccessRule>> = {
  ApplyConfiguration: { roles: ADMIN, isForMaintenance: true },
  ...named(ADMIN, [
    ...['Bootstrap', 'Copy', 'EtcdForfeitLeadership', 'EtcdLeaveCluster', 'EtcdRecover'],
    ...['EtcdRemoveMemberByID', 'GenerateClientConfiguration', 'Kubeconfig', 'Read', 'Reset'],
    ...['Rollback', 'Upgrade', 'MetaWrite', 'MetaDelete'],
  ]),
  ...named(OPERATOR, [
    ...['EtcdAlarmDisarm', 'EtcdDefragment', 'ImagePull', 'PacketCapture', 'Reboot', 'Restart'],
    ...['ServiceRestart', 'ServiceStart', 'ServiceStop', 'Shutdown'],
  ]),
  ...named(READER, [
    ...['CPUInfo', 'Containers', 'DiskStats', 'DiskUsage', 'Dmesg', 'Events', 'Hostname'],
    ...['ImageList', 'List', 'LoadAvg', 'Logs', 'Memory', 'Mounts', 'NetworkDeviceStats'],
    ...['Netstat', 'Processes', 'ServiceList', 'Stats', 'SystemStat', 'Version'],
  ]),
  ...named(BACKUP, ['EtcdAlarmList', 'EtcdMemberList', 'EtcdStatus']),
  EtcdSnapshot: { roles: [...OPERATOR, 'os:etcd:backup'] },
  LogsContainers: { roles: READER, since: 7 },
  CPUFreqStats: { roles: READER, since: 9 },
  EtcdDowngradeCancel: { roles: ADMIN, since: 11 },
  EtcdDowngradeEnable: { roles: ADMIN, since: 11 },
  EtcdDowngradeValidate: { roles: ADMIN, since: 11 },
}

const RULES: ReadonlyMap<string, AccessRule> = new Map([
  ...of('machine.MachineService', MACHINE),
  ...of('machine.ImageService', {
    Import: { roles: ADMIN, since: 13 },
    List: { roles: READER, since: 13 },
    Pull: { roles: OPERATOR, since: 13 },
    Remove: { roles: ADMIN, since: 13 },
    Verify: { roles: [...READER, 'os:image:verifier'], since: 13 },
  }),
  ...of('machine.LifecycleService', {
    Install: { roles: ADMIN, since: 13 },
    Upgrade: { roles: ADMIN, since: 13 },
  }),
  ...of('cosi.resource.State', {
    ...named(ADMIN, ['Create', 'Update', 'Destroy']),
    ...named(READER, ['Get', 'List', 'Watch']),
  }),
  ...of('storage.StorageService', {
    Disks: { roles: READER },
    BlockDeviceWipe: { roles: ADMIN, since: 9, isForMaintenance: true },
  }),
  ...of('time.TimeService', named(READER, ['Time', 'TimeCheck'])),
  ...of('cluster.ClusterService', named(READER, ['HealthCheck'])),
  ...of('inspect.InspectService', named(READER, ['ControllerRuntimeDependencies'])),
])

/** What older versions had otherwise: those before the version that is named. */
const EARLIER: ReadonlyMap<string, { before: string; roles: readonly Role[] }> = new Map([
  ['/machine.MachineService/EtcdStatus', { before: 'v1.9.6', roles: OPERATOR }],
  ['/machine.MachineService/EtcdAlarmList', { before: 'v1.9.6', roles: OPERATOR }],
  ['/machine.MachineService/EtcdMemberList', { before: 'v1.9.6', roles: READER }],
])

const META: ReadonlySet<string> = new Set([
  '/machine.MachineService/MetaWrite',
  '/machine.MachineService/MetaDelete',
])

/** The full names of all methods that machines of some version have. */
export const methodPaths = (): readonly string[] => [...RULES.keys()]

/** The rule for a method, by its full name, on a machine of this version; undefined if it has no such method. */
export function accessRule(path: string, talosVersion: string): AccessRule | undefined {
  const rule = RULES.get(path)
  const version = parseVersion(talosVersion)
  if (!rule || !version || version.minor < (rule.since ?? 0)) return undefined
  const earlier = EARLIER.get(path)
  const bound = earlier && parseVersion(earlier.before)
  if (earlier && bound && compareVersions(version, bound) < 0) {
    return { ...rule, roles: earlier.roles }
  }
  if (META.has(path) && version.minor >= 13) {
    return { ...rule, roles: [...rule.roles, 'os:meta:writer'] }
  }
  return rule
}

function named(
  roles: readonly Role[],
  methods: readonly string[],
): Readonly<Record<string, AccessRule>> {
  return Object.fromEntries(methods.map((method) => [method, { roles }]))
}

function of(
  service: string,
  rules: Readonly<Record<string, AccessRule>>,
): readonly (readonly [string, AccessRule])[] {
  return Object.entries(rules).map(([method, rule]) => [`/${service}/${method}`, rule] as const)
}
