import type { ConfigDocument, Value } from '#machineconfig/document.ts'
import type { Shape } from '#machineconfig/shapes/shape.ts'
import { isSection } from './checks/fields.ts'

// Judged in about a tenth of a second at worst; a machine with a hundred volumes needs a third of it.
const MOST = 64 * 1024

/**
 * Refuses expressions that are longer all together than anybody needs: judging them takes time, and one
 * configuration could hold a thousand as long as one may be. Talos has no such bound.
 */
export function expressionsProblem(documents: readonly ConfigDocument[]): string | undefined {
  const letters = documents.reduce((sum, { kind, fields }) => sum + lengthIn(kind.shape, fields), 0)
  return letters > MOST
    ? `expressions: ${letters} characters all together, and no more than ${MOST} are judged`
    : undefined
}

function lengthIn(shape: Shape, value: Value | undefined): number {
  switch (shape.is) {
    case 'leaf':
      return shape.type.reads === 'expression' && typeof value === 'string' ? value.length : 0
    case 'pointer':
      return lengthIn(shape.to, value)
    case 'list':
      return Array.isArray(value) ? sumOf(value, (item) => lengthIn(shape.of, item)) : 0
    case 'struct':
      return isSection(value)
        ? sumOf([...shape.fields.values()], (field) => lengthIn(field.shape, value[field.name]))
        : 0
    default:
      // No map and nothing that is free-form holds any.
      return 0
  }
}

const sumOf = <Item>(items: readonly Item[], length: (item: Item) => number): number =>
  items.reduce((sum, item) => sum + length(item), 0)
