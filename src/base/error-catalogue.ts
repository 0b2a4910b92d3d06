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
 * Every failure that we know by name: reasons of conditions and events, `error_type` of the metrics,
 * codes in the log, and docs/reference/errors.md. The first four are those of the vitistack.io contract.
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
  UnknownError: entry({
    what: 'Something failed that we have no name for.',
    why: 'The message and the log have what was thrown.',
    remedy: 'It is tried again. If it does not go away, report it with the line of the log.',
    retry: 'backoff',
  }),
} as const

export type ErrorCode = keyof typeof errorCatalogue
