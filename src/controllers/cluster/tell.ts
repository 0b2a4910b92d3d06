import { ControlPlane } from '#api/control-plane.ts'
import { Worker } from '#api/worker.ts'
import type { PartName } from './plan.ts'

interface Named {
  part: PartName
  name: string
}

const KINDS = { controlPlane: ControlPlane.kind, worker: Worker.kind }

const of = ({ part, name }: Named): string => `${KINDS[part]} ${name}`

/** Its steps in words, for events. The first two reasons are the published operator's. */
export const tell = {
  create: (step: Named) => ({ reason: 'Created', message: `create ${of(step)}` }),
  update: (step: Named) => ({
    reason: 'Updated',
    message: `make ${of(step)} as the spec of the cluster says`,
  }),
  remove: (step: Named) => ({ reason: 'Delete', message: `delete ${of(step)}` }),
  force: (step: Named) => ({
    reason: 'Force',
    message: `let ${of(step)} go without a reset of its machines`,
  }),
}
