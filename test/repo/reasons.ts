import ts from 'typescript'
import { nodesOf } from './syntax.ts'

// What the value of such a field is can be seen from its name.
const OTHER_FIELDS = /^(kind|type|scope|state|phase|propagation|name|effect|failure|code|status)$/

/**
 * The words in a source that could be reasons: every text in capitals and small letters that is not compared with, not
 * thrown and not the value of a field that says what else it is. A word too many is listed by whoever asks; one too few is
 * never missed.
 */
export function wordsSaidIn(text: string): string[] {
  return nodesOf(text).flatMap((node) => {
    if (!ts.isStringLiteralLike(node) || !/^([A-Z][a-z]+)+$/.test(node.text)) return []
    return isOtherwiseUsed(node) ? [] : [node.text]
  })
}

function isOtherwiseUsed(node: ts.Node): boolean {
  const { parent } = node
  if (ts.isBinaryExpression(parent)) return isComparison(parent)
  if (ts.isCaseClause(parent) || ts.isLiteralTypeNode(parent)) return true
  if (ts.isNewExpression(parent)) return true
  if (!ts.isPropertyAssignment(parent)) return false
  return OTHER_FIELDS.test(parent.name.getText()) || isOfStep(parent)
}

const isComparison = ({ operatorToken: { kind } }: ts.BinaryExpression): boolean =>
  kind === ts.SyntaxKind.EqualsEqualsEqualsToken ||
  kind === ts.SyntaxKind.ExclamationEqualsEqualsToken

/** The events of a step are named beside what they are called when it fails. */
const isOfStep = (property: ts.PropertyAssignment): boolean =>
  ts.isObjectLiteralExpression(property.parent) &&
  property.parent.properties.some((one) => one.name?.getText() === 'failure')
