import type { ConfigDocument } from '#machineconfig/document.ts'
import { newDocument } from './new-document.ts'
import type { ClusterOptions } from './options.ts'

/** The documents that follow the one with `machine` and `cluster`, in the order of talosctl. */
export function furtherDocuments(options: ClusterOptions, form: number): ConfigDocument[] {
  if (form < 12) return []
  const { kubeSpan } = options
  return [
    ...mirrorDocuments(options),
    newDocument('HostnameConfig', { auto: 'stable' }),
    ...(form >= 13 && kubeSpan !== undefined
      ? [newDocument('KubeSpanConfig', { enabled: kubeSpan })]
      : []),
  ]
}

const mirrorDocuments = ({ registryMirrors = {} }: ClusterOptions): ConfigDocument[] =>
  Object.entries(registryMirrors)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, endpoints]) =>
      newDocument('RegistryMirrorConfig', { name, endpoints: endpoints.map((url) => ({ url })) }),
    )
