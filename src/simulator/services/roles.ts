/** What callers can be allowed to do, in the words of Talos. */
export type Role =
  | 'os:admin'
  | 'os:operator'
  | 'os:reader'
  | 'os:etcd:backup'
  | 'os:impersonator'
  | 'os:meta:writer'
  | 'os:image:verifier'

/** The roles of one caller. What is no role of Talos grants nothing. */
export type Roles = ReadonlySet<string>

/** Of anyone who calls a machine that waits for its configuration. */
export const ANONYMOUS: Roles = new Set(['os:reader'])
