import { Errors } from 'typebox/schema'
import { kinds } from '#api/kinds.ts'
import { editorSchema } from '#scripts/generate/editor-schemas.ts'

/** What is wrong with a manifest of one of our kinds. A manifest of another kind is not judged. */
export function problemsOf(manifest: unknown): string[] {
  if (manifest === null || typeof manifest !== 'object' || !('kind' in manifest)) return []
  const kind = kinds.find(
    (one) =>
      one.kind === manifest.kind &&
      'apiVersion' in manifest &&
      manifest.apiVersion === `${one.group}/${one.version}`,
  )
  if (!kind) return isOurs(manifest) ? [`there is no kind ${manifest.kind} in that group`] : []
  const [, errors] = Errors(editorSchema(kind), manifest)
  return errors.map(({ instancePath, message }) => `${kind.kind}${instancePath}: ${message}`)
}

const isOurs = (manifest: object): boolean =>
  'apiVersion' in manifest &&
  kinds.some(({ group }) => String(manifest.apiVersion).startsWith(`${group}/`))
