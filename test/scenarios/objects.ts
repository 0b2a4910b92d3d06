import { Cluster } from '#api/cluster.ts'
import { ControlPlane } from '#api/control-plane.ts'
import { KubernetesCluster } from '#api/kubernetes-cluster.ts'
import { CONFIG_REJECTED, UPGRADE_FAILED } from '#api/labels.ts'
import { Machine } from '#api/machine.ts'
import type { ApiKind, ForeignKind, KubeObject, ObjectOf } from '#api/meta.ts'
import { Worker } from '#api/worker.ts'
import { pathOf, typeMeta } from '#kube/paths.ts'
import type { AnApi } from '#test/an-api.ts'

/** The kinds whose objects the operator works on. */
export const OURS = [Cluster, ControlPlane, Worker, Machine] as const

/** And the one that makes some of these. */
export const APPLIED = [...OURS, KubernetesCluster] as const

const NAMESPACE = 'default'

// Whoever takes these away says that the same may be tried once more.
const TRIED_AGAIN: readonly string[] = [CONFIG_REJECTED, UPGRADE_FAILED]
const Namespace: ForeignKind<KubeObject> = {
  ...{ group: '', version: 'v1', kind: 'Namespace', plural: 'namespaces', scope: 'Cluster' },
}

/** The objects in the API, as an administrator sees and changes them. All in one namespace. */
export class Objects {
  /** What users have asked for so far. */
  readonly applied: Manifest[] = []
  /** How often they have asked for something else, or for another try of the same. */
  asked = 0
  readonly #api: Pick<AnApi, 'send'>
  readonly #namespace: string

  constructor(api: Pick<AnApi, 'send'>, namespace = NAMESPACE) {
    this.#api = api
    this.#namespace = namespace
  }

  /** Makes another namespace. The answer is what is in that. */
  async beside(namespace: string): Promise<Objects> {
    await this.create(Namespace, { metadata: { name: namespace } })
    return new Objects(this.#api, namespace)
  }

  /** Makes an object, or makes it as the manifest says: as `kubectl apply` does. */
  async apply(manifest: Manifest): Promise<void> {
    const kind = APPLIED.find((one) => one.kind === manifest.kind)
    if (!kind) throw new Error(`no scenario has a ${manifest.kind}`)
    this.applied.push(manifest)
    this.asked++
    const query = { fieldManager: 'user', force: true }
    await this.#send('PATCH', pathOf(kind, this.#placeOf(manifest.metadata.name), query), {
      ...{ body: manifest, contentType: 'application/apply-patch+yaml' },
    })
  }

  async create<K extends ApiKind>(kind: K, object: object): Promise<void> {
    const body = { ...typeMeta(kind), ...object }
    await this.#send('POST', pathOf(kind, { namespace: this.#namespace }), { body })
  }

  /** There are none of a kind that is not installed. */
  async list<K extends ApiKind>(kind: K): Promise<ObjectOf<K>[]> {
    const path = pathOf(kind, { namespace: this.#namespace })
    const { status, body } = await this.#api.send({ method: 'GET', path })
    if (status === 404) return []
    if (status >= 300) throw new Error(`GET ${path}: ${status} ${JSON.stringify(body)}`)
    return Object(body).items
  }

  async find<K extends ApiKind>(kind: K, name: string): Promise<ObjectOf<K> | undefined> {
    return (await this.list(kind)).find((one: KubeObject) => one.metadata.name === name)
  }

  /** What `kubectl get` shows: of each object its cells, by the names of their columns. */
  async table(kind: ApiKind): Promise<Record<string, unknown>[]> {
    const accept = 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json'
    const shown = await this.#send('GET', pathOf(kind, { namespace: this.#namespace }), { accept })
    const { columnDefinitions: columns, rows }: Table = Object(shown)
    return rows.map(({ cells }) =>
      Object.fromEntries(columns.map(({ name }, at) => [name, cells[at]])),
    )
  }

  /** What is to be changed, by a merge patch. */
  async patch(kind: ApiKind, name: string, body: object): Promise<void> {
    const { spec, metadata } = Object(body)
    if (spec || TRIED_AGAIN.some((key) => metadata?.annotations?.[key] === null)) this.asked++
    const contentType = 'application/merge-patch+json'
    await this.#send('PATCH', pathOf(kind, this.#placeOf(name)), { body, contentType })
  }

  async annotate(kind: ApiKind, name: string, annotations: Record<string, string>): Promise<void> {
    await this.patch(kind, name, { metadata: { annotations } })
  }

  /** What a controller that is not ours says of it. */
  async patchStatus(kind: ApiKind, name: string, status: object): Promise<void> {
    const path = pathOf(kind, { ...this.#placeOf(name), subresource: 'status' })
    const contentType = 'application/merge-patch+json'
    await this.#send('PATCH', path, { body: { status }, contentType })
  }

  /** Takes away all that the operator has said of it. */
  async wipeStatus(kind: ApiKind, name: string): Promise<void> {
    const path = pathOf(kind, { ...this.#placeOf(name), subresource: 'status' })
    const body = [{ op: 'add', path: '/status', value: {} }]
    await this.#send('PATCH', path, { body, contentType: 'application/json-patch+json' })
  }

  /** `Foreground`: what it owns goes before it does. */
  async remove(
    kind: ApiKind,
    name: string,
    propagationPolicy: 'Background' | 'Foreground' = 'Background',
  ): Promise<void> {
    await this.#send('DELETE', pathOf(kind, this.#placeOf(name), { propagationPolicy }))
  }

  #placeOf(name: string) {
    return { namespace: this.#namespace, name }
  }

  /** It is gone at once, whatever was to be done first: as where a whole API is lost. */
  async vanish(kind: ApiKind, name: string): Promise<void> {
    await this.patch(kind, name, { metadata: { finalizers: null } })
    await this.remove(kind, name)
  }

  async #send(
    method: string,
    path: string,
    content: { body?: object; contentType?: string; accept?: string } = {},
  ): Promise<unknown> {
    const { status, body } = await this.#api.send({ method, path, ...content })
    if (status >= 300) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(body)}`)
    return body
  }
}

interface Table {
  columnDefinitions: { name: string }[]
  rows: { cells: unknown[] }[]
}

export interface Manifest {
  apiVersion?: string
  kind: string
  metadata: { name: string }
  spec?: object
}
