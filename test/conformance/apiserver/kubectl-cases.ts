import { createHash } from 'node:crypto'
import type { RunningApi } from '#test/conformance/apis.ts'
import { type Outcome, openSession } from './kubectl-session.ts'

/** Lines of shell that must print the same and end the same on the real and on the embedded API. */
export interface KubectlCase {
  /** A sentence. */
  name: string
  /** By name. A list is one file of several documents. */
  files?: Record<string, unknown>
  /** One command a line. `$NAMESPACE` is the case's own. */
  script: string
  /** What a line prints that may differ, and why: left out of the comparison on both sides. */
  except?: { lines: RegExp; because: string }
}

/** Plays a case on one API, in a new namespace. */
export async function playCase(
  { kubeconfig, send }: Pick<RunningApi, 'kubeconfig' | 'send'>,
  { name, files = {}, script, except }: KubectlCase,
): Promise<Outcome[]> {
  const id = `k${createHash('sha256').update(name).digest('hex').slice(0, 9)}`
  const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: id } }
  await send({ method: 'POST', path: '/api/v1/namespaces', body })
  await using session = await openSession({ kubeconfig, id, files })
  await session.run('kubectl wait --for=create serviceaccount/default configmap/kube-root-ca.crt')
  const outcomes: Outcome[] = []
  for (const line of linesOf(script)) outcomes.push(await session.run(line))
  await send({ method: 'DELETE', path: `/api/v1/namespaces/${id}` })
  return except ? outcomes.map((outcome) => without(outcome, except.lines)) : outcomes
}

const linesOf = (script: string): string[] =>
  script
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)

const without = (outcome: Outcome, lines: RegExp): Outcome => ({
  ...outcome,
  stdout: outcome.stdout.filter((line) => !lines.test(line)),
  stderr: outcome.stderr.filter((line) => !lines.test(line)),
})
