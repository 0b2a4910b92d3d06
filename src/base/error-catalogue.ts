interface Entry {
  /** What happened. */
  what: string
  /** How it comes to that. */
  why: string
  /** What the reader can do about it. */
  remedy: string
  retry: 'backoff' | 'never'
}

const entry = (known: Entry): Entry => known

/**
 * Every failure that we know by name: reasons of conditions and events, codes in the log, and
 * docs/reference/errors.md. The first four are those of the vitistack.io contract.
 */
export const errorCatalogue = {
  ValidationError: entry({
    what: 'The spec does not make sense.',
    why: 'Two fields contradict each other, or a value cannot be right. The message names the field.',
    remedy: 'Edit the spec. Nothing is tried again before that, and what exists is left as it is.',
    retry: 'never',
  }),
  MachineCreationError: entry({
    what: 'A Machine object could not be created.',
    why: 'The API server refused it or did not answer. The message has its words.',
    remedy: 'Usually nothing: it is tried again. If the server refuses it for good, do as it says.',
    retry: 'backoff',
  }),
  FileSystemError: entry({
    what: 'A manifest could not be written to the results folder.',
    why: 'The folder is full, read-only, or holds files that belong to somebody else.',
    remedy:
      'Make room in RESULTS_PATH or correct its permissions. Clusters do not need these files.',
    retry: 'backoff',
  }),
  OwnerReferenceError: entry({
    what: 'An object that we need belongs to somebody else.',
    why: 'An object of that name exists and another one controls it.',
    remedy: 'Rename or delete one of the two. We never take an object from its owner.',
    retry: 'backoff',
  }),
  LeadershipLost: entry({
    what: 'This process may not change anything, because it does not lead.',
    why: 'It could not renew its Lease in time, so another process may have taken over.',
    remedy:
      'Nothing: whoever leads goes on. If it happens often, look at the load of the API server.',
    retry: 'backoff',
  }),
  NotDeclared: entry({
    what: 'A controller reached for a kind that it does not declare.',
    why: 'This is a mistake in the program: permissions and watches follow from what is declared.',
    remedy: 'Report it, with the line of the log.',
    retry: 'never',
  }),
  MachineUnreachable: entry({
    what: 'A machine could not be spoken to. Nothing was asked of it.',
    why: 'It is off, boots, or a network or firewall is between. The message has the address and the reason.',
    remedy:
      'Usually nothing: it is tried again. If it lasts, try port 50000 of that address from where the operator runs.',
    retry: 'backoff',
  }),
  MachineIdentityMismatch: entry({
    what: 'Another machine than the one we mean answers at an address, or the same in another state.',
    why: 'Its certificate is not of this cluster, or not the one that was pinned, or it is in maintenance mode when it should not be, or the other way round.',
    remedy:
      'Look which machine has the address. One that was wiped or belongs to another cluster is never changed by us.',
    retry: 'backoff',
  }),
  MachineNotReady: entry({
    what: 'A machine cannot do yet what it was asked.',
    why: 'It still boots, installs, sets its clock, or does something else. The message has its words.',
    remedy: 'Nothing: it is tried again.',
    retry: 'backoff',
  }),
  MachineRefused: entry({
    what: 'A machine refused what it was asked.',
    why: 'The message has its words: a configuration that it does not accept, a role that is missing, a call that its version does not have.',
    remedy: 'Do as the message says.',
    retry: 'backoff',
  }),
  MachineAnswerLost: entry({
    what: 'A machine was asked and gave no answer, so that nobody knows whether it did it.',
    why: 'The connection broke, or it took longer than the deadline. A machine that reboots ends its connections.',
    remedy: 'Nothing: the machine is looked at before anything is asked of it again.',
    retry: 'backoff',
  }),
  SecretsLost: entry({
    what: 'A cluster had secrets, and they are not there any more.',
    why: 'Somebody deleted the Secret that holds them, or restored objects without it. The message has its name and what says that there were some.',
    remedy:
      'Restore the Secret from a backup. New secrets are never made for a cluster that had others: its machines would be lost to everybody.',
    retry: 'backoff',
  }),
  SecretsUnusable: entry({
    what: 'The secrets of a cluster cannot be read.',
    why: 'An entry is missing, is no YAML, or a key is not that of its certificate. The message has the Secret, the entry and the reason, and no value.',
    remedy: 'Restore the Secret from a backup, or correct what spec.configRef names.',
    retry: 'backoff',
  }),
  SecretsDiffer: entry({
    what: 'Two places hold different secrets for one cluster.',
    why: 'The Secret is of another cluster than the one that was written down, or spec.configRef brings others along.',
    remedy:
      'Put the right ones back. Nothing is done to any machine meanwhile: one with other secrets is lost to its cluster.',
    retry: 'backoff',
  }),
  Forbidden: entry({
    what: 'The API server did not let the operator do something.',
    why: 'A rule is missing in the operator’s role, or a quota or an admission webhook said no. The message has its words.',
    remedy:
      'Apply the roles of this version, or add the rule that the message names. It is tried again meanwhile.',
    retry: 'backoff',
  }),
  UnknownError: entry({
    what: 'Something failed that we have no name for.',
    why: 'The message and the log have what was thrown.',
    remedy: 'It is tried again. If it does not go away, report it with the line of the log.',
    retry: 'backoff',
  }),
} as const

export type ErrorCode = keyof typeof errorCatalogue

/** What `error_type` of the metrics can be, by that contract: whatever else fails has the last one. */
export const errorTypes = [
  'ValidationError',
  'MachineCreationError',
  'FileSystemError',
  'OwnerReferenceError',
  'UnknownError',
] as const satisfies readonly ErrorCode[]

type ErrorType = (typeof errorTypes)[number]

export const errorTypeOf = (code: ErrorCode): ErrorType =>
  errorTypes.find((type) => type === code) ?? 'UnknownError'
