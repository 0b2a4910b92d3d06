import type { Lease } from '#api/foreign.ts'
import type { ObjectOf } from '#api/meta.ts'
import { ApiError } from '#kube/api-error.ts'

type LeaseObject = ObjectOf<typeof Lease>

/** The Lease of a server that does as Kubernetes does: versions, conflicts, writes without a change. */
export class PretendLeases {
  #lease: LeaseObject | undefined
  #version = 0

  /** The Lease as it is. */
  get lease(): LeaseObject | undefined {
    return this.#lease && structuredClone(this.#lease)
  }

  get(): LeaseObject {
    return structuredClone(this.#existing())
  }

  create(object: unknown): LeaseObject {
    if (this.#lease) throw refusal(409, 'AlreadyExists')
    const lease: LeaseObject = JSON.parse(JSON.stringify(object))
    return this.#store({ ...lease, metadata: { ...lease.metadata, uid: `u${this.#version}` } })
  }

  update(object: unknown): LeaseObject {
    const before = this.#existing()
    const { metadata, spec }: LeaseObject = JSON.parse(JSON.stringify(object))
    const { uid, resourceVersion } = before.metadata
    if (metadata.uid !== uid || metadata.resourceVersion !== resourceVersion) {
      throw refusal(409, 'Conflict')
    }
    const isSame = JSON.stringify(spec) === JSON.stringify(before.spec)
    return isSame ? this.get() : this.#store({ ...before, metadata, ...(spec && { spec }) })
  }

  /** Somebody deletes it. */
  remove(): void {
    this.#version++
    this.#lease = undefined
  }

  /** Somebody writes these fields, or makes the Lease with them. */
  edit(spec: object, metadata: object = {}): void {
    const before = this.#lease ?? { metadata: { name: 'lease', uid: `u${this.#version}` } }
    this.#store({
      ...before,
      metadata: { ...before.metadata, ...metadata },
      spec: { ...before.spec, ...spec },
    })
  }

  #existing(): LeaseObject {
    if (!this.#lease) throw refusal(404, 'NotFound')
    return this.#lease
  }

  #store(lease: LeaseObject): LeaseObject {
    const metadata = { ...lease.metadata, resourceVersion: String(++this.#version) }
    this.#lease = { ...lease, metadata }
    return this.get()
  }
}

const refusal = (status: number, reason: string): ApiError =>
  new ApiError(`could not do it: ${reason}`, { status, reason, objectName: 'lease' })
