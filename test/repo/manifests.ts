import { Errors } from 'typebox/schema'
import { kinds } from '#api/kinds.ts'
import { editorSchema } from '#scripts/generate/editor-schemas.ts'

// What our manifests may hold besides our own kinds. Everything else is taken for a typo.
const OTHERS = ['batch/v1 Job', 'v1 ConfigMap', 'v1 Namespace', 'v1 Secret']

/** A piece of YAML that says neither what it is nor of which version: values, or a part of a spec. */
export const isFragment = (yaml: unknown): boolean =>
  yaml === null || typeof yaml !== 'object' || !('kind' in yaml || 'apiVersion' in yaml)

/**
 * What is wrong with a manifest: its group, version, kind and the fields of our kinds are judged.
 * The rules that only an API server can evaluate (CEL) are not.
 */
export function problemsOf(manifest: unknown): string[] {
  const { apiVersion, kind: name } = Object(manifest)
  const kind = kinds.find(
    (one) => one.kind === name && apiVersion === `${one.group}/${one.version}`,
  )
  if (!kind) {
    return OTHERS.includes(`${apiVersion} ${name}`)
      ? []
      : [`there is no kind ${name} in ${apiVersion} that a manifest of ours may hold`]
  }
  const [, errors] = Errors(editorSchema(kind), manifest)
  return errors.map(({ instancePath, message }) => `${kind.kind}${instancePath}: ${message}`)
}
