import { ApiFailure } from '#apiserver/failure.ts'
import type { Cause } from '#apiserver/field-error.ts'
import { isDue, type Steps } from '#apiserver/steps.ts'
import type { FieldSet } from './field-set.ts'
import { pathsOf } from './fields-v1.ts'
import { compareTexts, type Owner, type Owners } from './managed-fields.ts'
import { showElement } from './path-element.ts'

/** The answer to an apply that would change what others own. */
export function* conflictFailure(
  conflicts: ReadonlyMap<string, FieldSet>,
  owners: Owners,
): Steps<ApiFailure> {
  const found: { owner: string; paths: string[] }[] = []
  for (const [id, set] of [...conflicts].sort(([a], [b]) => compareTexts(a, b))) {
    found.push({ owner: shownOwner(owners.get(id)), paths: yield* shownPaths(set) })
  }
  const causes: Cause[] = []
  for (const { owner, paths } of found) {
    for (const field of paths) {
      causes.push({ reason: 'FieldManagerConflict', message: `conflict with ${owner}`, field })
      if (isDue()) yield
    }
  }
  const [only] = causes
  const message =
    causes.length === 1 && only !== undefined
      ? `Apply failed with 1 conflict: ${only.message}: ${only.field}`
      : `Apply failed with ${causes.length} conflicts: ${found.map(inLines).join('\n')}`
  return new ApiFailure(409, message, { reason: 'Conflict', details: { causes } })
}

const inLines = ({ owner, paths }: { owner: string; paths: readonly string[] }): string =>
  [`conflicts with ${owner}:`, ...paths.map((path) => `- ${path}`)].join('\n')

function* shownPaths(set: FieldSet): Steps<string[]> {
  const shown: string[] = []
  for (const path of yield* pathsOf(set)) {
    shown.push(path.map(showElement).join(''))
    if (isDue()) yield
  }
  return shown
}

function shownOwner(owner: Owner | undefined): string {
  if (owner === undefined) return '""'
  const { writer, subresource, operation, apiVersion } = owner
  const way = subresource ? ` with subresource ${JSON.stringify(subresource)}` : ''
  const version = operation === 'Update' ? ` using ${apiVersion}` : ''
  return `${JSON.stringify(writer)}${way}${version}`
}
