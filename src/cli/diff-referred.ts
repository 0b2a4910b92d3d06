import { Type } from 'typebox'
import { Value } from 'typebox/value'
import { ConfigMap, Secret } from '#api/foreign.ts'
import { type ApiKind, apiVersionOf, type KubeObject } from '#api/meta.ts'
import { configRefNames } from '#engine/config-ref.ts'
import type { PlacedObject } from './diff-rehearse.ts'

/** An object of a file that another one refers to. */
export interface Referred {
  readonly object: PlacedObject
  /** As it would be there. */
  readonly as: KubeObject
}

const texts = Type.Record(Type.String(), Type.String())
const Texts = Type.Object({ data: texts })
const SecretTexts = Type.Object({ data: Type.Optional(texts), stringData: Type.Optional(texts) })

/** Those that hold the configuration, or the keys, that one of the others wants. */
export const referredTo = (
  objects: readonly PlacedObject[],
  accepted: readonly KubeObject[],
): Referred[] =>
  objects.flatMap((object): Referred[] => {
    const { namespace, name } = object.metadata
    const specs = accepted
      .filter(({ metadata }) => metadata.namespace === namespace)
      .map((one) => Object(one).spec ?? {})
    if (isOf(ConfigMap, object) && Value.Check(Texts, object)) {
      return configsNamedIn(specs).includes(name) ? [{ object, as: object }] : []
    }
    if (!isOf(Secret, object) || !Value.Check(SecretTexts, object)) return []
    return secretsNamedIn(specs).includes(name) ? [{ object, as: asStored(object) }] : []
  })

type Referring = Parameters<typeof configRefNames>[0]

/** As far as it is looked at here. */
type Spec = Referring & {
  controlPlane?: Referring
  worker?: Referring
  talosConfig?: { secretRef?: { name?: string } }
}

const configsNamedIn = (specs: readonly Spec[]): string[] =>
  specs.flatMap((spec) => [spec, spec.controlPlane, spec.worker].flatMap(configRefNames))

/** Of KubernetesClusters. */
const secretsNamedIn = (specs: readonly Spec[]): string[] =>
  specs.flatMap(({ talosConfig }) => talosConfig?.secretRef?.name ?? [])

/** What is written in the clear is kept in base64. */
function asStored({
  data,
  stringData = {},
  ...secret
}: PlacedObject & { data?: Record<string, string>; stringData?: Record<string, string> }) {
  const written = Object.entries(stringData).map(([key, text]) => [
    key,
    Buffer.from(text).toString('base64'),
  ])
  return { ...secret, data: { ...data, ...Object.fromEntries(written) } }
}

const isOf = (kind: ApiKind, object: PlacedObject): boolean =>
  object.kind === kind.kind && object.apiVersion === apiVersionOf(kind)
