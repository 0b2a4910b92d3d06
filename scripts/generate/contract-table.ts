// Where each point of the document of vitistack.io is shown to hold: in docs/reference/kubernetes-cluster.md. A test of the
// repository looks whether the tests are there.

import { ofClusters } from './contract-of-clusters.ts'
import { ofOperation } from './contract-of-operation.ts'
import type { Point, Test } from './contract-tests.ts'
import { code, table } from './markdown.ts'

export const contract: readonly Point[] = [...ofClusters, ...ofOperation]

/** The tests that show a point. */
export const testsOf = ({ shown }: Point): readonly Test[] => (isOne(shown) ? [shown] : shown)

const isOne = (shown: Test | readonly Test[]): shown is Test => typeof shown[0] === 'string'

/** The section of the reference page. */
export const contractSection = (): string[] => [
  '## The contract, point by point',
  '',
  'The points of the published document, and the tests that show that they hold.',
  '',
  ...table(
    ['point', 'what', 'shown by'],
    contract.map((point) => [point.id, point.what, wordsFor(point)]),
  ),
]

const wordsFor = (point: Point): string =>
  testsOf(point)
    .map(([file, title]) => `${code(file)}: ${title}`)
    .join('<br>')
