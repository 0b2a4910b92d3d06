import { Cluster } from '#api/cluster.ts'
import { ControlPlane } from '#api/control-plane.ts'
import { kinds } from '#api/kinds.ts'
import { KubernetesCluster } from '#api/kubernetes-cluster.ts'
import { Machine } from '#api/machine.ts'
import type { Kind } from '#api/meta.ts'
import { Worker } from '#api/worker.ts'
import { problem } from '#base/problem.ts'
import { kindId } from '#runtime/kind-id.ts'

/** An object that is asked about. */
export interface Target {
  readonly kind: Kind
  readonly name: string
}

const explained: readonly Kind[] = [Cluster, ControlPlane, Worker, Machine, KubernetesCluster]

/** Reads `KIND/NAME`. Throws a problem for people unless it is a kind that something is done for. */
export function targetOf(text: string): Target {
  const [, word = '', name = ''] = /^([^/]+)\/([^/]+)$/.exec(text) ?? []
  const words = explained.map(({ kind, shortNames }) => `${shortNames[0]} (${kind})`).join(', ')
  if (word === '') {
    throw problem({
      what: `${quoted(text)} names no object`,
      why: 'it takes a kind and a name',
      remedy: `write KIND/NAME, with one of ${words}`,
    })
  }
  const kind = kinds.find((one) => isCalled(one, word.toLowerCase()))
  if (kind && explained.includes(kind)) return { kind, name }
  throw problem({
    what: kind
      ? `the operator does nothing for a ${kind.kind} yet`
      : `there is no kind ${quoted(word)} of ours`,
    why: 'only what the operator decides can be explained',
    remedy: `ask about one of ${words}`,
  })
}

const isCalled = (kind: Kind, word: string): boolean =>
  [kind.kind.toLowerCase(), kind.plural, kindId(kind), ...kind.shortNames].includes(word)

const quoted = (text: string): string => JSON.stringify(text.slice(0, 100))
