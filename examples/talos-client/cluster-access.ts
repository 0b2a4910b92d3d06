import { readFile } from 'node:fs/promises'
import { readTalosconfig } from '#machineconfig/secrets/talosconfig-file.ts'
import type { ClusterAccess } from '#talos/machine-target.ts'

/** Who we are to the machines of a cluster, as the current context of a talosconfig has it. */
export async function clusterAccess(path: string): Promise<ClusterAccess> {
  const { context, contexts } = readTalosconfig(await readFile(path, 'utf8'))
  const { ca, certificate, key } = contexts.get(context) ?? {}
  if (!ca || !certificate || !key) throw new Error(`${path} has no certificates of a cluster in it`)
  return { kind: 'cluster', authority: ca, certificate, key }
}
