import type { Notice, Verdict } from '#runtime/plan.ts'
import { stuck } from './stuck.ts'

/** What is accepted and not built yet: it is said, and nothing is done. */
export const NOT_SUPPORTED_YET = 'NotSupportedYet'

/** That something is not built yet, and what to do instead. */
export const notSupportedYet = (what: string, instead?: string): Verdict =>
  stuck(
    NOT_SUPPORTED_YET,
    `${what} is not supported yet: nothing is done${instead ? `; ${instead}` : ''}`,
  )

/** The event for such a verdict; none for any other. */
export const unsupportedNotices = (verdict: Verdict | undefined): Notice[] =>
  verdict?.reason === NOT_SUPPORTED_YET
    ? [{ type: 'Warning', reason: verdict.reason, message: verdict.message }]
    : []
