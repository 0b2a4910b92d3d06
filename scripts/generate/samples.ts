// One example of each kind that people write, under the names that operator developers expect. They are copies, because
// kustomize reads no file outside of its folder.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Kind } from '#api/meta.ts'
import { kustomization } from './kustomize.ts'
import { type GeneratedFile, MARKER } from './tree.ts'

const EXAMPLES = join(import.meta.dirname, '..', '..', 'examples')

// TalosMachine and Machine are the operator's to make: their examples are for reading.
const EXAMPLE_OF: Readonly<Record<string, string>> = {
  TalosCluster: 'talos-cluster-metal',
  TalosControlPlane: 'talos-controlplane-metal',
  TalosWorker: 'talos-worker-metal',
  TalosClusterAddon: 'talos-cluster-addon',
  TalosClusterAddonRelease: 'talos-cluster-addon-release',
  TalosEtcdBackup: 'talos-etcd-backup',
  TalosEtcdBackupSchedule: 'talos-etcd-backup-schedule',
  KubernetesCluster: 'kubernetes-cluster-simple',
}

export function sampleFiles(kinds: readonly Kind[]): GeneratedFile[] {
  const shown = kinds.flatMap((kind) => {
    const example = EXAMPLE_OF[kind.kind]
    return example ? [{ name: nameOf(kind), text: textOf(example) }] : []
  })
  return [
    ...shown.map(({ name, text }) => ({
      path: `config/samples/${name}`,
      content: `# ${MARKER}\n${text}`,
    })),
    kustomization(
      'samples',
      shown.map(({ name }) => name),
    ),
  ]
}

const nameOf = ({ group, version, kind }: Kind): string =>
  `${group.split('.')[0]}_${version}_${kind.toLowerCase()}.yaml`

const textOf = (example: string): string => readFileSync(join(EXAMPLES, `${example}.yaml`), 'utf8')
