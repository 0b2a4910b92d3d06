import { quote } from '#machineconfig/quote.ts'
import { keysAt, type Section, sectionAt } from '#machineconfig/validate/checks/fields.ts'

/** Entries of registries and mirrors that have nothing in them. */
export function* registryProblems(machine: Section): Generator<string> {
  const registries = sectionAt(machine, 'registries')
  for (const kind of ['config', 'mirrors']) {
    const entries = sectionAt(registries, kind)
    for (const name of keysAt(registries, kind)) {
      if (!sectionAt(entries, name)) yield `registries.${kind}[${quote(name)}] is null`
    }
  }
}
