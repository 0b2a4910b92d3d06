import { quote } from '#machineconfig/quote.ts'
import { type Section, sectionAt, textAt, textsAt } from '#machineconfig/validate/checks/fields.ts'

/** What is wrong with what a container may do. */
export function* securityErrors(security: Section): Iterable<string> {
  const profile = textAt(security, 'profile')
  if (!['', 'restricted', 'privileged'].includes(profile)) {
    yield `unsupported security profile ${quote(profile)}, expected restricted or privileged`
  }
  const capabilities = sectionAt(security, 'capabilities')
  const [added, dropped] = [textsAt(capabilities, 'add'), textsAt(capabilities, 'drop')]
  for (const name of added) {
    if (name === 'ALL') {
      yield 'capabilities.add does not accept ALL, use profile: privileged instead'
    } else yield* nameErrors('capabilities.add', name)
  }
  for (const name of dropped) if (name !== 'ALL') yield* nameErrors('capabilities.drop', name)
  const droppedNames = new Set(dropped)
  for (const name of added) {
    if (droppedNames.has(name)) yield `capability ${quote(name)} appears in both add and drop`
  }
}

function* nameErrors(where: string, name: string): Iterable<string> {
  if (name === '') yield `${where}: capability name must not be empty`
  else if (name.startsWith('CAP_')) {
    yield `${where}: capability ${quote(name)} must be given without the CAP_ prefix`
  } else if (hasLowerCase(name)) yield `${where}: capability ${quote(name)} must be upper case`
  else if (!/^[A-Z_]+$/.test(name)) {
    yield `${where}: capability ${quote(name)} may only contain upper case letters and underscores`
  }
}

/** By single letters, as Go has it: one that becomes two has no upper case. */
const hasLowerCase = (name: string): boolean =>
  Array.from(name).some((letter) => {
    const upper = letter.toUpperCase()
    return upper !== letter && Array.from(upper).length === 1
  })
