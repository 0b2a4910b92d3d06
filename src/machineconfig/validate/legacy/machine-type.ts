import { quote } from '#machineconfig/quote.ts'

/** What a machine is; `init` is an old kind of control plane. */
export type MachineType = 'init' | 'controlplane' | 'worker' | 'unknown'

/** The type that Talos makes of `machine.type`. */
export function machineType(text: string): MachineType {
  switch (text) {
    case 'init':
    case 'controlplane':
      return text
    case 'worker':
    case 'join':
    case '':
      return 'worker'
    default:
      return 'unknown'
  }
}

/** Whether a machine of that type runs the control plane. */
export const isControlPlane = (type: MachineType): boolean =>
  type === 'init' || type === 'controlplane'

/** Warns of an old name of a type. */
export function* machineTypeWarnings(text: string): Generator<string> {
  const type = machineType(text)
  if (type !== 'unknown' && type !== text) {
    yield `use ${quote(type)} instead of ${quote(text)} for machine type`
  }
}

/** Refuses a type that Talos does not know. */
export const unknownTypeProblem = (text: string): string => `unknown machine type ${quote(text)}`
