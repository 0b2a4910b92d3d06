/** The container images that a machine has. */
export interface ImageStore {
  list(namespace: ImageNamespace): readonly StoredImage[]
  /** Fetches an image; resolves to its name by digest. Refused with NotFound when no registry has it. */
  pull(reference: string, namespace: ImageNamespace): Promise<string>
  remove(reference: string, namespace: ImageNamespace): void
}

export type ImageNamespace = 'system' | 'cri'

export interface StoredImage {
  readonly name: string
  readonly digest: string
  readonly bytes: number
  readonly createdAt: Date
}
