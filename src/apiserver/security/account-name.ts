const PREFIX = 'system:serviceaccount:'
const LABEL = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/
const SUBDOMAIN = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/

export interface AccountName {
  namespace: string
  name: string
}

/** What a service account is called where a user is named. */
export const userNameOf = ({ namespace, name }: AccountName): string =>
  `${PREFIX}${namespace}:${name}`

/** The groups that every service account of a namespace is in. */
export const accountGroups = (namespace: string): string[] => [
  'system:serviceaccounts',
  `system:serviceaccounts:${namespace}`,
]

/** The service account that a user name stands for, if it stands for one. */
export function accountNamed(userName: string): AccountName | undefined {
  if (!userName.startsWith(PREFIX)) return undefined
  const [namespace = '', name = '', more] = userName.slice(PREFIX.length).split(':')
  const isValid = more === undefined && LABEL.test(namespace) && isSubdomain(name)
  return isValid ? { namespace, name } : undefined
}

/** Whether it can be the name of most objects, of a node for one. */
export const isSubdomain = (name: string): boolean => name.length <= 253 && SUBDOMAIN.test(name)
