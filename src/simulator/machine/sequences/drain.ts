import { onAbort } from '#base/on-abort.ts'
import type { ClusterKubernetes } from '#simulator/kubernetes/cluster-kubernetes.ts'
import type { Boot } from '#simulator/machine/boot.ts'
import type { MachineInside } from '#simulator/machine/inside.ts'
import { untilTrue } from '#simulator/machine/listeners.ts'
import { patience } from '#simulator/timing.ts'
import { SequenceFailure } from './restart.ts'
import type { SequenceRun } from './sequence-run.ts'

/** Moves the pods of its node away, as far as that goes in time. Fails where there is no API, or no node in it any more. */
export async function drain(inside: MachineInside, boot: Boot, run: SequenceRun): Promise<void> {
  if (!inside.facts || inside.facts.skipsNodeRegistration) return
  await run.phase('drain', ['cordonAndDrainNode', () => cordonAndDrain(inside, boot, run)])
}

/** The same, but what cannot be drained does not stop anything. */
export async function drainIfPossible(
  inside: MachineInside,
  boot: Boot,
  run: SequenceRun,
): Promise<void> {
  if (!inside.facts || inside.facts.skipsNodeRegistration) return
  const attempt = async () => {
    try {
      await cordonAndDrain(inside, boot, run)
    } catch (error) {
      if (!(error instanceof SequenceFailure)) throw error
    }
  }
  await run.phase('drain', ['cordonAndDrainNode', attempt])
}

async function cordonAndDrain(inside: MachineInside, boot: Boot, run: SequenceRun): Promise<void> {
  // It has not come as far as to have a node.
  if (!inside.hasKubeletCertificate) return
  await untilNode(inside, boot, run)
  await kubernetesOf(inside, boot)?.cordonAndDrain(inside.hostname, patience.drain * 1000)
  run.signal.throwIfAborted()
}

async function untilNode(inside: MachineInside, boot: Boot, run: SequenceRun): Promise<void> {
  const late = new AbortController()
  const cancel = inside.world.wallClock.after(patience.cordon * 1000, () =>
    late.abort(new SequenceFailure('context deadline exceeded')),
  )
  const leave = onAbort(run.signal, cancel)
  const isThere = () => kubernetesOf(inside, boot)?.node(inside.hostname) !== undefined
  try {
    await untilTrue(isThere, AbortSignal.any([run.signal, late.signal]), inside.onShown)
  } finally {
    cancel()
    leave()
  }
}

/** The API, if this machine gets through to it. */
function kubernetesOf(inside: MachineInside, boot: Boot): ClusterKubernetes | undefined {
  const kubernetes = inside.isReachable ? boot.cluster?.halfOf(inside)?.kubernetes : undefined
  return kubernetes?.isUp ? kubernetes : undefined
}

/** Pods end, with or without a trace. */
export async function endPods(
  inside: MachineInside,
  run: SequenceRun,
  task: 'stopAllPods' | 'removeAllPods',
): Promise<void> {
  await run.phase('cleanup', [task, () => inside.takes('stopPods', run.signal)])
  await run.phase('dbus', ['stopDBus', () => {}])
}
