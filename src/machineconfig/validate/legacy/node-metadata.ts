import { type Section, textEntriesAt } from '#machineconfig/validate/checks/fields.ts'
import {
  annotationProblems,
  labelProblems,
  taintProblems,
} from '#machineconfig/validate/checks/labels.ts'
import { errorText } from '#machineconfig/validate/error-list.ts'

/** What is wrong with the labels, annotations and taints that a node gets. */
export function* nodeProblems(machine: Section): Generator<string> {
  for (const [what, problems] of [
    ['labels', labelProblems(textEntriesAt(machine, 'nodeLabels'))],
    ['annotations', annotationProblems(textEntriesAt(machine, 'nodeAnnotations'))],
    ['taints', taintProblems(textEntriesAt(machine, 'nodeTaints'))],
  ] as const) {
    if (problems.length > 0) yield `invalid machine node ${what}: ${errorText(problems)}`
  }
}
