import { open } from 'node:fs/promises'
import { InvalidArgumentError } from 'commander'
import { problem } from '#base/problem.ts'
import { toYaml } from '#base/yaml.ts'
import { defaultKubernetes } from '#machineconfig/versions/images.ts'
import { named } from './key-file.ts'
import { metalManifest } from './metal-manifest.ts'
import { MOST_MACHINES, wholeNumber } from './simulate-numbers.ts'

/** How many machines of each sort a cluster has. */
export interface Shape {
  readonly controlPlanes: number
  readonly workers: number
}

/** Which clusters the machines are meant for, as the command line says. */
export interface ClusterFlags {
  readonly clusters?: number
  readonly shape?: Shape
  readonly manifests?: string
}

const USUAL: Required<Omit<ClusterFlags, 'clusters'>> = {
  shape: { controlPlanes: 1, workers: 2 },
  manifests: 'clusters.yaml',
}
const MOST_OF_A_SORT = 500
const MARK = '# Written by talos-operator simulate.'

/** `1+2`: one machine of the control plane, and two workers. */
export function shapeOf(text: string): Shape {
  const [, controlPlanes, workers] = /^(\d+)\+(\d+)$/.exec(text) ?? []
  if (controlPlanes === undefined || workers === undefined) {
    throw new InvalidArgumentError('It is written like 1+2: control planes, a plus, workers.')
  }
  return {
    controlPlanes: wholeNumber(controlPlanes, 1, MOST_OF_A_SORT),
    workers: wholeNumber(workers, 0, MOST_OF_A_SORT),
  }
}

/** How many machines these clusters take; undefined if nobody asked for clusters. */
export function machinesFor({ clusters, shape = USUAL.shape }: ClusterFlags): number | undefined {
  if (clusters === undefined) return undefined
  const count = clusters * (shape.controlPlanes + shape.workers)
  if (count <= MOST_MACHINES) return count
  throw problem({
    what: `--clusters ${clusters} takes ${count} machines`,
    why: `one process runs ${MOST_MACHINES} at most`,
    remedy:
      'ask for fewer or smaller clusters, and start the rest beside with another --address-base',
  })
}

/** What is said of clusters though there are to be none, or beside what they rule out, is a mistake. */
export function checkClusterFlags(
  flags: ClusterFlags & { machines?: number; provider?: string | true },
): void {
  const lone = (['shape', 'manifests'] as const).find((flag) => flags[flag] !== undefined)
  if (flags.clusters === undefined && lone) {
    throw problem({
      what: `--${lone} is for --clusters, which is not there`,
      why: 'without it the machines are meant for no cluster in particular',
      remedy: `say how many clusters (--clusters 10), or leave --${lone} out`,
    })
  }
  const other = (['machines', 'provider'] as const).find((flag) => flags[flag] !== undefined)
  if (flags.clusters === undefined || !other) return
  throw problem({
    what: `--clusters and --${other} cannot be had together`,
    why: 'how many machines there are follows from how many clusters, and of which shape',
    remedy: 'leave one of the two out',
  })
}

interface Around {
  readonly addresses: readonly string[]
  readonly talosVersion: string
  readonly kubernetesPort: number
}

/** The manifests of clusters on these machines, one after the other. */
export function clusterManifests(
  { shape = USUAL.shape }: ClusterFlags,
  { addresses, talosVersion, kubernetesPort }: Around,
): string {
  const size = shape.controlPlanes + shape.workers
  const count = Math.floor(addresses.length / size)
  const digits = String(count).length
  const documents = Array.from({ length: count }, (_, at) =>
    toYaml(
      metalManifest({
        name: `cluster-${String(at + 1).padStart(digits, '0')}`,
        ...{ namespace: 'default', talos: talosVersion, kubernetesPort },
        kubernetes: `v${defaultKubernetes(talosVersion)}`,
        addresses: addresses.slice(at * size, (at + 1) * size),
        controlPlanes: shape.controlPlanes,
      }),
    ),
  )
  return `${MARK}\n${documents.join('---\n')}`
}

/** Writes them where they were asked for, over nothing but what this command wrote before. Resolves with the path. */
export async function writeManifests(flags: ClusterFlags, around: Around): Promise<string> {
  const { manifests: path = USUAL.manifests } = flags
  await named(path, async () => {
    await using file = await open(path, 'a+')
    await demandOwn(path, file)
    await file.truncate()
    await file.writeFile(clusterManifests(flags, around))
  })
  return path
}

type File = Awaited<ReturnType<typeof open>>

async function demandOwn(path: string, file: File): Promise<void> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(MARK.length), 0, MARK.length, 0)
  if (bytesRead === 0 || buffer.toString() === MARK) return
  throw problem({
    what: `${path} is there already, and this command did not write it`,
    why: 'it is where the manifests of the clusters go',
    remedy: 'name another file with --manifests, or move that one away',
  })
}
