import type { PeerCertificate } from 'node:tls'
import type { Metadata } from '@grpc/grpc-js'
import type { ApiKeys } from '#simulator/services/config-keys.ts'
import type { Roles } from '#simulator/services/roles.ts'

const CLIENT_AUTH = '1.3.6.1.5.5.7.3.2'

/** Whether a certificate is one of a client and of nothing else, which is all that Talos lets in. */
export const isClientOnly = ({ ext_key_usage: usages = [] }: PeerCertificate): boolean =>
  usages.length === 1 && usages[0] === CLIENT_AUTH

/** The roles that a certificate gives to its owner. */
export const rolesOf = ({ subject }: PeerCertificate): Roles => new Set([subject.O ?? []].flat())

/** The roles of one call: the caller's own, or those for which another machine speaks. */
export function callRoles(metadata: Metadata, own: Roles): Roles {
  if (!own.has('os:impersonator')) return own
  const forwarded = metadata.get('talos-role').map(String)
  return forwarded.length === 0 ? own : new Set(forwarded)
}

/** Everything, for clusters that have switched roles off. */
export const ALL_ROLES: Roles = new Set([
  ...['os:admin', 'os:operator', 'os:reader', 'os:etcd:backup', 'os:impersonator'],
  ...['os:meta:writer', 'os:image:verifier'],
])

/** Whether machines of this version look at the usage of a client's certificate. */
export const checksUsage = (keys: ApiKeys, minor: number): boolean =>
  minor >= 12 || keys.checksUsage
