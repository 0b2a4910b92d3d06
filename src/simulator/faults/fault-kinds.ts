// Moments at which a machine can die: before or after something, or while an answer is on its way.
const steps = [
  'before-install',
  'after-install',
  'before-upgrade',
  'after-upgrade',
  'before-reset',
  'after-reset',
  'after-apply',
  'after-bootstrap',
  'before-etcd-join',
  'before-reboot',
] as const

export type Step = (typeof steps)[number]

interface FaultKind {
  /** For people who read `--help`. */
  readonly description: string
  /** Further keys, each with what it takes. */
  readonly keys: Readonly<Record<string, KeyForm>>
  /** How often it strikes unless it is told. */
  readonly times: number
}

/** What the value of a key looks like: one of some words, or the name of a call, a duration, a whole number, any text. */
export interface KeyForm {
  readonly takes: readonly string[] | 'call' | 'duration' | 'number' | 'text'
  readonly isRequired?: true
}

const ALWAYS = Infinity

/** What goes wrong with machines. */
const machineFaultKinds = {
  unreachable: {
    description:
      'nobody gets through to the machine, nor it to others: refused, or nothing ever comes back',
    keys: { how: { takes: ['refused', 'silent'] } },
    times: ALWAYS,
  },
  slow: {
    description: 'every answer comes later, by `by`',
    keys: { by: { takes: 'duration', isRequired: true }, call: { takes: 'call' } },
    times: ALWAYS,
  },
  dies: {
    description: 'the machine loses power at a step, and stays off',
    keys: { at: { takes: steps, isRequired: true } },
    times: 1,
  },
  'loses-reply': {
    description: 'a call is carried out, but its answer never comes',
    keys: { call: { takes: 'call' } },
    times: 1,
  },
  'falls-back': {
    description: 'after an upgrade the machine boots its old version again',
    keys: {},
    times: 1,
  },
  'disk-missing': {
    description: 'a disk is not there; without `disk`, the one that Talos would be installed to',
    keys: { disk: { takes: 'text' } },
    times: ALWAYS,
  },
  'clock-skew': {
    description: 'the clock of the machine is wrong by `by`, and is not set right',
    keys: { by: { takes: 'duration', isRequired: true } },
    times: ALWAYS,
  },
  'registry-refuses': {
    description: 'no registry has images with `image` in their name',
    keys: { image: { takes: 'text' } },
    times: ALWAYS,
  },
  'etcd-alarm': {
    description: 'etcd raises an alarm as soon as it runs on the machine',
    keys: { alarm: { takes: ['NOSPACE', 'CORRUPT'] } },
    times: 1,
  },
  'etcd-down': {
    description: 'etcd fails on the machine, over and over, while the rest of it is well',
    keys: {},
    times: ALWAYS,
  },
  'static-pod-fails': {
    description:
      'parts of Kubernetes whose image has `image` in its name end as soon as they begin',
    keys: { image: { takes: 'text' } },
    times: ALWAYS,
  },
  'rejects-config': {
    description: 'the machine refuses every configuration, or those with the text `with` in them',
    keys: { with: { takes: 'text' } },
    times: ALWAYS,
  },
  'wrong-machine': {
    description: 'another machine, with another UUID and empty disks, takes over the address',
    keys: {},
    times: 1,
  },
} as const satisfies Record<string, FaultKind>

/** What goes wrong with a provider of machines. */
const providerFaultKinds = {
  'provider-silent': {
    description: 'the provider does nothing about a Machine: no machine, no status, no deletion',
    keys: {},
    times: ALWAYS,
  },
  'provider-slow': {
    description: 'the provider takes longer to make a machine and to take it away, by `by`',
    keys: { by: { takes: 'duration', isRequired: true } },
    times: ALWAYS,
  },
  'provider-fails': {
    description: 'the provider gives up on a Machine, which becomes Failed, for `reason`',
    keys: { reason: { takes: 'text' } },
    times: ALWAYS,
  },
  'address-late': {
    description: 'the provider tells the address of a machine later, by `by`',
    keys: { by: { takes: 'duration', isRequired: true } },
    times: ALWAYS,
  },
  'address-changes': {
    description: 'the provider puts a machine at another address, where it boots anew',
    keys: {},
    times: 1,
  },
} as const satisfies Record<string, FaultKind>

/** Everything that can be made to go wrong. */
export const faultKinds = { ...machineFaultKinds, ...providerFaultKinds }

export type MachineFaultName = keyof typeof machineFaultKinds
export type ProviderFaultName = keyof typeof providerFaultKinds
export type FaultName = MachineFaultName | ProviderFaultName

/** Whether it is about a provider: then it knows machines by the names of their Machines. */
export const isProviderFault = (name: FaultName): name is ProviderFaultName =>
  Object.hasOwn(providerFaultKinds, name)

// Keys that every fault has.
const sharedKeys = {
  times: { takes: 'number' },
  after: { takes: 'duration' },
  for: { takes: 'duration' },
} as const satisfies Record<string, KeyForm>

/** Whether there is such a fault. */
export const isFaultName = (name: string): name is FaultName => Object.hasOwn(faultKinds, name)

/** The keys of a fault, its own and those that all have. */
export const keysOf = (name: FaultName): ReadonlyMap<string, KeyForm> =>
  new Map<string, KeyForm>([
    ...Object.entries<KeyForm>(faultKinds[name].keys),
    ...Object.entries<KeyForm>(sharedKeys),
  ])
