import { Cluster } from '#api/cluster.ts'
import { ControlPlane } from '#api/control-plane.ts'
import { FORCE_DELETION } from '#api/labels.ts'
import type { ApiKind } from '#api/meta.ts'
import { Worker } from '#api/worker.ts'
import { applyWhole } from '#engine/whole-spec.ts'
import { type Controller, defineController } from '#runtime/controller.ts'
import type { DecidesBy } from '#runtime/definition.ts'
import { copiedFrom, isNothing, takenOff, withoutThese } from './copied.ts'
import { controlPlaneDraft, workerDraft } from './drafts.ts'
import { observe } from './observe.ts'
import { isOldView } from './old-view.ts'
import { plan, type Step, teardown, type World } from './plan.ts'
import { tell } from './tell.ts'
import { unseenPart } from './unseen-parts.ts'

const kinds = { controlPlane: ControlPlane, worker: Worker }

// Makes a control plane and a pool of workers of one object, and sums up how they are. Everything else is
// theirs to do.
export const cluster = (by: DecidesBy<typeof Cluster, World, Step> = {}): Controller =>
  defineController<typeof Cluster, World, Step>({
    kind: Cluster,
    reads: [
      { kind: ControlPlane, namedBy: ({ spec }) => namesIn(spec?.controlPlaneRef?.name) },
      { kind: Worker, namedBy: ({ spec }) => namesIn(spec?.workerRef?.name) },
    ],
    writes: [ControlPlane, Worker],
    // Itself and parts of its own, asked of the API before one is removed or believed to be gone: it wakes nobody.
    readsAny: () => [],
    observe: async (resource, read) => {
      const world = observe(resource, read)
      return {
        ...world,
        unseen: await unseenPart(resource, world, read),
        isOld: await isOldView(resource, world, read),
      }
    },
    plan,
    teardown,
    act: {
      // Only created: one that somebody else made meanwhile is not taken over.
      create: ({ part, name }, { resource, world, write }) =>
        part === 'controlPlane'
          ? write.create(ControlPlane, controlPlaneDraft(resource, name))
          : write.create(Worker, workerDraft(resource, { name, controlPlane: world.joined })),
      update: async ({ part, name }, { resource, world, write }) => {
        const { child } = world[part]
        // Before the note of them is another: whoever is interrupted here still knows of them.
        const off = child && takenOff(child, copiedFrom(resource, child))
        if (off && !isNothing(off)) {
          await write.patch<ApiKind>(kinds[part], name, withoutThese(child, off))
        }
        const { controlPlane, worker, joined } = world
        await (part === 'controlPlane'
          ? applyWhole(write, ControlPlane, controlPlaneDraft(resource, name, controlPlane.child))
          : applyWhole(
              write,
              Worker,
              workerDraft(resource, { name, controlPlane: joined, child: worker.child }),
            ))
      },
      remove: ({ part, name, uid }, { write }) => write.remove(kinds[part], name, { uid }),
      keep: ({ part, name, uid }, { write }) =>
        write.patch<ApiKind>(kinds[part], name, {
          type: 'merge',
          body: { metadata: { uid }, spec: { deletionPolicy: 'preserve' } },
        }),
      force: ({ part, name }, { write }) =>
        write.patch<ApiKind>(kinds[part], name, {
          type: 'merge',
          body: { metadata: { annotations: { [FORCE_DELETION]: 'true' } } },
        }),
    },
    tell,
    ...by,
  })

const namesIn = (name: string | undefined): string[] => (name ? [name] : [])
