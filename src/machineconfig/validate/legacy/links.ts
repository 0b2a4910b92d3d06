import { quote } from '#machineconfig/quote.ts'
import {
  itemsAt,
  type Section,
  sectionAt,
  textAt,
  textsAt,
} from '#machineconfig/validate/checks/fields.ts'

const EXCLUSIVE = 'config sections are mutually exclusive'

/** What bonds and bridges are made of: the link each member belongs to, and what is wrong with that. */
export function linkMembers(devices: readonly Section[]): {
  members: ReadonlyMap<string, string>
  problems: readonly string[]
} {
  const members = new Map<string, string>()
  const problems: string[] = []
  for (const device of devices) {
    problems.push(...masterProblems(device))
    const master = textAt(device, 'interface')
    for (const member of membersOf(device)) {
      const other = members.get(member)
      if (other !== undefined && other !== master) {
        problems.push(
          `interface ${quote(member)} is declared as part of two separate links: ${quote(other)} and ${quote(master)}`,
        )
      }
      members.set(member, master)
    }
  }
  return { members, problems }
}

function* masterProblems(device: Section): Generator<string> {
  const link = quote(textAt(device, 'interface'))
  const bond = sectionAt(device, 'bond')
  if (bond && sectionAt(device, 'bridge')) {
    yield `interface has both bridge and bond sections set ${link}: ${EXCLUSIVE}`
  }
  if (itemsAt(bond, 'interfaces').length > 0 && itemsAt(bond, 'deviceSelectors').length > 0) {
    yield `interface ${link} has both interfaces and selectors set: ${EXCLUSIVE}`
  }
}

// A bridge wins over a bond, which is refused in any case.
function membersOf(device: Section): readonly string[] {
  const bridge = sectionAt(device, 'bridge')
  return textsAt(bridge ?? sectionAt(device, 'bond'), 'interfaces')
}
