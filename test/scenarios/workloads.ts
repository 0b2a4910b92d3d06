import { ControlPlane } from '#api/control-plane.ts'
import { CustomResourceDefinition, Node, Pod, PodDisruptionBudget, Secret } from '#api/foreign.ts'
import { DRAIN } from '#api/labels.ts'
import type { ApiKind, ForeignKind, KubeObject } from '#api/meta.ts'
import { readSecrets } from '#engine/cluster-secrets.ts'
import { kubernetesAccess } from '#engine/credentials-kubernetes.ts'
import { KubeClient } from '#kube/client.ts'
import { until } from '#test/until.ts'
import type { World } from './world.ts'

const namespace = 'default'

const Deployment: ForeignKind<KubeObject & { spec?: object }> = {
  ...{ group: 'apps', version: 'v1', kind: 'Deployment', plural: 'deployments' },
  scope: 'Namespaced',
}

/** What pods pretend, and what they bear with. */
interface PodShape {
  annotations?: Record<string, string>
  tolerations?: object[]
  nodeSelector?: Record<string, string>
}

/** What runs in a cluster, as whoever administers it sees and changes it. */
export class Workloads implements Disposable {
  readonly #client: KubeClient

  constructor(client: KubeClient) {
    this.#client = client
  }

  /** So many pods of a name, wherever there is room. */
  async deploy(name: string, replicas: number, shape: PodShape = {}): Promise<void> {
    const { annotations = {}, ...place } = shape
    const containers = [{ name, image: `${name}:1` }]
    const labels = { app: name }
    await this.#client.create(Deployment, {
      metadata: { namespace, name },
      spec: {
        ...{ replicas, selector: { matchLabels: labels } },
        template: { metadata: { labels, annotations }, spec: { containers, ...place } },
      },
    })
  }

  /** A pod that ends by itself, on a node. */
  async run(name: string, nodeName: string): Promise<void> {
    const containers = [{ name, image: `${name}:1` }]
    const metadata = { namespace, name, labels: { app: name } }
    const spec = { nodeName, restartPolicy: 'Never', containers }
    await this.#client.create(Pod, { metadata, spec })
  }

  async scale(name: string, replicas: number): Promise<void> {
    await this.#client.setScale(Deployment, { namespace, name }, { replicas })
  }

  /** So many of the pods of a name are to be up at any time; undefined: as many as there are. */
  async budget(name: string, minAvailable: number | undefined): Promise<void> {
    const ref = { namespace, name }
    if (minAvailable === undefined) return this.#client.remove(PodDisruptionBudget, ref)
    const spec = { minAvailable, selector: { matchLabels: { app: name } } }
    await this.#client.create(PodDisruptionBudget, { metadata: ref, spec })
  }

  async remove(name: string): Promise<void> {
    await this.#client.remove(Deployment, { namespace, name }, { propagation: 'Background' })
  }

  /** The pods of a name, those that are ready and are to stay: the nodes that they are on, sorted. */
  async nodesOf(name: string): Promise<string[]> {
    const pods = await this.#podsOf(name)
    return pods
      .filter(({ metadata }) => metadata.deletionTimestamp === undefined)
      .filter(({ status }) => status?.conditions?.some(isReady))
      .map(({ spec }) => spec?.nodeName ?? '')
      .sort()
  }

  async namesOf(name: string): Promise<string[]> {
    return (await this.#podsOf(name)).map(({ metadata }) => metadata.name).sort()
  }

  /** What all pods of a name are in. */
  async phasesOf(name: string): Promise<(string | undefined)[]> {
    return (await this.#podsOf(name)).map(({ status }) => status?.phase)
  }

  async cordon(name: string, isCordoned: boolean): Promise<void> {
    const body = { spec: { unschedulable: isCordoned || null } }
    await this.#client.patch(Node, { name }, { type: 'merge', body })
  }

  /** Whether a node is cordoned, and whether it has a mark of ours. */
  async isCordoned(name: string): Promise<{ isCordoned: boolean; isMarked: boolean }> {
    const { metadata, spec } = await this.#client.get(Node, { name })
    const isMarked = metadata.annotations?.[DRAIN] !== undefined
    return { isCordoned: spec?.unschedulable === true, isMarked }
  }

  /** An object of a kind that the cluster learns now. */
  async ofNewKind({ group, version, plural, kind }: Omit<ApiKind, 'scope'>): Promise<void> {
    const names = { plural, kind, singular: kind.toLowerCase() }
    const schema = { openAPIV3Schema: { type: 'object' } }
    const versions = [{ name: version, served: true, storage: true, schema }]
    const definition: ForeignKind<KubeObject & { spec?: object }> = CustomResourceDefinition
    await this.#client.create(definition, {
      metadata: {
        name: `${plural}.${group}`,
        // Only with that word is a group of Kubernetes' own taken.
        annotations: { 'api-approved.kubernetes.io': 'unapproved, a test' },
      },
      spec: { group, names, scope: 'Cluster', versions },
    })
    const served: ForeignKind<KubeObject> = { group, version, plural, kind, scope: 'Cluster' }
    const made = () => this.#client.create(served, { metadata: { name: 'any' } })
    await until(
      'the kind to be served',
      () => made().then(String, String),
      (said) => !said.includes('Error'),
    )
  }

  [Symbol.dispose](): void {
    this.#client.close()
  }

  async #podsOf(name: string) {
    return (await this.#client.list(Pod, { namespace, labelSelector: `app=${name}` })).items
  }
}

const isReady = ({ type, status }: { type: string; status: string }): boolean =>
  type === 'Ready' && status === 'True'

/** What runs in the cluster of a control plane. Only where all is within this process. */
export async function workloadsOf(world: World, name: string): Promise<Workloads> {
  const controlPlane = await world.objects.find(ControlPlane, name)
  const secret = await world.objects.find(Secret, `${name}-secrets`)
  if (!controlPlane || !secret) throw new Error(`there is no control plane ${name}`)
  const { clock } = world
  const endpoint = controlPlane.spec?.endpoint ?? ''
  const bundle = readSecrets(secret)
  const access = kubernetesAccess({ bundle, clusterName: name, endpoint, clock })
  return new Workloads(
    new KubeClient({ access: { ...access, carry: world.carry }, clock, userAgent: 'a user' }),
  )
}
