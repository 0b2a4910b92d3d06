import { type Fields, fieldsAt, timestampOf } from '#apiserver/objects.ts'
import { objectIn } from '#apiserver/stored-object.ts'
import {
  type Id,
  idIn,
  idOf,
  isGoing,
  keyOfId,
  keysOf,
  metadataOf,
  nameOf,
  specOf,
  statusOf,
  uidOf,
} from '#simulator/kubernetes/objects.ts'
import { controllerOf } from '#simulator/kubernetes/pods/pod-view.ts'
import type { Routine } from '#simulator/kubernetes/routine.ts'
import type { Scene } from '#simulator/kubernetes/scene.ts'
import { deadlineLeftMs, deploymentStatus } from './deployment-status.ts'
import { rolloutStep } from './rollout.ts'
import { ownerReference, templateHash } from './template.ts'

const DEPLOYMENTS = keysOf('deployments')
const SETS = keysOf('replicasets')
const REVISION = 'deployment.kubernetes.io/revision'
const HASH = 'pod-template-hash'

/** Moves a Deployment from one template to the next, by its ReplicaSets. */
export const deploymentRoutine = (scene: Scene): Routine => ({
  name: 'deployments',
  *touchedBy({ key, value }) {
    if (key.startsWith(DEPLOYMENTS)) yield key
    if (!key.startsWith(SETS)) return
    const owner = controllerOf(objectIn({ value }))
    if (owner?.kind !== 'Deployment') return
    const { namespace } = idIn('replicasets', key)
    yield keyOfId({ plural: 'deployments', namespace, name: String(owner.name) })
  },
  async look(key) {
    const id = idIn('deployments', key)
    const deployment = scene.objects.read(id)
    if (!deployment || isGoing(deployment)) return undefined
    if (specOf(deployment).paused !== true) await roll(scene, id, deployment)
    const { newest, older } = setsOf(scene, deployment)
    await scene.objects.tell(id, (copy) =>
      deploymentStatus(copy, { newest, older, now: timestampOf(scene.clock.now()) }),
    )
    await forgetOld(scene, deployment, older)
    const told = scene.objects.read(id)
    return told && deadlineLeftMs(told, scene.clock.now())
  },
})

interface Sets {
  newest: Fields | undefined
  /** Oldest first. */
  older: Fields[]
}

function setsOf({ objects }: Scene, deployment: Fields): Sets {
  const { namespace } = idOf('deployments', deployment)
  const own = objects
    .list('replicasets', namespace)
    .filter((set) => controllerOf(set)?.uid === uidOf(deployment))
    .toSorted((one, other) => revisionOf(one) - revisionOf(other))
  const hash = templateHash(fieldsAt(specOf(deployment), 'template'))
  const isNewest = (set: Fields) => fieldsAt(metadataOf(set), 'labels')[HASH] === hash
  return { newest: own.find(isNewest), older: own.filter((set) => !isNewest(set)) }
}

const revisionOf = (object: Fields): number =>
  Number(fieldsAt(metadataOf(object), 'annotations')[REVISION] ?? 0)

async function roll(scene: Scene, id: Id, deployment: Fields): Promise<void> {
  const { objects } = scene
  const found = setsOf(scene, deployment)
  const last = Math.max(0, ...found.older.map(revisionOf))
  const known = found.newest ? revisionOf(found.newest) : 0
  const revision = String(known > last ? known : last + 1)
  if (!found.newest) await createSet(scene, deployment, revision)
  const { newest, older } = setsOf(scene, deployment)
  if (!newest) return
  const setId = (name: string): Id => ({ plural: 'replicasets', namespace: id.namespace, name })
  await objects.change(setId(nameOf(newest)), (copy) => withRevision(copy, revision))
  await objects.change(id, (copy) => withRevision(copy, revision))
  for (const { name, replicas } of rolloutStep({ deployment, newest, older })) {
    await objects.change(setId(name), (copy) => ({ ...copy, spec: { ...specOf(copy), replicas } }))
  }
}

function withRevision(object: Fields, revision: string): Fields {
  const metadata = metadataOf(object)
  const annotations = { ...fieldsAt(metadata, 'annotations'), [REVISION]: revision }
  return { ...object, metadata: { ...metadata, annotations } }
}

async function createSet({ objects }: Scene, deployment: Fields, revision: string): Promise<void> {
  const { namespace, name } = idOf('deployments', deployment)
  const spec = specOf(deployment)
  const template = fieldsAt(spec, 'template')
  const hash = templateHash(template)
  const inner = fieldsAt(template, 'metadata')
  const labels = { ...fieldsAt(inner, 'labels'), [HASH]: hash }
  const selector = fieldsAt(spec, 'selector')
  const matchLabels = { ...fieldsAt(selector, 'matchLabels'), [HASH]: hash }
  await objects.create(
    { plural: 'replicasets', namespace, name: `${name}-${hash}` },
    {
      metadata: {
        labels,
        annotations: { [REVISION]: revision },
        ownerReferences: [ownerReference('apps/v1', 'Deployment', deployment)],
      },
      spec: {
        replicas: 0,
        selector: { ...selector, matchLabels },
        template: { ...template, metadata: { ...inner, labels } },
      },
    },
  )
}

/** Keeps only so many sets of older templates as can be gone back to. */
async function forgetOld(scene: Scene, deployment: Fields, older: Fields[]): Promise<void> {
  const limit = Number(specOf(deployment).revisionHistoryLimit ?? 10)
  const idle = older.filter(
    (set) => Number(specOf(set).replicas ?? 0) === 0 && !Number(statusOf(set).replicas ?? 0),
  )
  for (const set of idle.slice(0, Math.max(0, idle.length - limit))) {
    await scene.objects.remove(idOf('replicasets', set))
  }
}
