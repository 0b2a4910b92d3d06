// What the operator does not do, or cannot do yet, is said here and nowhere else: whoever builds it takes it away.

import type { ControlPlane } from '#api/control-plane.ts'
import { isToBeImported } from '#engine/adoption.ts'
import { areFactsFixed, recordedFacts } from '#engine/cluster-facts.ts'
import { notSupportedYet } from '#engine/not-supported-yet.ts'
import { isControlPlane, type Parent } from '#engine/pool.ts'
import type { Said } from './diff-report.ts'

/** Why nothing at all is done for a control plane or a pool. */
export function notBuiltAtAll(parent: Parent): Said | undefined {
  if (isToBeImported(parent)) {
    const message =
      'it is to be taken over as it runs, so nothing is changed on its machines. What differs then from the spec is said by each TalosMachine, and waits for consent'
    return { reason: 'Importing', message }
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
