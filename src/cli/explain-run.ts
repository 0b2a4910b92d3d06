import { problem } from '#base/problem.ts'
import { openExplainer } from './explain-open.ts'
import { type Target, targetOf } from './explain-target.ts'
import { explainJson, explainText } from './explain-text.ts'
import { openManagementApi } from './management-api.ts'
import type { ForeseeFlags } from './management-flags.ts'
import type { Output } from './output.ts'

/** Prints what would be done for an object. Rejects with a problem for people. */
export async function runExplain(
  text: string,
  { output, enableMetaKey = false, ...flags }: ForeseeFlags,
  { out, err }: Output,
): Promise<void> {
  const { kind, name } = targetOf(text)
  using api = await openManagementApi(flags)
  const { client, namespace } = api
  if (!(await client.find(kind, { namespace, name }))) throw notThere({ kind, name }, namespace)
  await using explainer = await openExplainer({ client, namespace, writesMeta: enableMetaKey, err })
  const explained = await explainer.explain({ kind, name })
  // It may have gone meanwhile.
  if (!explained) throw notThere({ kind, name }, namespace)
  const object = { kind: kind.kind, namespace, name, explained }
  out(output === 'json' ? explainJson(object) : explainText(object))
}

const notThere = ({ kind, name }: Target, namespace: string): Error =>
  problem({
    what: `there is no ${kind.kind} ${name} in the namespace ${namespace}`,
    why: 'only what is there can be explained',
    remedy: `see what there is with: kubectl get ${kind.shortNames[0]} --all-namespaces`,
  })
