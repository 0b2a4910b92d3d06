import { quoted } from '#apiserver/field-error.ts'
import { type Fields, fieldsAt, textAt } from '#apiserver/objects.ts'
import type { WriteContext } from '#apiserver/resource.ts'
import { isSame, itemsOf } from './fill.ts'
import type { BuiltinBehaviour } from './kind-behaviour.ts'

/** Where objects of a kind that become pods, by `group/plural`, say what those are. */
const TEMPLATES: ReadonlyMap<string, readonly string[]> = new Map([
  ['/pods', []],
  ['/podtemplates', ['template']],
  ['/replicationcontrollers', ['spec', 'template']],
  ['apps/daemonsets', ['spec', 'template']],
  ['apps/deployments', ['spec', 'template']],
  ['apps/replicasets', ['spec', 'template']],
  ['apps/statefulsets', ['spec', 'template']],
  ['batch/cronjobs', ['spec', 'jobTemplate', 'spec', 'template']],
  ['batch/jobs', ['spec', 'template']],
])

/** The behaviour of a kind, with warnings of pull secrets without a name or with the same one, where it has any. */
export function warningOfPullSecrets(kind: string, behaviour: BuiltinBehaviour): BuiltinBehaviour {
  const path = TEMPLATES.get(kind)
  if (!path) return behaviour
  return {
    ...behaviour,
    validate(object, old, context) {
      const problems = behaviour.validate?.(object, old, context) ?? []
      if (problems.length > 0 || isNeverTold(context)) return problems
      const told = warningsFor({ kind, behaviour, path }, object, old)
      for (const text of told) context.warn(text)
      return problems
    },
  }
}

/** A write to a subresource is none of pods, but for how many there are, and one that is refused comes to nothing. */
const isNeverTold = ({ subresource = 'scale', metadataErrors = [] }: WriteContext): boolean =>
  subresource !== 'scale' || metadataErrors.length > 0

interface Told {
  kind: string
  behaviour: BuiltinBehaviour
  path: readonly string[]
}

function warningsFor(told: Told, object: Fields, old: Fields | undefined): string[] {
  if (!old) return warningsOf(object, told.path)
  // Kubernetes takes the old one for the new one here.
  const warnings = warningsOf(told.kind === '/replicationcontrollers' ? old : object, told.path)
  return warnings.length > 0 && isToldOfChange(told, object, old) ? warnings : []
}

/** Whether a change is one that counts. */
function isToldOfChange({ kind, behaviour, path }: Told, object: Fields, old: Fields): boolean {
  if (kind === '/pods' || !behaviour.countsAsChange(object, old)) return false
  return kind !== 'apps/daemonsets' || !isSame(partAt(object, path), partAt(old, path))
}

const partAt = (object: Fields, path: readonly string[]): Fields => path.reduce(fieldsAt, object)

function warningsOf(object: Fields, path: readonly string[]): string[] {
  const secrets = itemsOf(partAt(object, [...path, 'spec']), 'imagePullSecrets')
  const field = (index: number) => [...path, 'spec', `imagePullSecrets[${index}]`, 'name'].join('.')
  const seen = new Set<string>()
  const repeated: string[] = []
  const empty: string[] = []
  for (const [index, secret] of secrets.entries()) {
    const name = textAt(secret, 'name') ?? ''
    if (seen.has(name)) repeated.push(`${field(index)}: duplicate name ${quoted(name)}`)
    if (name === '') empty.push(`${field(index)}: invalid empty name ""`)
    seen.add(name)
  }
  return [...repeated, ...empty]
}
