import { createHash } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { type Fields, fieldsAt, isFields, listAt, textAt, timestampOf } from '#apiserver/objects.ts'
import type { Send } from '#test/conformance/kubernetes/https-json.ts'

const LOOK_EVERY_MS = 50

/** What stands in for workload controllers and nodes in one namespace. Disposing of it ends it. */
export interface PretendControllers extends AsyncDisposable {
  /** The Jobs that it has let end, in order. */
  ended: string[]
}

/**
 * Lets Jobs and Pods end and Deployments become available by writing their status, as no one else does.
 * What runs `false` fails.
 */
export function pretendControllers(send: Send, namespace: string): PretendControllers {
  const stop = new AbortController()
  const ended: string[] = []
  const work = async () => {
    await endJobs(send, namespace, ended)
    await endPods(send, namespace)
    await makeDeploymentsAvailable(send, namespace)
  }
  const running = (async () => {
    for (; !stop.signal.aborted; await delay(LOOK_EVERY_MS)) await work()
  })()
  return {
    ended,
    [Symbol.asyncDispose]: () => {
      stop.abort()
      return running
    },
  }
}

const jobsOf = (namespace: string): string => `/apis/batch/v1/namespaces/${namespace}/jobs`
const deploymentsOf = (namespace: string): string =>
  `/apis/apps/v1/namespaces/${namespace}/deployments`

const nameOf = (object: Fields): string => textAt(fieldsAt(object, 'metadata'), 'name') ?? ''

async function unfinished(send: Send, path: string): Promise<Fields[]> {
  const { body } = await send({ method: 'GET', path })
  const items = listAt(isFields(body) ? body : {}, 'items').filter(isFields)
  return items.filter((object) => !isFinished(object))
}

function isFinished(object: Fields): boolean {
  const status = fieldsAt(object, 'status')
  const { generation } = fieldsAt(object, 'metadata')
  if (status.observedGeneration !== undefined) return status.observedGeneration === generation
  return status.phase === 'Succeeded' || listAt(status, 'conditions').length > 0
}

async function endJobs(send: Send, namespace: string, ended: string[]): Promise<void> {
  for (const job of await unfinished(send, jobsOf(namespace))) {
    const succeeds = !JSON.stringify(job).includes('"command":["false"]')
    const types = succeeds ? ['SuccessCriteriaMet', 'Complete'] : ['FailureTarget', 'Failed']
    const now = timestampOf(new Date())
    const status = {
      startTime: now,
      conditions: types.map((type) => ({ type, status: 'True', lastTransitionTime: now })),
      ...(succeeds ? { completionTime: now, succeeded: 1 } : { failed: 1 }),
    }
    const wasThere = await writeStatus(send, `${jobsOf(namespace)}/${nameOf(job)}`, status)
    if (wasThere) ended.push(nameOf(job))
  }
}

async function endPods(send: Send, namespace: string): Promise<void> {
  const pods = `/api/v1/namespaces/${namespace}/pods`
  for (const pod of await unfinished(send, pods)) {
    await writeStatus(send, `${pods}/${nameOf(pod)}`, { phase: 'Succeeded' })
  }
}

async function makeDeploymentsAvailable(send: Send, namespace: string): Promise<void> {
  for (const deployment of await unfinished(send, deploymentsOf(namespace))) {
    await makeAvailable(send, deployment, namespace)
  }
}

/** Makes its ReplicaSet as well: Helm 3 looks for the one of the newest template. */
async function makeAvailable(send: Send, deployment: Fields, namespace: string): Promise<void> {
  const { name, uid, generation, labels } = fieldsAt(deployment, 'metadata')
  const { replicas, template, selector } = fieldsAt(deployment, 'spec')
  const hash = createHash('sha256').update(JSON.stringify(template)).digest('hex').slice(0, 8)
  const sets = `/apis/apps/v1/namespaces/${namespace}/replicasets`
  const owner = { apiVersion: 'apps/v1', kind: 'Deployment', name, uid, controller: true }
  const body = {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: { name: `${name}-${hash}`, labels, ownerReferences: [owner] },
    spec: { replicas, template, selector },
  }
  await send({ method: 'POST', path: sets, body })
  const counts = { replicas, readyReplicas: replicas, availableReplicas: replicas }
  await writeStatus(send, `${sets}/${name}-${hash}`, counts)
  const conditions = [
    { type: 'Available', status: 'True', reason: 'MinimumReplicasAvailable', message: '' },
    { type: 'Progressing', status: 'True', reason: 'NewReplicaSetAvailable', message: '' },
  ]
  const status = {
    ...counts,
    updatedReplicas: replicas,
    observedGeneration: generation,
    conditions,
  }
  await writeStatus(send, `${deploymentsOf(namespace)}/${name}`, status)
}

async function writeStatus(send: Send, path: string, status: object): Promise<boolean> {
  const contentType = 'application/merge-patch+json'
  const call = { method: 'PATCH', path: `${path}/status`, body: { status }, contentType }
  const answer = await send(call)
  // It may have been deleted meanwhile.
  if (answer.status === 200 || answer.status === 404) return answer.status === 200
  throw new Error(`${path} cannot be given a status: ${JSON.stringify(answer.body)}`)
}
