import { parseGoDuration } from '#machineconfig/read/leaves/duration.ts'
import { type Section, textAt } from '#machineconfig/validate/checks/fields.ts'

const LEAST = { nanoseconds: 10_000_000_000n, text: '10s' }

/** How often filesystems are looked through for errors: not all the time. */
export function* scrubErrors(section: Section): Generator<string> {
  const interval = parseGoDuration(textAt(section, 'interval')) ?? 0n
  if (interval !== 0n && interval < LEAST.nanoseconds) {
    yield `scrub interval: minimum value is ${LEAST.text}`
  }
}
