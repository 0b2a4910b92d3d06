/** What `gen config` is told. */
export interface ConfigFlags {
  readonly force: boolean
  readonly withSecrets?: string
  readonly talosVersion?: string
  readonly kubernetesVersion?: string
  readonly installDisk?: string
  readonly installImage?: string
  readonly additionalSans?: readonly string[]
  readonly dnsDomain?: string
  readonly registryMirror?: readonly string[]
  readonly withKubespan: boolean
  readonly withClusterDiscovery: boolean
  readonly configPatch?: readonly string[]
  readonly configPatchControlPlane?: readonly string[]
  readonly configPatchWorker?: readonly string[]
  readonly output?: string
  readonly outputDir?: string
  readonly outputTypes?: readonly string[]
  readonly version: string
}
