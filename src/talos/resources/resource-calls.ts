import type { Caller, CallOptions } from '#talos/caller.ts'
import { written } from '#talos/calls-on-wire.ts'
import { State } from '#talos/generated/cosi/resource_pb.ts'
import { MachineError, outcomeOf } from '#talos/outcome.ts'
import { type Resource, readResource } from './resource.ts'
import type { Most, ResourceKind } from './resource-kind.ts'
import { type ResourceEvent, type WatchFrom, watchResources } from './watch.ts'

// Far more than a machine has of any kind that is worth listing.
const MOST: Most = { resources: 100_000, bytes: 64 * 1024 * 1024 }

/** The resources of a machine, of any kind. */
export interface ResourceCalls {
  /** One resource; undefined if there is none of this id. */
  get<Spec>(
    kind: ResourceKind<Spec>,
    id: string,
    options?: CallOptions,
  ): Promise<Resource<Spec> | undefined>
  list<Spec>(kind: ResourceKind<Spec>, options?: CallOptions): Promise<Resource<Spec>[]>
  /** What happens to them. Goes on until the machine ends it: whoever wants more watches again. */
  watch<Spec>(
    kind: ResourceKind<Spec>,
    from: WatchFrom,
    options?: CallOptions,
  ): AsyncGenerator<ResourceEvent<Spec>, void, undefined>
}

/** A kind that the machine's version does not have is `not-supported`. */
export const resourceCalls = (caller: Caller): ResourceCalls => ({
  async get(kind, id, options) {
    const { namespace, type } = kind
    const what = `read ${type} ${JSON.stringify(id)} of`
    const call = { method: State.method.get, what, pace: 'read', options } as const
    try {
      const { resource } = await caller.ask(call, questionFor({ namespace, type, id }))
      return resource && readResource(kind, resource, caller.where)
    } catch (error) {
      if (outcomeOf(error) === 'absent') return undefined
      throw error
    }
  },

  async list(kind, options) {
    const { namespace, type, most = MOST } = kind
    const what = `list ${type} of`
    const call = { method: State.method.list, what, pace: 'stream', options } as const
    const found: Resource<ReturnType<typeof kind.decode>>[] = []
    let bytes = 0
    for await (const { resource } of caller.follow(call, { namespace, type })) {
      if (!resource) continue
      bytes += (resource.spec?.yamlSpec.length ?? 0) + (resource.spec?.protoSpec.length ?? 0)
      if (found.length >= most.resources || bytes > most.bytes) throw tooMany(caller.where, kind)
      found.push(readResource(kind, resource, caller.where))
    }
    return found
  },

  watch: (kind, from, options) => watchResources(caller, { kind, from, options }),
})

// Every machine is asked for the same few, and to write a question takes as long as to send it.
const MOST_QUESTIONS = 64
const questions = new Map<string, Uint8Array>()

function questionFor(about: { namespace: string; type: string; id: string }): Uint8Array {
  const { namespace, type, id } = about
  const key = `${namespace} ${type} ${id}`
  const known = questions.get(key)
  if (known) return known
  const question = written(State.method.get.input, about)
  // All at once, and rarely: what is asked for often is back at once.
  if (questions.size >= MOST_QUESTIONS) questions.clear()
  questions.set(key, question)
  return question
}

const tooMany = (
  where: string,
  { type, most = MOST }: Pick<ResourceKind<unknown>, 'type' | 'most'>,
): MachineError =>
  new MachineError({
    message: `${where} has more than ${most.resources} of ${type}, or more than ${most.bytes} bytes of them`,
    outcome: 'refused',
  })
