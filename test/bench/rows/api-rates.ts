import { loadavg } from 'node:os'
import { type Contest, LOAD, type Score, WATCHERS } from '#test/bench/contests.ts'
import type { Row } from '#test/bench/row.ts'
import { shown } from '#test/bench/table.ts'

/** ConfigMaps created per second, for each one that the real API creates. */
export const apiCreates = rate('api-creates', 'create', 'creates')

/** Server-side applies per second that change one key, for each one of the real API. */
export const apiApplies = rate('api-applies', 'apply', 'server-side applies')

/** Reads of one object per second, for each one of the real API. */
export const apiGets = rate('api-gets', 'get', 'gets')

/** Events per second that reach watchers, for each one of the real API. */
export const apiWatch = rate('api-watch', 'watch', `events at ${WATCHERS} watchers`)

function rate(name: string, contest: Contest, what: string): Row {
  return {
    name,
    budget: 2,
    unit: '×',
    better: 'more',
    needs: 'api-duel',
    async measure(duel) {
      const { embedded, real } = await duel.scores(contest)
      return {
        value: embedded.perSecond / real.perSecond,
        detail: [
          `${shown(embedded.perSecond)} ${what}/s to ${shown(real.perSecond)}/s of kube-apiserver and etcd with fsync`,
          `${LOAD}, one round after one as warm-up`,
          ...resumesOf(embedded, real),
          `cores kept busy: ${coresOf(embedded)} to ${coresOf(real)}`,
          `load ${shown(loadavg()[0] ?? 0)} after it`,
        ].join('; '),
      }
    },
  }
}

const coresOf = ({ serverCores, clientCores }: Score): string =>
  `${shown(serverCores)} by the server and ${shown(clientCores)} by its client`

const resumesOf = (embedded: Score, real: Score): string[] =>
  embedded.resumed + real.resumed === 0
    ? []
    : [`watches that the server gave up: ${embedded.resumed} to ${real.resumed}`]
