import type { Attributes, User } from '#apiserver/request.ts'
import type { Change, Store } from '#apiserver/store/store.ts'
import { objectIn } from '#apiserver/stored-object.ts'
import { type Binding, Bindings, bindingIn, describeGrant, type Grant } from './bindings.ts'
import { type PolicyRule, ruleAllows, rulesIn } from './policy-rule.ts'

export interface Decision {
  allowed: boolean
  /** By what; or what stood in the way, which is mostly nothing at all. */
  reason: string
}

/** The rules that hold for a user, and what could not be resolved among the bindings. */
export interface UserRules {
  rules: PolicyRule[]
  missing: MissingRole[]
}

/** A role that a binding names and nobody created. */
export interface MissingRole {
  kind: string
  name: string
}

const GROUP = 'rbac.authorization.k8s.io/'
const NOTHING: Bindings = new Bindings()

/**
 * Decides who may do what, from the roles and bindings in a store. Follows the store by itself, from
 * when it is made until it is disposed of. Members of system:masters may do everything.
 */
export class Rbac implements Disposable {
  /** Read when somebody is judged by them: administrators never are. */
  readonly #roles = new Map<string, Buffer | PolicyRule[]>()
  readonly #cluster = new Bindings()
  readonly #namespaces = new Map<string, Bindings>()
  /** By user and by namespace that has bindings; a user is the same object from request to request. */
  #grants = new WeakMap<User, Map<string, Grant[]>>()
  readonly #stop: () => void

  constructor(store: Store) {
    for (const { key, value } of store.list(GROUP)) this.#put(key, value)
    this.#stop = store.onChanges((changes) => this.#follow(changes))
  }

  [Symbol.dispose](): void {
    this.#stop()
  }

  authorize(asked: Attributes): Decision {
    if (isSuperuser(asked.user)) return { allowed: true, reason: '' }
    const missing: MissingRole[] = []
    for (const grant of this.#grantsOf(asked.user, asked.namespace)) {
      const rules = this.#rulesOf(grant.binding, missing)
      if (rules.some((rule) => ruleAllows(rule, asked))) {
        return { allowed: true, reason: `RBAC: allowed by ${describeGrant(grant)}` }
      }
    }
    return { allowed: false, reason: missing.length > 0 ? `RBAC: ${missingText(missing)}` : '' }
  }

  /** Everything that a user may do in a namespace, or in the cluster as a whole. */
  rulesFor(user: User, namespace: string): UserRules {
    const missing: MissingRole[] = []
    const grants = this.#grantsOf(user, namespace)
    return { rules: grants.flatMap(({ binding }) => this.#rulesOf(binding, missing)), missing }
  }

  /** The rules of the role that a binding in a namespace names. Undefined: there is no such role. */
  rulesOfRole({ kind, name }: MissingRole, namespace: string): readonly PolicyRule[] | undefined {
    if (kind === 'ClusterRole') return this.#rulesAt(`${GROUP}clusterroles/${name}`)
    return kind === 'Role' ? this.#rulesAt(`${GROUP}roles/${namespace}/${name}`) : undefined
  }

  #rulesAt(key: string): readonly PolicyRule[] | undefined {
    const found = this.#roles.get(key)
    if (!Buffer.isBuffer(found)) return found
    const rules = rulesIn(objectIn({ value: found }))
    this.#roles.set(key, rules)
    return rules
  }

  #rulesOf({ role, namespace }: Binding, missing: MissingRole[]): readonly PolicyRule[] {
    const rules = this.rulesOfRole(role, namespace)
    if (!rules) missing.push(role)
    return rules ?? []
  }

  #grantsOf(user: User, namespace: string): Grant[] {
    const local = this.#namespaces.get(namespace)
    let known = this.#grants.get(user)
    if (!known) {
      known = new Map()
      this.#grants.set(user, known)
    }
    // Whoever asks about namespaces that are not there must not make the memory grow.
    const scope = local ? namespace : ''
    let grants = known.get(scope)
    if (!grants) {
      grants = [...this.#cluster.grantsOf(user), ...(local ?? NOTHING).grantsOf(user)]
      known.set(scope, grants)
    }
    return grants
  }

  #follow(changes: readonly Change[]): void {
    for (const { type, key, value } of changes) {
      if (!key.startsWith(GROUP)) continue
      if (type === 'put') this.#put(key, value)
      else this.#remove(key)
    }
  }

  #put(key: string, value: Buffer): void {
    const [plural = '', namespace = ''] = key.slice(GROUP.length).split('/')
    if (plural === 'roles' || plural === 'clusterroles') return void this.#roles.set(key, value)
    const object = objectIn({ value })
    if (plural === 'clusterrolebindings') this.#cluster.put(bindingIn(key, object))
    else if (plural === 'rolebindings') this.#local(namespace).put(bindingIn(key, object))
    if (plural.endsWith('bindings')) this.#grants = new WeakMap()
  }

  #remove(key: string): void {
    this.#roles.delete(key)
    this.#cluster.remove(key)
    const [, namespace = ''] = key.slice(GROUP.length).split('/')
    const local = this.#namespaces.get(namespace)
    local?.remove(key)
    if (local?.isEmpty) this.#namespaces.delete(namespace)
    this.#grants = new WeakMap()
  }

  #local(namespace: string): Bindings {
    const found = this.#namespaces.get(namespace) ?? new Bindings()
    this.#namespaces.set(namespace, found)
    return found
  }
}

export const isSuperuser = ({ groups }: User): boolean => groups.includes('system:masters')

/** As Kubernetes tells it in sentences; `resource` is what it says in the place of the kind of role. */
export function missingText(missing: readonly MissingRole[], resource?: string): string {
  const sentences = missing.map(({ kind, name }) =>
    kind === 'Role' || kind === 'ClusterRole'
      ? `${resource ?? kind.toLowerCase()}.rbac.authorization.k8s.io "${name}" not found`
      : `unsupported role reference kind: "${kind}"`,
  )
  const unique = [...new Set(sentences)]
  return unique.length === 1 ? (unique[0] ?? '') : `[${unique.join(', ')}]`
}
