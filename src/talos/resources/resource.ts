import { type Timestamp, timestampDate } from '@bufbuild/protobuf/wkt'
import { messageOf } from '#base/operator-error.ts'
import type { Metadata, Resource as Wire } from '#talos/generated/cosi/resource_pb.ts'
import { MachineError } from '#talos/outcome.ts'
import type { ResourceKind } from './resource-kind.ts'

/** What is known of a resource without its content. */
export interface ResourceHead {
  namespace: string
  type: string
  id: string
  /** Changes with each change. */
  version: string
  phase: string
  labels: ReadonlyMap<string, string>
  annotations: ReadonlyMap<string, string>
  created: Date | undefined
  updated: Date | undefined
}

/** One thing that the controllers inside a machine know or want. */
export interface Resource<Spec> extends ResourceHead {
  spec: Spec
}

/** The resource as it came, read. Throws when it is not what its kind says; without showing it. */
export function readResource<Spec>(
  kind: ResourceKind<Spec>,
  { metadata, spec }: Wire,
  where: string,
): Resource<Spec> {
  try {
    return { ...headOf(metadata), spec: kind.decode(spec) }
  } catch (error) {
    const id = metadata?.id ? ` ${JSON.stringify(metadata.id)}` : ''
    throw new MachineError({
      message: `${where} sent a ${kind.type}${id} that cannot be read: ${messageOf(error)}`,
      outcome: 'lost',
    })
  }
}

export const headOf = (metadata: Metadata | undefined): ResourceHead => ({
  namespace: metadata?.namespace ?? '',
  type: metadata?.type ?? '',
  id: metadata?.id ?? '',
  version: metadata?.version ?? '',
  phase: metadata?.phase ?? '',
  labels: new Map(Object.entries(metadata?.labels ?? {})),
  annotations: new Map(Object.entries(metadata?.annotations ?? {})),
  created: dateOf(metadata?.created),
  updated: dateOf(metadata?.updated),
})

const dateOf = (time: Timestamp | undefined): Date | undefined => time && timestampDate(time)
