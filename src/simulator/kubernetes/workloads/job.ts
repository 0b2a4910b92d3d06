import { type Fields, fieldsAt, isFields, listAt, timestampOf } from '#apiserver/objects.ts'
import {
  type Id,
  idIn,
  isGoing,
  keyOfId,
  keysOf,
  nameOf,
  specOf,
  statusOf,
  uidOf,
} from '#simulator/kubernetes/objects.ts'
import { conditionOf, type PodView } from '#simulator/kubernetes/pods/pod-view.ts'
import type { Routine } from '#simulator/kubernetes/routine.ts'
import type { Scene } from '#simulator/kubernetes/scene.ts'
import { ownerReference, podOf, unlessZero } from './template.ts'

const JOBS = keysOf('jobs')

/** Runs the pods of a Job until enough of them have succeeded, or too many have failed. */
export const jobRoutine = (scene: Scene): Routine => ({
  name: 'jobs',
  *touchedBy(change) {
    if (change.key.startsWith(JOBS)) yield change.key
    const pod = scene.pods.touchedBy(change)
    if (pod?.ownerKind === 'Job') {
      yield keyOfId({ plural: 'jobs', namespace: pod.namespace, name: pod.ownerName })
    }
  },
  async look(key) {
    const id = idIn('jobs', key)
    const job = scene.objects.read(id)
    if (!job || isGoing(job)) return undefined
    if (endOf(job)) return expire(scene, id, job)
    await goOn(scene, id, job)
    return deadlineLeftMs(scene, job)
  },
})

const endOf = (job: Fields): Fields | undefined =>
  ['Complete', 'Failed']
    .map((type) => conditionOf(job, type))
    .find((condition) => condition?.status === 'True')

async function expire(scene: Scene, id: Id, job: Fields): Promise<number | undefined> {
  const seconds = specOf(job).ttlSecondsAfterFinished
  if (typeof seconds !== 'number') return undefined
  const ended = Date.parse(String(endOf(job)?.lastTransitionTime))
  const leftMs = ended + seconds * 1000 - scene.clock.now().getTime()
  if (leftMs > 0) return leftMs
  await scene.objects.remove(id, { propagation: 'Background' })
  return undefined
}

function deadlineLeftMs({ clock }: Scene, job: Fields): number | undefined {
  const { activeDeadlineSeconds: seconds } = specOf(job)
  const { startTime } = statusOf(job)
  if (typeof seconds !== 'number' || typeof startTime !== 'string') return undefined
  return Math.max(0, Date.parse(startTime) + seconds * 1000 - clock.now().getTime())
}

interface Pods {
  active: PodView[]
  succeeded: number
  failed: number
}

function podsOf(scene: Scene, job: Fields): Pods {
  const all = scene.pods.of(uidOf(job))
  return {
    active: all.filter(({ hasEnded, isGoing: going }) => !hasEnded && !going),
    succeeded: all.filter(({ hasSucceeded }) => hasSucceeded).length,
    failed: all.filter(({ hasEnded, hasSucceeded }) => hasEnded && !hasSucceeded).length,
  }
}

async function goOn(scene: Scene, id: Id, job: Fields): Promise<void> {
  const { succeeded, failed, active } = podsOf(scene, job)
  const { completions, backoffLimit = 6, suspend, parallelism = 1 } = specOf(job)
  const wanted = Number(completions ?? 1)
  const verdict = verdictOn(scene, job, {
    isEnough: succeeded >= wanted,
    isTooBad: failed > Number(backoffLimit),
  })
  const room =
    verdict || suspend === true
      ? 0
      : Math.min(Number(parallelism) - active.length, wanted - succeeded - active.length)
  if (verdict || suspend === true) await endAll(scene, active)
  for (let made = 0; made < room; made++) await createPod(scene, id, job)
  const now = timestampOf(scene.clock.now())
  await scene.objects.tell(id, (copy) => statusFor(copy, { ...podsOf(scene, copy), verdict, now }))
}

type Verdict = { types: readonly string[]; reason: string; message: string } | undefined

function verdictOn(
  scene: Scene,
  job: Fields,
  { isEnough, isTooBad }: { isEnough: boolean; isTooBad: boolean },
): Verdict {
  if (isEnough) {
    const message = 'Reached expected number of succeeded pods'
    return { types: ['SuccessCriteriaMet', 'Complete'], reason: 'CompletionsReached', message }
  }
  const failing = ['FailureTarget', 'Failed']
  if (isTooBad) {
    const message = 'Job has reached the specified backoff limit'
    return { types: failing, reason: 'BackoffLimitExceeded', message }
  }
  const isLate = deadlineLeftMs(scene, job) === 0
  const message = 'Job was active longer than specified deadline'
  return isLate ? { types: failing, reason: 'DeadlineExceeded', message } : undefined
}

async function endAll(scene: Scene, pods: readonly PodView[]): Promise<void> {
  for (const pod of pods) await scene.objects.remove({ plural: 'pods', ...pod })
}

async function createPod({ objects }: Scene, { namespace, name }: Id, job: Fields): Promise<void> {
  const owner = ownerReference('batch/v1', 'Job', job)
  const pod = podOf(fieldsAt(specOf(job), 'template'), { owner })
  await objects.create(
    { plural: 'pods', namespace, name: '' },
    { ...pod, metadata: { ...pod.metadata, generateName: `${nameOf(job) || name}-` } },
  )
}

function statusFor(job: Fields, pods: Pods & { verdict: Verdict; now: string }): Fields {
  const { active, succeeded, failed, verdict, now } = pods
  const before = statusOf(job)
  const conditions = listAt(before, 'conditions').filter(isFields)
  const ended = verdict?.types.map((type) => ({
    type,
    status: 'True',
    lastProbeTime: now,
    lastTransitionTime: now,
    reason: verdict.reason,
    message: verdict.message,
  }))
  return {
    active: unlessZero(verdict ? 0 : active.length),
    ready: verdict ? 0 : active.filter(({ isReady }) => isReady).length,
    terminating: 0,
    succeeded: unlessZero(succeeded),
    failed: unlessZero(failed),
    startTime: before.startTime ?? now,
    uncountedTerminatedPods: {},
    ...(ended && { conditions: [...conditions, ...ended] }),
    ...(verdict?.types.includes('Complete') && { completionTime: now }),
  }
}
