/** The container images that a machine has. */
export interface ImageStore {
  list(namespace: ImageNamespace): readonly StoredImage[]
  /** Fetches an image, unless it is there; resolves to its name by digest. Refused with NotFound when no registry has it. */
  pull(reference: string, namespace: ImageNamespace): Promise<string>
  remove(reference: string, namespace: ImageNamespace): void
}

/** `memory`: of the containerd that Talos is installed by, in the older ways; what it has is gone with the boot. */
export type ImageNamespace = 'system' | 'cri' | 'memory'

export interface StoredImage {
  readonly name: string
  readonly digest: string
  readonly bytes: number
  readonly createdAt: Date
}
