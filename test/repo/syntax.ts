import ts from 'typescript'

/** Every node of the syntax tree of a text, outer before inner. */
export function nodesOf(text: string): ts.Node[] {
  const found: ts.Node[] = []
  const visit = (node: ts.Node): void => {
    found.push(node)
    node.forEachChild(visit)
  }
  visit(ts.createSourceFile('x.ts', text, ts.ScriptTarget.Latest, true))
  return found
}

/** The line, counted from 1, that a node ends on. */
export const lineOf = (node: ts.Node): number =>
  node.getSourceFile().getLineAndCharacterOfPosition(node.getEnd()).line + 1
