import { timestampDate } from '@bufbuild/protobuf/wkt'
import type { Caller, CallOptions } from '#talos/caller.ts'
import { ImageService } from '#talos/generated/machine/image_pb.ts'
import { MachineService } from '#talos/generated/machine/machine_pb.ts'
import { MachineError } from '#talos/outcome.ts'
import { containerdOf, type ImageStore, namespaceOf } from './containerd.ts'
import { onlyMessage, throwIfError } from './only-message.ts'

export interface StoredImage {
  name: string
  digest: string
  sizeBytes: number
  createdAt: Date | undefined
}

// A machine with more has something wrong with it, and is no reason for us to run out of memory.
const MOST_IMAGES = 100_000

/** Container images on a machine. */
export const imageCalls = (caller: Caller) => ({
  /** Since v1.13. Resolves to the name with its digest, which an upgrade wants. */
  async pull(
    reference: string,
    { store = 'system', ...options }: CallOptions & { store?: ImageStore } = {},
  ): Promise<string> {
    const answers = caller.follow(
      {
        method: ImageService.method.pull,
        what: `pull the image ${reference} on`,
        pace: 'slow',
        options,
      },
      { containerd: containerdOf(store), imageRef: reference },
    )
    let name: string | undefined
    for await (const { response } of answers) {
      if (response.case === 'name') name = response.value
    }
    if (name) return name
    const message = `${caller.where} did not say that it has pulled ${reference}`
    throw new MachineError({ message, outcome: 'lost' })
  },

  /** Before v1.18. Resolves when it is there. */
  async pullLegacy(
    reference: string,
    { store = 'system', ...options }: CallOptions & { store?: ImageStore } = {},
  ): Promise<void> {
    const method = MachineService.method.imagePull
    const what = `pull the image ${reference} on`
    const request = { namespace: namespaceOf(store), reference }
    onlyMessage(caller, await caller.ask({ method, what, pace: 'slow', options }, request))
  },

  /** Before v1.18. */
  async list({
    store = 'kubernetes',
    ...options
  }: CallOptions & { store?: ImageStore } = {}): Promise<StoredImage[]> {
    const method = MachineService.method.imageList
    const what = 'list the images of'
    const call = { method, what, pace: 'stream', options } as const
    const images: StoredImage[] = []
    for await (const image of caller.follow(call, { namespace: namespaceOf(store) })) {
      throwIfError(caller.where, image)
      const { name, digest, size, createdAt } = image
      const sizeBytes = Number(size)
      images.push({ name, digest, sizeBytes, createdAt: createdAt && timestampDate(createdAt) })
      if (images.length >= MOST_IMAGES) break
    }
    return images
  },
})
