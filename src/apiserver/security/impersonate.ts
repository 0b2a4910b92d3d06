import type { ApiFailure } from '#apiserver/failure.ts'
import type { Attributes, User } from '#apiserver/request.ts'
import { accountGroups, accountNamed, isSubdomain } from './account-name.ts'
import { notAllowed } from './forbidden.ts'
import type { Rbac } from './rbac.ts'

/** A way to be allowed to act as somebody else. */
interface Mode {
  /** The verb that one must be allowed on whom one wants to be. */
  verb: string
  /** Besides, one must be allowed `impersonate-on:MODE:VERB` on what is asked for. */
  on: string | undefined
  /** The API group of users, groups and nodes. */
  group: string
  isFor(wanted: User): boolean
}

const NODE = 'system:node:'
const MOST_REMEMBERED = 1000

const nodeNamed = (userName: string): string | undefined =>
  userName.startsWith(NODE) && isSubdomain(userName.slice(NODE.length))
    ? userName.slice(NODE.length)
    : undefined

const isOnlyNamed = ({ uid, groups, extra }: User): boolean => !uid && groups.length === 0 && !extra

const constrained = (name: string, isFor: (wanted: User) => boolean): Mode => ({
  verb: `impersonate:${name}`,
  on: name,
  group: 'authentication.k8s.io',
  isFor,
})

const MODES: readonly Mode[] = [
  constrained('arbitrary-node', (user) => isOnlyNamed(user) && nodeNamed(user.name) !== undefined),
  constrained(
    'serviceaccount',
    (user) => isOnlyNamed(user) && accountNamed(user.name) !== undefined,
  ),
  constrained(
    'user-info',
    ({ name }) => nodeNamed(name) === undefined && accountNamed(name) === undefined,
  ),
  { verb: 'impersonate', on: undefined, group: '', isFor: () => true },
]

/** Lets users act as others where RBAC allows it. */
export class Impersonation {
  readonly #rbac: Rbac
  readonly #lastMode = new Map<string, Mode>()

  constructor(rbac: Rbac) {
    this.#rbac = rbac
  }

  /** Whom the asking user becomes; fails as Forbidden. `asked` is the request, with its real user. */
  actAs(wanted: User, asked: Attributes): User {
    const last = this.#lastMode.get(asked.user.name)
    // What worked last time is tried first: its refusal is the one that the user can do something about.
    const modes = last ? [last, ...MODES.filter((mode) => mode !== last)] : MODES
    let refusal: ApiFailure | undefined
    for (const mode of modes.filter(({ isFor }) => isFor(wanted))) {
      const failure = this.#refusal(mode, wanted, asked)
      if (!failure) return this.#accept(mode, wanted, asked.user)
      refusal ??= failure
    }
    throw refusal ?? notAllowed({ ...asked, verb: 'impersonate' }, { reason: '' })
  }

  #accept(mode: Mode, wanted: User, by: User): User {
    this.#lastMode.delete(by.name)
    this.#lastMode.set(by.name, mode)
    const [oldest] = this.#lastMode.keys()
    if (this.#lastMode.size > MOST_REMEMBERED && oldest !== undefined) this.#lastMode.delete(oldest)
    return completed(wanted, mode)
  }

  #refusal(mode: Mode, wanted: User, asked: Attributes): ApiFailure | undefined {
    const questions = questionsOf(mode, wanted, asked)
    for (const question of questions) {
      const decision = this.#rbac.authorize(question)
      if (!decision.allowed) return notAllowed(question, decision)
    }
    return mode.on === undefined ? undefined : unacceptable(mode, wanted, asked)
  }
}

/** What must be allowed, in the order in which Kubernetes asks. */
function questionsOf(mode: Mode, wanted: User, asked: Attributes): Attributes[] {
  const about = aboutWith(mode, asked)
  const on = mode.on && { ...asked, verb: `impersonate-on:${mode.on}:${asked.verb}` }
  return [
    ...(on ? [on] : []),
    nameQuestion(mode, wanted, asked),
    ...(wanted.uid ? [about({ group: IDENTITY, resource: 'uids', name: wanted.uid })] : []),
    ...wanted.groups.map((name) => about({ group: mode.group, resource: 'groups', name })),
    ...Object.entries(wanted.extra ?? {}).flatMap(([subresource, values]) =>
      values.map((name) => about({ group: IDENTITY, resource: 'userextras', subresource, name })),
    ),
  ]
}

const IDENTITY = 'authentication.k8s.io'

const aboutWith =
  ({ verb }: Mode, { user }: Attributes) =>
  (what: Pick<Attributes, 'group' | 'resource' | 'name'> & Partial<Attributes>): Attributes => ({
    user,
    verb,
    isResource: true,
    path: '',
    version: 'v1',
    subresource: '',
    namespace: '',
    ...what,
  })

function nameQuestion(mode: Mode, { name }: User, asked: Attributes): Attributes {
  const about = aboutWith(mode, asked)
  const account = accountNamed(name)
  const { group } = mode
  if (account) return about({ group, resource: 'serviceaccounts', ...account })
  const node = mode.on === undefined ? undefined : nodeNamed(name)
  return node === undefined
    ? about({ group, resource: 'users', name })
    : about({ group, resource: 'nodes', name: node })
}

/** What the newer modes never allow, however much one may. */
function unacceptable(mode: Mode, wanted: User, asked: Attributes): ApiFailure | undefined {
  const about = aboutWith(mode, asked)
  const refuse = (resource: string, name: string, reason: string) =>
    notAllowed(about({ group: mode.group, resource, name }), { reason })
  if (wanted.groups.includes('')) {
    return refuse('groups', '', 'impersonating the empty string group is not allowed')
  }
  if (wanted.groups.includes('system:masters')) {
    return refuse(
      'groups',
      'system:masters',
      'impersonating the system:masters group is not allowed',
    )
  }
  const isOdd = Object.entries(wanted.extra ?? {}).some(
    ([key, values]) => !/^[^/]+\/.+$/.test(key) || values.includes(''),
  )
  return isOdd
    ? refuse('userextras', '', 'impersonating an invalid key in extra is not allowed')
    : undefined
}

function completed(wanted: User, mode: Mode): User {
  const groups = wanted.groups.length > 0 ? [...wanted.groups] : impliedGroups(wanted.name, mode)
  const standing =
    wanted.name === 'system:anonymous' || groups.includes('system:unauthenticated')
      ? 'system:unauthenticated'
      : 'system:authenticated'
  return { ...wanted, groups: groups.includes(standing) ? groups : [...groups, standing] }
}

function impliedGroups(name: string, mode: Mode): string[] {
  const account = accountNamed(name)
  if (account) return accountGroups(account.namespace)
  return mode.on !== undefined && nodeNamed(name) !== undefined ? ['system:nodes'] : []
}
