import ts from 'typescript'
import { lineOf, nodesOf } from './syntax.ts'

const MOCKS = ['mock', 'doMock', 'unmock', 'doUnmock', 'importMock', 'hoisted']
const TIMERS = ['setTimeout', 'setInterval']
const GLOBALS = ['globalThis', 'global']

/** Where a test mocks a module, and where it sleeps: `line: what`. */
export function badHabitsIn(text: string): string[] {
  const nodes = nodesOf(text)
  const modules = new Set(nodes.filter(ts.isImportDeclaration).flatMap(wholeModuleNames))
  const found = nodes.flatMap((node) => {
    const what = mocking(node, modules) ?? sleeping(node)
    return what ? [`${lineOf(node)}: ${what}`] : []
  })
  return [...new Set(found)]
}

function mocking(node: ts.Node, modules: Set<string>): string | undefined {
  const member = memberOf(node)
  if (member && /^(vi|vitest)$/.test(member.of) && MOCKS.includes(member.name)) return 'mocks'
  if (!ts.isCallExpression(node) || memberOf(node.expression)?.name !== 'spyOn') return undefined
  const [spied] = node.arguments
  return spied && modules.has(spied.getText()) ? 'mocks a module' : undefined
}

function sleeping(node: ts.Node): string | undefined {
  if (ts.isImportDeclaration(node) && importsTimer(node)) return 'imports a timer'
  if (ts.isStringLiteral(node) && ts.isCallExpression(node.parent) && isTimers(node.text)) {
    return 'imports a timer'
  }
  const member = memberOf(node)
  if (member) return isSleepingMember(member) ? 'sleeps' : undefined
  return ts.isIdentifier(node) && TIMERS.includes(node.text) && isFree(node) ? 'sleeps' : undefined
}

const isSleepingMember = ({ of, name }: Member): boolean =>
  (GLOBALS.includes(of) && TIMERS.includes(name)) || (of === 'Atomics' && name === 'wait')

interface Member {
  of: string
  name: string
}

function memberOf(node: ts.Node): Member | undefined {
  if (ts.isPropertyAccessExpression(node)) {
    return { of: node.expression.getText(), name: node.name.text }
  }
  if (ts.isElementAccessExpression(node) && ts.isStringLiteral(node.argumentExpression)) {
    return { of: node.expression.getText(), name: node.argumentExpression.text }
  }
  return undefined
}

/** Whether an identifier stands for itself: not a member, a key, or a part of an import. */
const isFree = (node: ts.Identifier): boolean =>
  !(
    (ts.isPropertyAccessExpression(node.parent) && node.parent.name === node) ||
    (ts.isPropertyAssignment(node.parent) && node.parent.name === node) ||
    ts.isMethodDeclaration(node.parent) ||
    ts.isPropertySignature(node.parent) ||
    ts.isMethodSignature(node.parent) ||
    ts.isImportSpecifier(node.parent)
  )

const isTimers = (name: string): boolean => /^(node:)?timers(\/promises)?$/.test(name)

/** Turns of the event loop (setImmediate) are no sleep; everything else in those modules is. */
function importsTimer({ moduleSpecifier, importClause }: ts.ImportDeclaration): boolean {
  if (!ts.isStringLiteral(moduleSpecifier) || !isTimers(moduleSpecifier.text)) return false
  const named = importClause?.namedBindings
  if (!named || !ts.isNamedImports(named) || importClause.name) return true
  return named.elements.some(
    ({ name, propertyName }) => (propertyName ?? name).text !== 'setImmediate',
  )
}

/** `fs` in `import * as fs from 'x'` and in `import fs from 'x'`. */
function wholeModuleNames({ importClause }: ts.ImportDeclaration): string[] {
  const named = importClause?.namedBindings
  const all = named && ts.isNamespaceImport(named) ? [named.name.text] : []
  return [...all, ...(importClause?.name ? [importClause.name.text] : [])]
}
