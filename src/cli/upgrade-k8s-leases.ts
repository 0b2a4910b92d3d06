import { Lease } from '#api/foreign.ts'
import type { Clock } from '#base/clock.ts'
import { problem } from '#base/problem.ts'
import { ApiError } from '#kube/api-error.ts'
import type { KubeClient } from '#kube/client.ts'
import { SeenLease } from '#runtime/leader-lease.ts'
import { isPassing } from './passing-failure.ts'

/** Who else works, as far as it can be told. */
export type Leader =
  | { is: 'nobody' }
  /** Whoever it is works for our cluster: an operator, or another command for the same one. */
  | { is: 'leading'; holder: string }
  /** A command that works for another cluster alone. */
  | { is: 'busy'; holder: string }
  /** Who is written down, and was not seen to be alive yet. */
  | { is: 'silent'; holder: string }
  /** We may not look. */
  | { is: 'hidden'; why: string }

interface Place {
  readonly namespace: string
  readonly name: string
}

interface Options {
  readonly client: KubeClient
  readonly clock: Clock
  /** Of the Lease. */
  readonly name: string
  /** Where it is. Undefined: it is looked for. */
  readonly namespace: string | undefined
  /** Where an operator that is reached as we are would have it. */
  readonly usual: string
  /** The cluster that somebody is wanted for. */
  readonly cluster: Place
  /** As what we stand for election, but for what is appended. */
  readonly identity: string
}

// How long an operator leaves a Lease alone that says nothing else.
const LEASE_MS = 15_000
const COMMAND = 'upgrade-k8s'

/** As what a command of this process stands for election: others can tell it from an operator, and whom it works for. */
export const identityFor = ({ namespace, name }: Place, process: string): string =>
  `${COMMAND}:${namespace}/${name}:${process}`

/** Finds the Leases by which operators work. What is made later elsewhere is not seen. */
export async function findLeases(options: Options, signal: AbortSignal): Promise<Leases> {
  const { client, name, namespace, usual } = options
  if (namespace !== undefined) return new Leases(options, [namespace])
  try {
    const named = { fieldSelector: `metadata.name=${name}` }
    const { items } = await client.list(Lease, named, { signal })
    const found = items.map(({ metadata }) => metadata.namespace ?? '')
    return new Leases(options, found.length > 0 ? found : [usual])
  } catch (error) {
    if (!isForbidden(error)) throw error
    // Only if it is there. Elsewhere may be another one, and beside its holder nobody must work.
    const isThere = await mayFind(client, { namespace: usual, name }, signal)
    return new Leases(options, isThere ? [usual] : { hidden: error.message })
  }
}

async function mayFind(client: KubeClient, at: Place, signal: AbortSignal): Promise<boolean> {
  try {
    return (await client.find(Lease, at, { signal })) !== undefined
  } catch (error) {
    if (isForbidden(error)) return false
    throw error
  }
}

/** The Leases by which operators work, of which there is mostly one. */
export class Leases {
  readonly #options: Options
  readonly #hidden: string | undefined
  readonly #leases: ReadonlyMap<string, SeenLease>
  #isRead = false

  constructor(options: Options, where: readonly string[] | { hidden: string }) {
    this.#options = options
    this.#hidden = 'hidden' in where ? where.hidden : undefined
    const namespaces = 'hidden' in where ? [] : where
    const { client, clock, name } = options
    const how = { client, clock, name, identity: '', leaseMs: LEASE_MS, freeIfAbsent: false }
    this.#leases = new Map(
      namespaces.map((one) => [one, new SeenLease({ ...how, namespace: one })]),
    )
  }

  /** For people: `operators/talos-operator`. */
  get words(): string {
    return [...this.#leases.keys()].map((one) => `${one}/${this.#options.name}`).join(', ')
  }

  /** The namespace of the one to take where nobody leads. Throws a problem for people if that cannot be told. */
  get namespaceToTake(): string {
    const [only, another] = [...this.#leases.keys()]
    if (only !== undefined && another === undefined) return only
    const { usual, name } = this.#options
    if (this.#leases.has(usual)) return usual
    throw problem({
      what: `no operator leads, and it cannot be told which Lease ${name} is to be taken: nothing is done`,
      why: `there are several, and none of them in the namespace ${usual}: ${this.words}`,
      remedy: 'name the one of the operator for this cluster with --leader-election-namespace',
    })
  }

  /** Looks who works. What the API does not say for a while is as it was. */
  async look(signal: AbortSignal): Promise<Leader> {
    if (this.#hidden !== undefined) return { is: 'hidden', why: this.#hidden }
    for (const lease of this.#leases.values()) {
      try {
        await lease.read({ signal })
      } catch (error) {
        if (isForbidden(error)) return { is: 'hidden', why: error.message }
        if (!this.#isRead || !isPassing(error)) throw error
      }
    }
    this.#isRead = true
    const found = [...this.#leases.values()].map((lease) => leaderBy(lease, this.#options))
    const first = (is: Leader['is']) => found.find((one) => one.is === is)
    return first('leading') ?? first('silent') ?? first('busy') ?? { is: 'nobody' }
  }
}

function leaderBy(
  { holder, isFree, isRenewed }: SeenLease,
  { cluster, identity }: Pick<Options, 'cluster' | 'identity'>,
): Leader {
  const isOwn = holder.startsWith(`${identity}_`)
  if (holder === '' || isOwn || isFree) return { is: 'nobody' }
  if (!isRenewed) return { is: 'silent', holder }
  const [command, of] = holder.split(':')
  const isElsewhere = command === COMMAND && of !== `${cluster.namespace}/${cluster.name}`
  return { is: isElsewhere ? 'busy' : 'leading', holder }
}

const isForbidden = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.reason === 'Forbidden'
