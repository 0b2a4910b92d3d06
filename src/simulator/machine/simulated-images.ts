import { createHash } from 'node:crypto'
import { sleep } from '#base/clock.ts'
import { Refusal } from '#simulator/refusal.ts'
import { durationMs, type Timed } from '#simulator/timing.ts'
import type { ImageNamespace, ImageStore, StoredImage } from './image-store.ts'
import type { MachineInside } from './inside.ts'
import { untilTrue } from './listeners.ts'

const MIB = 1024 ** 2
const NAMESPACES = ['system', 'cri', 'memory'] as const
const LONGEST_REFERENCE = 1000
// A host or a name, further parts, then a tag, a digest or both.
const REFERENCE =
  /^[a-z0-9][\w.:-]*(?:\/[a-z0-9][\w.-]*)*(?::[\w][\w.-]*)?(?:@sha256:[0-9a-f]{64})?$/i

/** The images of one machine. Every registry has every image, unless a fault says otherwise. */
export class SimulatedImages implements ImageStore {
  readonly #inside: MachineInside

  constructor(inside: MachineInside) {
    this.#inside = inside
  }

  list(namespace: ImageNamespace): readonly StoredImage[] {
    return [...this.#images(namespace)]
      .filter(([place]) => place.startsWith(`${namespace} `))
      .map(([, image]) => image)
  }

  has(reference: string, namespace: ImageNamespace): boolean {
    const name = byDigest(reference)
    return this.list(namespace).some((image) => byDigest(image.name) === name)
  }

  /** The name by which an image was fetched, to whichever place, that is now named by its digest. */
  nameOf(reference: string): string {
    const name = byDigest(reference)
    const all = NAMESPACES.flatMap((namespace) => this.list(namespace))
    return all.find((image) => byDigest(image.name) === name)?.name ?? reference
  }

  async pull(
    reference: string,
    namespace: ImageNamespace,
    takes: Timed = 'pullImage',
  ): Promise<string> {
    const { boot } = this.#inside
    if (reference.length > LONGEST_REFERENCE || !REFERENCE.test(reference)) {
      throw new Refusal(
        'InvalidArgument',
        'failed to parse image reference: invalid reference format',
      )
    }
    if (!boot) throw new Refusal('Unavailable', 'the machine is off')
    if (this.has(reference, namespace)) return byDigest(reference)
    await this.#transfer(takes, boot.signal)
    if (this.#isRefused(reference)) {
      throw new Refusal(
        'NotFound',
        `failed to pull image ${JSON.stringify(reference)}: failed to resolve image: ${reference}: not found`,
      )
    }
    this.keep(reference, namespace)
    return byDigest(reference)
  }

  /** Fetches an image if it is not there, and does not give up. */
  async ensure(reference: string, namespace: ImageNamespace, signal: AbortSignal): Promise<void> {
    if (this.has(reference, namespace)) return
    const { faults } = this.#inside.world
    await untilTrue(
      () => !this.#isRefused(reference),
      signal,
      (listener) => faults.onChange(listener),
    )
    await this.#inside.takes('pullImage', signal)
    this.keep(reference, namespace)
  }

  /** Whether it is there, or a registry has it. */
  canBeHad(reference: string, namespace: ImageNamespace): boolean {
    return this.has(reference, namespace) || !this.#isRefused(reference)
  }

  /** Is there from now on. */
  keep(reference: string, namespace: ImageNamespace): void {
    const digest = digestOf(reference)
    this.#images(namespace).set(`${namespace} ${reference}`, {
      name: reference,
      digest,
      bytes: (20 + (Number.parseInt(digest.slice(7, 9), 16) % 80)) * MIB,
      createdAt: this.#inside.world.clock.now(),
    })
  }

  remove(reference: string, namespace: ImageNamespace): void {
    if (!this.#images(namespace).delete(`${namespace} ${reference}`)) {
      throw new Refusal('NotFound', `image "${reference}": not found`)
    }
  }

  #images(namespace: ImageNamespace): Map<string, StoredImage> {
    const { boot, storage } = this.#inside
    return namespace === 'memory' ? (boot?.images ?? new Map()) : storage.ephemeral.images
  }

  async #transfer(takes: Timed, signal: AbortSignal): Promise<void> {
    const { world, random } = this.#inside
    try {
      await sleep(world.clock, durationMs(takes, random), signal)
    } catch {
      throw new Refusal('Unavailable', 'the machine went down')
    }
  }

  #isRefused(reference: string): boolean {
    const isNamed = (image: string) => reference.includes(image)
    return (
      this.#inside.world.faults.find('registry-refuses', this.#inside, { image: isNamed }) !==
      undefined
    )
  }
}

const digestOf = (reference: string): string =>
  /@(sha256:[0-9a-f]{64})$/.exec(reference)?.[1] ??
  `sha256:${createHash('sha256').update(reference).digest('hex')}`

/** `<repository>@sha256:…`, without the tag. */
function byDigest(reference: string): string {
  if (reference.includes('@')) return reference
  return `${reference.replace(/:[\w][\w.-]*$/, '')}@${digestOf(reference)}`
}
