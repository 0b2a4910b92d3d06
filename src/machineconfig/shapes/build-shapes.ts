import { leafOfGoType } from './go-leaves.ts'
import type { Field, Pointer, Shape, Struct } from './shape.ts'
import type { FieldText, TypeLine } from './table.ts'

/** Makes shapes of Go types, each once. */
export interface ShapeBuilder {
  /** The shape of a struct by its Go name; throws if the table has no such struct. */
  structOf(name: string): Struct
}

/** Wrapped maps that hold anything. */
const FREE = new Set(['any', 'v1alpha1.Unstructured'])

/** A builder over the types of the table. Types may contain themselves. */
export function shapeBuilder(types: ReadonlyMap<string, TypeLine>): ShapeBuilder {
  const structs = new Map<string, Struct>()

  function structOf(name: string): Struct {
    const known = structs.get(name)
    if (known) return known
    const texts = types.get(name)?.fields
    if (!texts) throw new Error(`there is no struct ${name} in the table of shapes`)
    const fields = new Map<string, Field>()
    const struct: Struct = { is: 'struct', name, fields }
    // Known before its fields are, so that one that contains itself ends.
    structs.set(name, struct)
    for (const text of texts) fields.set(text.name, fieldOf(text))
    return struct
  }

  function fieldOf({ type, before, ...rest }: FieldText): Field {
    return {
      ...rest,
      shape: shapeOf(type),
      ...(before && { before: { until: before.until, shape: shapeOf(before.type) } }),
    }
  }

  function shapeOf(type: string): Shape {
    return type.startsWith('*') ? { is: 'pointer', to: shapeOf(type.slice(1)) } : valueShape(type)
  }

  function valueShape(type: string): Exclude<Shape, Pointer> {
    if (type.startsWith('[]')) return { is: 'list', of: shapeOf(type.slice(2)) }
    if (type.startsWith('map[string]')) return { is: 'map', of: shapeOf(type.slice(11)) }
    if (FREE.has(type)) return { is: 'free', name: type }
    const leaf = leafOfGoType(type)
    return leaf ? { is: 'leaf', type: leaf, name: type } : namedShape(type)
  }

  function namedShape(name: string): Exclude<Shape, Pointer> {
    const { values, hasZero, of } = types.get(name) ?? {}
    if (values) {
      const [first] = hasZero ? values.keys() : []
      const zero = first ?? `${name.slice(name.indexOf('.') + 1)}(0)`
      return { is: 'leaf', type: { reads: 'enum', values, zero }, name }
    }
    return of === undefined ? structOf(name) : { ...valueShape(of), name }
  }

  return { structOf }
}
