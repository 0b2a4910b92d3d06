import { type Section, sectionAt, sectionsAt } from '#machineconfig/validate/checks/fields.ts'
import { deviceProblems, deviceWarnings } from './devices.ts'
import { enabledKubeSpan, kubeSpanLinkProblems } from './kubespan.ts'
import { linkMembers } from './links.ts'

/** What is wrong with `machine.network`. */
export function* networkProblems(machine: Section): Generator<string> {
  const devices = devicesOf(machine)
  const { members, problems } = linkMembers(devices)
  yield* problems
  for (const device of devices) yield* deviceProblems(device, members)
  yield* kubeSpanLinkProblems(enabledKubeSpan(machine))
}

/** What is old about `machine.network`. */
export function* networkWarnings(machine: Section): Generator<string> {
  for (const device of devicesOf(machine)) yield* deviceWarnings(device)
}

/** Shared addresses are for control planes. */
export function* workerVipProblems(machine: Section): Generator<string> {
  for (const device of devicesOf(machine)) {
    for (const link of [device, ...sectionsAt(device, 'vlans')]) {
      if (sectionAt(link, 'vip')) {
        yield 'virtual (shared) IP is not allowed on non-controlplane nodes'
      }
    }
  }
}

const devicesOf = (machine: Section): readonly Section[] =>
  sectionsAt(sectionAt(machine, 'network'), 'interfaces')
