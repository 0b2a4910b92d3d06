import type { Machine } from '#simulator/machine/machine.ts'
import { Refusal } from '#simulator/refusal.ts'
import { type AccessRule, accessRule } from './access-rules.ts'
import { minorOf } from './minor-of.ts'
import type { Roles } from './roles.ts'

/** Refuses a call for which the machine has no method, or the caller no right. */
export function allowCall(path: string, machine: Machine, roles: Roles): void {
  const rule = accessRule(path, machine.talosVersion)
  if (!rule) throw missing(path)
  const isWaiting = machine.door === 'maintenance'
  if (isWaiting && minorOf(machine) < SAME_SERVER_SINCE) allowOnTinyServer(path)
  else if (!isAllowed(rule, isWaiting, roles)) throw notAuthorized()
}

/** The way in which Talos says no to a role. */
export const notAuthorized = (): Refusal => new Refusal('PermissionDenied', 'not authorized')

/** From then on the server of maintenance mode is the one of all other times. */
const SAME_SERVER_SINCE = 13

const ON_TINY_SERVER: ReadonlySet<string> = new Set([
  '/machine.MachineService/ApplyConfiguration',
  '/storage.StorageService/Disks',
  '/storage.StorageService/BlockDeviceWipe',
  '/cosi.resource.State/Get',
  '/cosi.resource.State/List',
  '/cosi.resource.State/Watch',
])

function allowOnTinyServer(path: string): void {
  if (ON_TINY_SERVER.has(path)) return
  const text =
    path === '/machine.MachineService/GenerateClientConfiguration'
      ? "client configuration (talosconfig) can't be generated in the maintenance mode"
      : 'API is not implemented in maintenance mode'
  throw new Refusal('Unimplemented', text)
}

const isAllowed = (rule: AccessRule, isWaiting: boolean, roles: Roles): boolean =>
  rule.roles.some((role) => roles.has(role)) ||
  (isWaiting && rule.isForMaintenance === true && roles.has('os:reader'))

function missing(path: string): Refusal {
  const [, service = '', method = ''] = path.split('/')
  return new Refusal('Unimplemented', `unknown method ${method} for service ${service}`)
}
