import { type DiscoveredGroup, linesOfResources } from './builtin-resources.ts'
import { lineOfDefinition, type OpenApiSchema, packageOf, Shapes } from './builtin-shapes.ts'
import type { GoField } from './go-structs.ts'
import { type GeneratedFile, MARKER } from './tree.ts'

/** What a real kube-apiserver says about its kinds, and the Go sources it was compiled from. */
export interface BuiltinSources {
  /** Of the API server: `v1.36.4`. */
  version: string
  /** `components.schemas` of every OpenAPI v3 document of a group that is kept. */
  schemas: Readonly<Record<string, OpenApiSchema>>
  /** All that aggregated discovery lists, the core group first. */
  groups: readonly DiscoveredGroup[]
  /** The fields of a definition as Go has them, by their name in JSON. */
  goFields(definition: string): ReadonlyMap<string, GoField>
}

const BUILTIN_KINDS_PATH = 'src/apiserver/builtin/generated/kinds.ts'

/** The groups and versions whose kinds the embedded API has, in the order of discovery. */
export const builtinGroups = [
  'v1',
  'apps/v1',
  'events.k8s.io/v1',
  'authentication.k8s.io/v1',
  'authorization.k8s.io/v1',
  'autoscaling/v2',
  'autoscaling/v1',
  'batch/v1',
  'certificates.k8s.io/v1',
  'networking.k8s.io/v1',
  'policy/v1',
  'rbac.authorization.k8s.io/v1',
  'storage.k8s.io/v1',
  'admissionregistration.k8s.io/v1',
  'apiextensions.k8s.io/v1',
  'scheduling.k8s.io/v1',
  'coordination.k8s.io/v1',
  'node.k8s.io/v1',
  'discovery.k8s.io/v1',
]

/** The table of built-in kinds: their shapes without descriptions, and what discovery tells of them. */
export function builtinKindsFile(sources: BuiltinSources): GeneratedFile {
  const names = Object.keys(sources.schemas)
    .filter((name) => !isList(sources.schemas[name]))
    .sort()
  const packages = [...new Set(names.map(packageOf))]
  const shapes = new Shapes(packages)
  const definitions = names.map((name) =>
    lineOfDefinition({
      name,
      schema: sources.schemas[name] ?? {},
      goFields: sources.goFields(name),
      shapes,
    }),
  )
  const content = [
    `// ${MARKER} From kube-apiserver ${sources.version}.`,
    '// How to read it: src/apiserver/builtin/table.ts.',
    `export const version = '${sources.version}'`,
    listed('packages', packages),
    listed('shapes', shapes.lines()),
    listed('definitions', definitions),
    listed('resources', linesOfResources(sources.groups, builtinGroups)),
  ]
  return { path: BUILTIN_KINDS_PATH, content: `${content.join('\n')}\n` }
}

/** Lists follow from their kind. */
const isList = (schema: OpenApiSchema | undefined): boolean =>
  schema?.properties?.items !== undefined &&
  schema.properties.metadata?.allOf?.[0]?.$ref?.endsWith('.ListMeta') === true

/** Nothing in the table has a backslash, a backtick or a dollar sign in it but names such as `$ref`. */
const listed = (name: string, lines: readonly string[]): string =>
  `export const ${name} = \`${lines.join('\n').replaceAll('\\', '\\\\')}\``
