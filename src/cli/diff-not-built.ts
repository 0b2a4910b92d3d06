// What the operator does not do, or cannot do yet, is said here and nowhere else: whoever builds it takes it away.

import { isToBeImported } from '#engine/adoption.ts'
import { notSupportedYet } from '#engine/not-supported-yet.ts'
import type { Parent } from '#engine/pool.ts'
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

function said(what: string): Said {
  const { reason, message } = notSupportedYet(what)
  return { reason, message }
}
