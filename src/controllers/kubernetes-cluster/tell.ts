import type { Told } from '#runtime/definition.ts'
import type { Step } from './world.ts'

type Of<Do extends Step['do']> = Extract<Step, { do: Do }>

/** Its steps in words. */
export const tell = {
  createMachine: ({ machine }: Of<'createMachine'>): Told => ({
    ...{ reason: 'Created', failure: 'MachineCreationError' },
    ...{ deed: `create Machine ${machine}`, done: `Machine ${machine} created` },
    conflict: `Machine ${machine} exists already: skipped, and looked at anew`,
  }),
  updateMachine: ({ machine }: Of<'updateMachine'>): Told => ({
    ...{ reason: 'Updated', failure: 'MachineCreationError' },
    deed: `make Machine ${machine} as its template says`,
    done: `Machine ${machine} made as its template says`,
  }),
  removeMachine: ({ machine, because }: Of<'removeMachine'>): Told => ({
    ...{ reason: 'Deleting', failure: 'DeleteFailed' },
    deed: `delete Machine ${machine}, because ${because}`,
    done: `Machine ${machine} is being deleted, because ${because}`,
  }),
  markInstalled: ({ machine }: Of<'markInstalled'>): Told => ({
    ...{ reason: 'Installed', failure: 'FailedUpdate' },
    deed: `tell the provider of Machine ${machine} that Talos runs from its disk`,
    done: `Talos runs from the disk of Machine ${machine}, which its provider is told`,
  }),
  writeFiles: ({ files }: Of<'writeFiles'>): Told => ({
    ...{ reason: 'FilesWritten', failure: 'FileSystemError' },
    ...{ deed: `write ${listed(files)}`, done: `${listed(files)} written` },
  }),
  removeFiles: ({ files }: Of<'removeFiles'>): Told => ({
    ...{ reason: 'FilesRemoved', failure: 'FileSystemError' },
    ...{ deed: `remove ${listed(files)}`, done: `${listed(files)} removed` },
  }),
  createSecrets: ({ name, from }: Of<'createSecrets'>): Told => ({
    ...{ reason: 'SecretsCreated', failure: 'FailedCreateSecrets' },
    deed: `make the keys and tokens of the cluster${WITH[from]}, and keep them in Secret ${name}`,
    done: `the keys and tokens of the cluster${WITH[from]} are in Secret ${name}`,
  }),
  applyControlPlane: (step: Of<'applyControlPlane'>): Told =>
    applied(`TalosControlPlane ${step.name}`, step),
  applyWorker: (step: Of<'applyWorker'>): Told => applied(`TalosWorker ${step.name}`, step),
  removePart: ({ part, name }: Of<'removePart'>): Told => ({
    ...{ reason: 'Deleting', failure: 'DeleteFailed' },
    ...{ deed: `delete ${part} ${name}`, done: `${part} ${name} is being deleted` },
  }),
  forcePart: ({ part, name }: Of<'forcePart'>): Told => ({
    ...{ reason: 'Forced', failure: 'FailedForce' },
    deed: `let ${part} ${name} go without a reset of its machines`,
    done: `${part} ${name} goes without a reset of its machines`,
  }),
  forceTalosMachine: ({ name }: Of<'forceTalosMachine'>): Told => ({
    ...{ reason: 'Forced', failure: 'FailedForce' },
    deed: `let TalosMachine ${name} go, whose Machine is gone`,
    done: `TalosMachine ${name} goes, whose Machine is gone`,
  }),
}

const WITH = { nothing: '', spec: ' with those of the spec', secret: ' with those of secretRef' }

const applied = (
  what: string,
  { machines, isNew }: { machines: string[]; isNew: boolean },
): Told =>
  isNew
    ? {
        ...{ reason: 'Created', failure: 'FailedCreate' },
        deed: `create ${what} of ${machines.join(', ')}`,
        done: `${what} created of ${machines.join(', ')}`,
      }
    : {
        ...{ reason: 'Updated', failure: 'FailedUpdate' },
        deed: `make ${what} as the spec says, of ${machines.join(', ')}`,
        done: `${what} made as the spec says, of ${machines.join(', ')}`,
      }

const MOST_LISTED = 5

const listed = (files: readonly string[]): string =>
  files.length <= MOST_LISTED
    ? files.join(', ')
    : `${files.slice(0, MOST_LISTED).join(', ')} and ${files.length - MOST_LISTED} more`
