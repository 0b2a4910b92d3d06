import { Refusal } from '#simulator/refusal.ts'

/** What etcd refuses, in its words. */
export const refusals = {
  noLeader: 'etcdserver: no leader',
  unhealthy: 'etcdserver: unhealthy cluster',
  notFound: 'etcdserver: member not found',
  notEnoughStarted: 'etcdserver: re-configuration failed due to not enough started members',
  peerExists: 'etcdserver: Peer URLs already exists',
  tooManyLearners: 'etcdserver: too many learner members in cluster',
  notLearner: 'etcdserver: can only promote a learner member',
  notInSync: 'etcdserver: can only promote a learner member which is in sync with leader',
  badTransferee: 'etcdserver: bad leader transferee',
  transferTimeout: 'etcdserver: request timed out, leader transfer took too long',
} as const

/** Errors of etcd lose their code on the way through Talos. */
export const etcdRefusal = (reason: keyof typeof refusals): Refusal =>
  new Refusal('Unknown', refusals[reason])
