import type { ForeignKind, KubeObject } from '#api/meta.ts'
import type { Clock } from '#base/clock.ts'
import { messageOf } from '#base/operator-error.ts'
import type { KubeClient } from '#kube/client.ts'
import { Discovery } from '#kube/discovery.ts'

// Talos writes these objects into a cluster once, when that begins: kube-proxy, CoreDNS, the network, and what a user added
// to the configuration. What they are with another version of Kubernetes a machine only shows, and somebody has to bring it.

const DEADLINE_MS = 15_000

// As whom Talos writes them: so they have one owner, whoever it was.
const FIELD_MANAGER = 'talos'

/** An object of any kind, as it is to be. */
export interface Manifest extends KubeObject {
  apiVersion: string
  kind: string
}

/** One that the cluster would not take. */
interface NotApplied {
  what: string
  why: string
}

/** What others need to be there first. */
const FIRST = ['Namespace', 'CustomResourceDefinition', 'ConfigMap', 'Secret']

/** Writes them all, as far as the cluster takes them. Nothing is deleted. Written again they stay as they are. */
export async function applyManifests(
  { client, clock }: { client: KubeClient; clock: Clock },
  manifests: readonly Manifest[],
  signal: AbortSignal,
): Promise<NotApplied[]> {
  const discovery = new Discovery({ client, clock })
  const failed: NotApplied[] = []
  for (const manifest of inOrder(manifests)) {
    try {
      await applyOne(manifest, { client, discovery, signal })
    } catch (error) {
      if (signal.aborted) throw error
      // What is refused may be quoted.
      const why = manifest.kind === 'Secret' ? 'the cluster refuses it' : messageOf(error)
      failed.push({ what: wordsFor(manifest), why })
    }
  }
  return failed
}

const inOrder = (manifests: readonly Manifest[]): Manifest[] =>
  manifests.toSorted((one, other) => rankOf(one) - rankOf(other))

const rankOf = ({ kind }: Manifest): number =>
  FIRST.includes(kind) ? FIRST.indexOf(kind) : FIRST.length

async function applyOne(
  manifest: Manifest,
  { client, discovery, signal }: { client: KubeClient; discovery: Discovery; signal: AbortSignal },
): Promise<void> {
  const served = await discovery.kindOf(manifest, signal)
  if (!served) throw new Error(`the cluster does not know ${manifest.apiVersion} ${manifest.kind}`)
  const kind: ForeignKind<Manifest> = served
  const { apiVersion: _apiVersion, kind: _kind, ...object } = manifest
  // Where nothing was said of when it was made, Go says nothing in so many words.
  const { namespace = 'default', creationTimestamp: _never, ...metadata } = object.metadata
  const place = served.scope === 'Cluster' ? metadata : { ...metadata, namespace }
  await client.apply(
    kind,
    { ...object, metadata: place },
    { signal, deadlineMs: DEADLINE_MS, fieldManager: FIELD_MANAGER, force: true },
  )
}

const wordsFor = ({ kind, metadata: { namespace, name } }: Manifest): string =>
  `${kind} ${namespace === undefined ? '' : `${namespace}/`}${name}`
