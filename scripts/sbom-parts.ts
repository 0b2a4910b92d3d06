/** What we read of a CycloneDX document; all else is handed on. */
interface Bill {
  metadata: { component: Component }
  components: Component[]
  dependencies: { ref: string; dependsOn: string[] }[]
}

interface Component {
  'bom-ref': string
  name: string
  version: string
  scope?: string
  properties?: { name: string; value: string }[]
}

interface Shipped {
  program: string
  /** What parts of are in the bundle. */
  bundled: { name: string; version: string }[]
}

const DEVELOPMENT = 'cdx:npm:package:development'

/** Of what is installed for development, what is shipped: as parts of the bundle, or beside it. */
export function billOf<B extends Bill>(all: B, { program, bundled }: Shipped): B {
  const { component } = all.metadata
  const inBundle = new Set(bundled.map(({ name, version }) => `${name}@${version}`))
  const components = all.components
    .filter((one) => inBundle.has(`${one.name}@${one.version}`) || !isForDevelopment(one))
    .map((one) => (inBundle.has(`${one.name}@${one.version}`) ? asRequired(one) : one))
  const kept = new Set([component, ...components].map((one) => one['bom-ref']))
  const dependencies = all.dependencies
    .filter(({ ref }) => kept.has(ref))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((one) => kept.has(one)) }))
  const found = new Set(components.map((one) => `${one.name}@${one.version}`))
  const missing = [...inBundle].filter((one) => !found.has(one))
  if (missing.length > 0) throw new Error(`npm does not know of ${missing.join(', ')}`)
  // npm calls it by the folder that it is in.
  const named = { ...component, name: program }
  return { ...all, metadata: { ...all.metadata, component: named }, components, dependencies }
}

const isForDevelopment = ({ properties = [] }: Component): boolean =>
  properties.some(({ name }) => name === DEVELOPMENT)

/** To npm it is a tool, as nobody has to install it. */
const asRequired = (one: Component): Component => ({
  ...one,
  scope: 'required',
  properties: (one.properties ?? []).filter(({ name }) => name !== DEVELOPMENT),
})
