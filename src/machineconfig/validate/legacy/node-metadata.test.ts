import { expect, test } from 'vitest'
import { nodeProblems } from './node-metadata.ts'

test('labels, annotations and taints are told together', () => {
  expect([...nodeProblems({ nodeLabels: { a: 'b' } })]).toEqual([])
  const fields = {
    nodeLabels: { b: '-', '-': 'a' },
    nodeAnnotations: { '': '' },
    nodeTaints: { a: 'x' },
  }
  expect([...nodeProblems(fields)]).toEqual([
    'invalid machine node labels: 2 errors occurred:\n\t* name "-" is invalid\n\t* label value "-" is invalid\n\n',
    'invalid machine node annotations: 1 error occurred:\n\t* name cannot be empty: ""\n\n',
    'invalid machine node taints: 1 error occurred:\n\t* invalid taint effect: "x"\n\n',
  ])
})
