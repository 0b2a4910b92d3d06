import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import type { Clock } from '#base/clock.ts'
import type { Log } from '#base/log.ts'
import { OperatorError } from '#base/operator-error.ts'
import type { KubeClient } from '#kube/client.ts'
import { Leadership, type LeadershipState } from '#runtime/leader.ts'
import type { Metrics } from '#runtime/metrics.ts'
import type { Settings } from './settings.ts'

interface Options {
  settings: Settings
  client: KubeClient
  /** Where the Lease is, unless the settings say where. */
  namespace: string
  clock: Clock
  log: Log
  metrics: Metrics
  onState?: ((state: LeadershipState) => void) | undefined
}

/** The election that decides whether this process works, and who it is in it. */
export interface Election {
  leadership: Leadership
  identity: string
  /** Throws when this process may not act at this very moment. */
  assertLeading: () => void
}

export function electionOf(options: Options): Election {
  const { settings, namespace, log, metrics, onState, client, clock } = options
  // A container that is started again has the name of its pod again: only the rest tells them apart.
  const identity = `${settings.leaderElectionIdentity ?? hostname()}_${randomUUID().slice(0, 8)}`
  const leadership = new Leadership({
    ...{ client, clock, identity },
    namespace: settings.leaderElectionNamespace ?? namespace,
    name: settings.leaderElectionName,
    timing: {
      leaseMs: settings.leaderElectionLeaseDuration.ms,
      renewWithinMs: settings.leaderElectionRenewDeadline.ms,
      retryMs: settings.leaderElectionRetryPeriod.ms,
    },
    onState: (state) => {
      if (state.state !== 'failed') metrics.leads(state.state === 'leading')
      tell(log, state)
      onState?.(state)
    },
  })
  return {
    leadership,
    identity,
    assertLeading: () => {
      if (leadership.holds) return
      throw new OperatorError('LeadershipLost', {
        message: `${identity} does not lead: its Lease was not renewed in time`,
      })
    },
  }
}

function tell(log: Log, state: LeadershipState): void {
  if (state.state === 'standby') log.info('standing by', leaderIn(state.leader))
  else if (state.state === 'leading') log.info('leading')
  else if (state.state === 'lost') log.warn('leadership lost', { why: state.why })
  else if (state.state === 'released') log.info('lease given back')
  else log.warn('election troubled', { error: state.error })
}

const leaderIn = (leader: string) =>
  leader === ''
    ? { why: 'nobody leads; whoever did last is given the time to have stopped' }
    : { leader }
