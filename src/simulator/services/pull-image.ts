import type { ImageNamespace } from '#simulator/machine/image-store.ts'
import type { Machine } from '#simulator/machine/machine.ts'
import { Refusal } from '#simulator/refusal.ts'

/** Fetches an image for a client, which is told in so many words that no registry has it. */
export async function pullImage(
  { images }: Machine,
  reference: string,
  namespace: ImageNamespace,
): Promise<string> {
  try {
    return await images.pull(reference, namespace)
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'NotFound') throw error
    throw new Refusal('NotFound', `error pulling image: ${error.message}`)
  }
}
