import type { KubernetesCluster } from '#api/kubernetes-cluster.ts'
import type { Verdict } from '#runtime/plan.ts'

type Kept = 'TopologyValid' | 'MachinesCreated' | 'FilesGenerated'

/** Conditions as they stand, where what is wanted is not known or does not matter any more: nobody can judge them anew. */
export const saidBefore = (
  { status }: KubernetesCluster,
  ...types: readonly Kept[]
): Partial<Record<Kept, Verdict>> =>
  Object.fromEntries(
    (status?.conditions ?? [])
      .filter((said) => types.some((type) => type === said.type))
      .map(({ type, status: is, reason, message }) => [
        type,
        { ok: is === 'True', reason, message },
      ]),
  )
