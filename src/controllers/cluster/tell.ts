import { ControlPlane } from '#api/control-plane.ts'
import { Worker } from '#api/worker.ts'
import type { Told } from '#runtime/definition.ts'
import type { PartName } from './plan.ts'

interface Named {
  part: PartName
  name: string
}

const KINDS = { controlPlane: ControlPlane.kind, worker: Worker.kind }

const of = ({ part, name }: Named): string => `${KINDS[part]} ${name}`

/** Its steps in words. `Created`, `Updated` and `DeleteFailed` are the published operator's. */
export const tell = {
  create: (step: Named): Told => ({
    ...{ reason: 'Created', failure: 'FailedCreate' },
    ...{ deed: `create ${of(step)}`, done: `${of(step)} created` },
  }),
  update: (step: Named): Told => ({
    ...{ reason: 'Updated', failure: 'FailedUpdate' },
    deed: `make ${of(step)} as the spec of the cluster says`,
    done: `${of(step)} made as the spec of the cluster says`,
  }),
  remove: (step: Named): Told => ({
    ...{ reason: 'Deleting', failure: 'DeleteFailed' },
    ...{ deed: `delete ${of(step)}`, done: `${of(step)} is being deleted` },
  }),
  keep: (step: Named): Told => ({
    ...{ reason: 'Preserved', failure: 'FailedPreserve' },
    deed: `keep the machines of ${of(step)} from being reset, because deletionPolicy is preserve`,
    done: `machines of ${of(step)} are not reset, because deletionPolicy is preserve`,
  }),
  force: (step: Named): Told => ({
    ...{ reason: 'Forced', failure: 'FailedForce' },
    deed: `let ${of(step)} go without a reset of its machines`,
    done: `${of(step)} goes without a reset of its machines`,
  }),
}
