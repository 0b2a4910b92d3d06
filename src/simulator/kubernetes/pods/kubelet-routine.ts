import { type Fields, fieldsAt, isFields, listAt, textAt, timestampOf } from '#apiserver/objects.ts'
import { freePodAddress } from '#simulator/kubernetes/nodes/pod-ranges.ts'
import {
  type Id,
  idIn,
  isGoing,
  keysOf,
  metadataOf,
  specOf,
  uidOf,
} from '#simulator/kubernetes/objects.ts'
import type { Routine } from '#simulator/kubernetes/routine.ts'
import type { Scene } from '#simulator/kubernetes/scene.ts'
import { endedStatus, type PodHome, runningStatus } from './pod-status.ts'
import type { PodView } from './pod-view.ts'

const PODS = keysOf('pods')

/** By these annotations a pod is told to misbehave. */
export const PRETENCE = {
  neverReady: 'simulator.talos-operator/never-ready',
  ignoresTermination: 'simulator.talos-operator/ignores-termination',
  exitCode: 'simulator.talos-operator/exit-code',
} as const

/** Runs the pods that are bound to nodes whose kubelet runs: they start, become ready, and end when they are to. */
export function kubeletRoutine(scene: Scene): Routine {
  // When what a pod is about to do began, by its uid and what it is.
  const begun = new Map<string, number>()
  /** Milliseconds that are left of a time, from when this was first asked. */
  const leftOf = (what: string, lengthMs: number): number => {
    const now = scene.clock.monotonicMs()
    const since = begun.get(what) ?? now
    begun.set(what, since)
    return since + lengthMs - now
  }
  const forget = (uid: string) => {
    for (const what of ['start', 'run', 'stop']) begun.delete(`${what} ${uid}`)
  }

  const runOn = async (view: PodView, id: Id): Promise<number | undefined> => {
    const pod = scene.objects.read(id)
    if (!pod) return undefined
    const next = stepOf(pod, view)
    if (!next) return undefined
    const leftMs = leftOf(`${next} ${view.uid}`, lengthOf(scene, next, pod))
    if (leftMs > 0) return leftMs
    begun.delete(`${next} ${view.uid}`)
    return take(scene, next, { id, pod })
  }

  return {
    name: 'kubelet',
    *touchedBy({ type, key, value }) {
      if (!key.startsWith(PODS)) return
      if (type === 'remove') forget(uidIn(value))
      else if (scene.pods.get(key)?.node) yield key
    },
    async look(key) {
      const view = scene.pods.get(key)
      if (!view?.node || view.isMirror || !scene.kubelets.isUp(view.node)) return undefined
      return runOn(view, idIn('pods', key))
    },
  }
}

const uidIn = (value: Buffer): string => /"uid":"([^"]+)"/.exec(value.toString('latin1'))?.[1] ?? ''

type Step = 'start' | 'ready' | 'run' | 'stop'

/** What a pod does next, if anything. */
function stepOf(pod: Fields, view: PodView): Step | undefined {
  if (view.isGoing) return 'stop'
  if (view.hasEnded) return undefined
  if (!view.isRunning) return 'start'
  if (specOf(pod).restartPolicy !== 'Always') return 'run'
  return !view.isReady && !isTold(pod, PRETENCE.neverReady) ? 'ready' : undefined
}

function lengthOf({ timing }: Scene, step: Step, pod: Fields): number {
  if (step === 'ready') return 0
  if (step === 'start') return timing.podStartMs
  if (step === 'run') return timing.podRunMs
  const graceMs = Number(metadataOf(pod).deletionGracePeriodSeconds ?? 0) * 1000
  return isTold(pod, PRETENCE.ignoresTermination) ? graceMs : Math.min(graceMs, timing.podStopMs)
}

async function take(
  scene: Scene,
  step: Step,
  { id, pod }: { id: Id; pod: Fields },
): Promise<undefined> {
  const now = timestampOf(scene.clock.now())
  if (step === 'stop') {
    await scene.objects.remove(id, { gracePeriodSeconds: 0, preconditions: { uid: uidOf(pod) } })
  } else if (step === 'run') {
    await scene.objects.tell(id, (copy) =>
      unlessGoing(copy, endedStatus(copy, now, exitCodeOf(copy))),
    )
  } else {
    const home = homeOf(scene, id, pod)
    const isReady = !isTold(pod, PRETENCE.neverReady)
    await scene.objects.tell(id, (copy) =>
      home ? unlessGoing(copy, runningStatus(copy, home, { now, isReady })) : undefined,
    )
  }
  return undefined
}

const unlessGoing = (pod: Fields, status: Fields): Fields | undefined =>
  isGoing(pod) ? undefined : status

function homeOf(scene: Scene, id: Id, pod: Fields): PodHome | undefined {
  const nodeName = textAt(specOf(pod), 'nodeName') ?? ''
  const hostAddress = scene.kubelets.get(nodeName)?.facts.address
  if (hostAddress === undefined) return undefined
  if (specOf(pod).hostNetwork === true) return { hostAddress, address: hostAddress }
  const known = textAt(fieldsAt(pod, 'status'), 'podIP')
  if (known) return { hostAddress, address: known }
  const node = scene.objects.read({ plural: 'nodes', namespace: '', name: nodeName })
  const range = node && textAt(specOf(node), 'podCIDR')
  const others = scene.pods.on(nodeName).filter(({ name }) => name !== id.name)
  const taken = new Set(others.map(({ address }) => address))
  return { hostAddress, address: (range && freePodAddress(range, taken)) || hostAddress }
}

/** What runs `false` fails, as does what is told to. */
function exitCodeOf(pod: Fields): number {
  const told = Number(annotation(pod, PRETENCE.exitCode) ?? 0)
  const fails = listAt(specOf(pod), 'containers')
    .filter(isFields)
    .some(({ command }) => Array.isArray(command) && command.join(' ') === 'false')
  return told || (fails ? 1 : 0)
}

const isTold = (pod: Fields, name: string): boolean => annotation(pod, name) === 'true'

const annotation = (pod: Fields, name: string): string | undefined =>
  textAt(fieldsAt(metadataOf(pod), 'annotations'), name)
