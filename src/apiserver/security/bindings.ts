import { type Fields, fieldsAt, isFields, listAt, textAt } from '#apiserver/objects.ts'
import type { User } from '#apiserver/request.ts'
import { userNameOf } from './account-name.ts'

/** A RoleBinding or a ClusterRoleBinding, as far as it matters to who may do what. */
export interface Binding {
  key: string
  name: string
  /** Empty for one that holds in the whole cluster. */
  namespace: string
  role: { kind: string; name: string }
  subjects: { kind: string; name: string; namespace: string }[]
}

/** A binding that applies to a user, and by which of its subjects. */
export interface Grant {
  binding: Binding
  subject: Binding['subjects'][number]
}

export function bindingIn(key: string, object: Fields): Binding {
  const metadata = fieldsAt(object, 'metadata')
  const role = fieldsAt(object, 'roleRef')
  const namespace = textAt(metadata, 'namespace') ?? ''
  return {
    key,
    name: textAt(metadata, 'name') ?? '',
    namespace,
    role: { kind: textAt(role, 'kind') ?? '', name: textAt(role, 'name') ?? '' },
    subjects: listAt(object, 'subjects')
      .filter(isFields)
      .map((subject) => ({
        kind: textAt(subject, 'kind') ?? '',
        name: textAt(subject, 'name') ?? '',
        namespace: textAt(subject, 'namespace') ?? namespace,
      })),
  }
}

/** Bindings of one scope, found by whom they are for. */
export class Bindings {
  readonly #bySubject = new Map<string, Map<string, Grant>>()
  readonly #byKey = new Map<string, Binding>()

  get isEmpty(): boolean {
    return this.#byKey.size === 0
  }

  put(binding: Binding): void {
    this.remove(binding.key)
    this.#byKey.set(binding.key, binding)
    // The first subject that applies is the one that is named: so the others must not replace it.
    for (const subject of binding.subjects.toReversed()) {
      const id = subjectId(subject)
      if (id === undefined) continue
      const grants = this.#bySubject.get(id) ?? new Map<string, Grant>()
      grants.set(binding.key, { binding, subject })
      this.#bySubject.set(id, grants)
    }
  }

  remove(key: string): void {
    const binding = this.#byKey.get(key)
    if (!binding) return
    this.#byKey.delete(key)
    for (const id of binding.subjects.map(subjectId)) {
      const grants = id === undefined ? undefined : this.#bySubject.get(id)
      if (id === undefined || !grants) continue
      grants.delete(key)
      if (grants.size === 0) this.#bySubject.delete(id)
    }
  }

  /** Each binding that applies to the user once, in the order of their keys. */
  grantsOf({ name, groups }: User): Grant[] {
    const found = new Map<string, Grant>()
    for (const id of [`u:${name}`, ...groups.map((group) => `g:${group}`)]) {
      for (const [key, grant] of this.#bySubject.get(id) ?? []) {
        const other = found.get(key)
        if (!other || isBefore(grant, other)) found.set(key, grant)
      }
    }
    return [...found.values()].sort((one, other) => (one.binding.key < other.binding.key ? -1 : 1))
  }
}

const isBefore = ({ binding, subject }: Grant, other: Grant): boolean =>
  binding.subjects.indexOf(subject) < binding.subjects.indexOf(other.subject)

function subjectId({ kind, name, namespace }: Binding['subjects'][number]): string | undefined {
  if (kind === 'User') return `u:${name}`
  if (kind === 'Group') return `g:${name}`
  // Of a cluster-wide binding that does not say which namespace: nobody.
  if (kind === 'ServiceAccount' && namespace) return `u:${userNameOf({ namespace, name })}`
  return undefined
}

/** The binding and the subject that allow something, as Kubernetes tells it. */
export function describeGrant({ binding, subject }: Grant): string {
  const kind = binding.namespace ? 'RoleBinding' : 'ClusterRoleBinding'
  const name = binding.namespace ? `${binding.name}/${binding.namespace}` : binding.name
  const who =
    subject.kind === 'ServiceAccount' ? `${subject.name}/${subject.namespace}` : subject.name
  const { role } = binding
  return `${kind} ${quoted(name)} of ${role.kind} ${quoted(role.name)} to ${subject.kind} ${quoted(who)}`
}

const quoted = (text: string): string => JSON.stringify(text)
