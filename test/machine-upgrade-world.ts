// Machines that run another Talos than they are to, and what is known of them, for cases of plan.test.ts.

import { UPGRADE } from '#api/labels.ts'
import type { Boot, Step } from '#controllers/machine/world.ts'
import type { LongCall } from '#engine/long-calls.ts'
import { type UpgradeRecord, upgradeText } from '#engine/upgrade-record.ts'
import type { Outcome } from '#talos/outcome.ts'
import { aClaimedMachine, aMember, aNode, NOW, UUID } from './machine-world.ts'

export const turn = 3
export const agoMs = (ms: number) => new Date(NOW.getTime() - ms)
export const available = { reachable: 'Answers', state: 'Available' }
export const upgrading = { ready: 'Upgrading', reachable: 'Answers', state: 'Upgrading' }
export const draining = { ready: 'Draining', reachable: 'Answers', state: 'Upgrading' }
export const uncordon: Step = { do: 'uncordon', node: 'cp-1', uid: 'uid-of-node' }
export const cordon: Step = { do: 'cordon', node: 'cp-1', uid: 'uid-of-node' }

export const boot = (id: string, over: Partial<Boot> = {}): Boot => ({
  ...{ id, schematic: undefined, extensions: [], installer: undefined },
  ...over,
})

const PLAIN = {
  ...{ wipe: false, airGap: false, imageCache: false, allowSchedulingOnControlPlanes: false },
}

export const wanting = (
  version: string,
  annotations: Record<string, string> = {},
  image?: string,
) =>
  aClaimedMachine(annotations, {
    metadata: { uid: 'uid-1' },
    spec: { version, ...(image && { machineSpec: { ...PLAIN, image } }) },
  })

/** Its node has no pods any more, and gets none. */
export const drained = {
  node: aNode({
    isUnschedulable: true,
    drain: { by: 'uid-1', since: agoMs(5_000).toISOString(), cordoned: true },
  }),
  pods: { is: 'known' as const, pods: [] },
}

/** What a machine of v1.12.4 has, and what it is to get in one call. */
export const IMAGE = 'ghcr.io/siderolabs/installer:v1.13.0'
export const old = (over: Partial<Boot> = {}) =>
  aMember({ version: 'v1.12.4', boot: boot('b1', over) })

/** What a machine of v1.13.0 has, which knows the new way, and what it is to get by that. */
export const NEXT = 'ghcr.io/siderolabs/installer:v1.13.1'
export const newWay = (over: Partial<Boot> = {}) =>
  aMember({ version: 'v1.13.0', boot: boot('b1', over) })

type Phase = UpgradeRecord['phase']

/** What is written down of a machine that was told so long ago. */
export const record = (phase: Phase, ms: number, over: Partial<UpgradeRecord> = {}) => ({
  ...{ phase, image: IMAGE, from: 'v1.12.4', boot: 'b1', times: 1, at: agoMs(ms), turn },
  ...over,
})
export const newRecord = (phase: Phase, ms: number, over: Partial<UpgradeRecord> = {}) =>
  record(phase, ms, { image: NEXT, from: 'v1.13.0', ...over })

export const noted = (what: UpgradeRecord) => ({ [UPGRADE]: upgradeText(what) })
export const told = (...given: Parameters<typeof record>) => noted(record(...given))
export const newTold = (...given: Parameters<typeof newRecord>) => noted(newRecord(...given))

/** What the machine calls an image that it has fetched. */
const nameOf = (image: string) => `${image.replace(/:[^:]*$/, '')}@sha256:0`

export const pulled = (image: string): LongCall => ({
  ...{ what: `pull ${image}`, is: 'done', result: nameOf(image) },
})
export const failed = (what: string, outcome: Outcome, ms: number): LongCall => ({
  ...{ what, is: 'failed', at: agoMs(ms) },
  failure: { message: 'no such image', outcome },
})

/** The step that tells a machine of the new way to install. */
export const install = (image: string, what: UpgradeRecord): Step => ({
  ...{ do: 'install', uuid: UUID, image, by: 'lifecycle', name: nameOf(image), record: what },
})
