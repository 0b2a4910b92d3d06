import { ControlPlane } from '#api/control-plane.ts'
import type { KubeObject } from '#api/meta.ts'
import { Worker } from '#api/worker.ts'
import { problem } from '#base/problem.ts'
import { KUBERNETES_REASONS } from '#engine/kubernetes-checks.ts'
import { isStuck } from '#engine/stuck.ts'
import type { KubeClient } from '#kube/client.ts'
import type { Explained } from '#runtime/explain.ts'
import type { AsEdited } from './explain-edited.ts'
import { openExplainer } from './explain-open.ts'
import { type Edits, makeEdit } from './upgrade-k8s-edits.ts'
import { demandUpgradable, type Found } from './upgrade-k8s-look.ts'
import { editsText, orderText } from './upgrade-k8s-text.ts'
import type { UpgradeWish } from './upgrade-k8s-wish.ts'

interface Foreseen {
  readonly wish: Required<UpgradeWish>
  readonly found: Found
  readonly edits: Edits
}

interface ForeseePorts {
  readonly client: KubeClient
  readonly out: (text: string) => void
  readonly err: (text: string) => void
}

/** Says what an upgrade would come to, by the operator's own rules. Changes nothing. Rejects if it would be refused. */
export async function foreseeUpgrade(
  { wish: { to, namespace, name }, found, edits }: Foreseen,
  { client, out, err }: ForeseePorts,
): Promise<void> {
  out(editsText(edits, to))
  demandUpgradable(found, to)
  for (const edit of edits.edits) await makeEdit(client, edit, { namespace, to, isDryRun: true })
  const asEdited = editedTo(to, { namespace, pools: edits.followed, name })
  await using explainer = await openExplainer({
    client,
    namespace,
    writesMeta: false,
    err,
    asEdited,
  })
  const explained = await explainer.explain({ kind: ControlPlane, name })
  const against = explained && whatIsAgainst(explained)
  if (against?.isRefusal) {
    throw problem({
      what: `TalosControlPlane ${name} would not be upgraded to ${to}`,
      why: against.message,
      remedy: 'mend that first; nothing was changed',
    })
  }
  out(orderText(found, { followed: edits.followed, waits: against?.message }))
}

/** The control plane and the pools, as they would be edited. */
const editedTo =
  (
    kubeVersion: string,
    of: { namespace: string; name: string; pools: readonly string[] },
  ): AsEdited =>
  (kind, object) => {
    const { namespace, name } = object.metadata
    const isMeant =
      (kind === ControlPlane && name === of.name) || (kind === Worker && of.pools.includes(name))
    return isMeant && namespace === of.namespace ? withVersion(object, kubeVersion) : object
  }

const withVersion = <Object extends KubeObject>(object: Object, kubeVersion: string): Object => ({
  ...object,
  spec: { ...Object(object).spec, kubeVersion },
})

/** What the rules say of the control plane, unless they would begin. */
function whatIsAgainst({ steps, conditions: { Ready: ready } }: Explained) {
  if (!ready || ready.ok === true || steps.some(({ step }) => step === 'moveKubernetes')) {
    return undefined
  }
  const { reason, message } = ready
  const isRefusal = isStuck(reason) || KUBERNETES_REASONS.some((one) => one === reason)
  return { isRefusal, message: `${reason}: ${message}` }
}
