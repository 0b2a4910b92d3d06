import type { TalosMachine } from '#talos/machine.ts'
import type { Mismatch, Outcome } from '#talos/outcome.ts'
import type { OurFleet, Who } from './our-fleet.ts'

/** What our client makes of a machine that says no. */
type Failure = { readonly outcome: Outcome; readonly mismatch?: Mismatch }

/** A call of our client, once with success and once without. */
export interface OurCall {
  /** As `TalosMachine` names it. */
  readonly name: string
  readonly good: (our: OurFleet) => Promise<unknown>
  /** What it resolves to, or a part of that. */
  readonly gives: unknown
  readonly bad: (our: OurFleet) => Promise<unknown>
  readonly fails: Failure
}

type Ask = (machine: TalosMachine) => Promise<unknown>

/** Asks a machine as somebody. */
export const asking =
  (name: string, who: Who, ask: Ask): OurCall['good'] =>
  (our) =>
    ask(our.machine(name, who))

/** How the same question ends badly: who asks whom, and what becomes of it. */
const BAD = {
  'in maintenance': ['waiting', 'admin', { outcome: 'wrong-identity', mismatch: 'in-maintenance' }],
  'not in maintenance': [
    'cp1',
    'anyone',
    { outcome: 'wrong-identity', mismatch: 'not-in-maintenance' },
  ],
  'another cluster': ['cp1', 'other', { outcome: 'wrong-identity', mismatch: 'another-cluster' }],
  'no role': ['cp1', 'etcd:backup', { outcome: 'refused' }],
  reader: ['cp1', 'reader', { outcome: 'refused' }],
  operator: ['cp1', 'operator', { outcome: 'refused' }],
  worker: ['worker', 'admin', { outcome: 'not-supported' }],
  'old in maintenance': ['old', 'anyone', { outcome: 'not-supported' }],
  older: ['cp1', 'admin', { outcome: 'not-supported' }],
} as const satisfies Record<string, readonly [string, Who, Failure]>

/** How `ask` ends on a machine that will not answer it. */
export function badly(how: keyof typeof BAD, ask: Ask): Pick<OurCall, 'bad' | 'fails'> {
  const [name, who, fails] = BAD[how]
  return { bad: asking(name, who, ask), fails }
}

/** A question that the first control plane answers, and somebody else does not, or not to everybody. */
export const read = (
  name: string,
  ask: Ask,
  { gives, bad }: { gives: unknown; bad: keyof typeof BAD },
): OurCall => ({ name, good: asking('cp1', 'admin', ask), gives, ...badly(bad, ask) })
