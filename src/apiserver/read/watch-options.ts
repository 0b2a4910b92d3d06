import { ApiFailure, invalid } from '#apiserver/failure.ts'
import { forbiddenField, notSupported } from '#apiserver/field-error.ts'
import { flagIn, numberIn } from './selection.ts'

/** From when a watch starts, what it tells, and for how long. */
export interface WatchOptions {
  /** Tell what is there first: as events, before those of changes. */
  initial: boolean
  /** The revision after which changes are told; 0: the present one. */
  since: number
  bookmarks: boolean
  /** Say where the events of what was there end. */
  marksEnd: boolean
  timeoutSeconds: number | undefined
}

const ABOUT = { group: 'meta.k8s.io', kind: 'ListOptions' }
const MATCH = 'resourceVersionMatch'

/** From the query of a watch; fails in Kubernetes' words where it contradicts itself. */
export function watchOptionsOf(query: URLSearchParams): WatchOptions {
  const version = query.get('resourceVersion') ?? ''
  demandFittingMatch(query)
  const bookmarks = flagIn(query, 'allowWatchBookmarks')
  const sendInitial = query.has('sendInitialEvents')
    ? flagIn(query, 'sendInitialEvents')
    : undefined
  const isAny = version === '' || version === '0'
  return {
    initial: sendInitial ?? isAny,
    since: numberOf(version),
    bookmarks,
    marksEnd: sendInitial === true && bookmarks,
    timeoutSeconds: numberIn(query, 'timeoutSeconds') || undefined,
  }
}

function demandFittingMatch(query: URLSearchParams): void {
  const match = query.get(MATCH) ?? ''
  const sends = query.has('sendInitialEvents')
  const errors = [
    ...(match && !sends
      ? [
          forbiddenField(
            MATCH,
            'resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided',
          ),
        ]
      : []),
    ...(sends && match !== 'NotOlderThan'
      ? [
          forbiddenField(
            MATCH,
            'sendInitialEvents requires setting resourceVersionMatch to NotOlderThan',
          ),
        ]
      : []),
    ...(sends && match !== '' && match !== 'NotOlderThan'
      ? [notSupported(MATCH, match, ['NotOlderThan'])]
      : []),
  ]
  if (errors.length > 0) throw invalid(ABOUT, errors)
}

function numberOf(version: string): number {
  if (version === '') return 0
  if (/^\d+$/.test(version)) return Number(version)
  const quoted = JSON.stringify(version)
  throw new ApiFailure(
    500,
    `resourceVersion: Invalid value: ${quoted}: strconv.ParseUint: parsing ${quoted}: invalid syntax`,
    { reason: '' },
  )
}

/** What a watch that starts before everything that is remembered is told, as its only event. */
export const tooOld = (asked: number, oldest: number): ApiFailure =>
  new ApiFailure(410, `too old resource version: ${asked} (${oldest})`, { reason: 'Expired' })
