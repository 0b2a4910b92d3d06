// What the operator cannot do yet is said here and nowhere else: whoever builds it takes it away.

import type { ControlPlane } from '#api/control-plane.ts'
import { areFactsFixed, recordedFacts } from '#engine/cluster-facts.ts'
import { isImport, notSupportedYet } from '#engine/not-supported-yet.ts'
import { isControlPlane, type Parent } from '#engine/pool.ts'
import type { Said } from './diff-report.ts'

/** Why nothing at all is done for a control plane or a pool. */
export function notBuiltAtAll(parent: Parent): Said | undefined {
  if (isImport(parent.metadata)) {
    const what = isControlPlane(parent) ? 'a cluster that runs' : 'workers that run'
    return said(`the import of ${what}`)
  }
  const { mode = 'metal' } = parent.spec ?? {}
  return mode === 'metal' ? undefined : said(`spec.mode ${mode}`)
}

/** What of a change is not made, while the rest is. */
export function notBuiltPart(parent: Parent): Said[] {
  const upgrade = isControlPlane(parent) ? kubernetesUpgrade(parent) : undefined
  return upgrade ? [upgrade] : []
}

function kubernetesUpgrade(controlPlane: ControlPlane): Said | undefined {
  const { kubeVersion: from } = recordedFacts(controlPlane)
  const to = controlPlane.spec?.kubeVersion
  if (!areFactsFixed(controlPlane) || from === undefined || from === to) return undefined
  return said(`the upgrade of Kubernetes from ${from} to ${to}`)
}

function said(what: string): Said {
  const { reason, message } = notSupportedYet(what)
  return { reason, message }
}
