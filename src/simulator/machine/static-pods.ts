import { onAbort } from '#base/on-abort.ts'
import type { ComponentFacts, ControlPlaneFacts } from '#simulator/kubernetes/cluster-kubernetes.ts'
import type { Boot } from './boot.ts'
import type { MachineInside } from './inside.ts'
import { untilTrue } from './listeners.ts'
import { SimulatedImages } from './simulated-images.ts'

/** What a component is to be. */
export type WantedComponent = Omit<ComponentFacts, 'state'>

type Components<Facts> = Readonly<Record<keyof ControlPlaneFacts['components'], Facts>>

interface StaticPod {
  facts: ComponentFacts
  /** Ends what brings it up. */
  end: () => void
}

/**
 * The pods of a control plane, as the kubelet of its machine runs them. One whose configuration is another is ended
 * first, and only then its image is fetched: without it the pod is away.
 */
export class StaticPods {
  /** Whose pods they are: they are gone with it. */
  readonly boot: Boot
  readonly #inside: MachineInside
  readonly #images: SimulatedImages
  readonly #pods = new Map<string, StaticPod>()

  constructor(inside: MachineInside, boot: Boot) {
    this.#inside = inside
    this.boot = boot
    this.#images = new SimulatedImages(inside)
  }

  /** Brings the pods in line with what is wanted, in their time, and says how they are now. */
  follow(wanted: Components<WantedComponent>): Components<ComponentFacts> {
    return {
      'kube-apiserver': this.#follow('kube-apiserver', wanted['kube-apiserver']),
      'kube-controller-manager': this.#follow(
        'kube-controller-manager',
        wanted['kube-controller-manager'],
      ),
      'kube-scheduler': this.#follow('kube-scheduler', wanted['kube-scheduler']),
    }
  }

  /** What they run in is gone. */
  end(): void {
    for (const pod of this.#pods.values()) pod.end()
    this.#pods.clear()
  }

  #follow(name: string, wanted: WantedComponent): ComponentFacts {
    const before = this.#pods.get(name)
    // Without a kubelet those that are there stay as they are.
    if (before && (isSame(before.facts, wanted) || !this.#hasKubelet)) return before.facts
    before?.end()
    const pod: StaticPod = { facts: { ...wanted, state: 'starting' }, end: () => {} }
    this.#pods.set(name, pod)
    // A boot takes long anyway: what it needs was fetched and started meanwhile.
    if (!before && this.#images.canBeHad(wanted.image, 'cri')) this.#runs(pod)
    else void this.#start(pod, before !== undefined)
    return pod.facts
  }

  get #hasKubelet(): boolean {
    return this.boot.services.isIn('kubelet', 'Running')
  }

  async #start(pod: StaticPod, isAnother: boolean): Promise<void> {
    const over = new AbortController()
    const { signal } = over
    pod.end = () => over.abort(new Error('the pod was ended'))
    const leave = onAbort(this.boot.signal, pod.end)
    try {
      if (isAnother) await this.#inside.takes('stopStaticPod', signal)
      await untilTrue(() => this.#hasKubelet, signal, this.#inside.onShown)
      await this.#fetch(pod, signal)
      await this.#inside.takes('startStaticPod', signal)
      await this.#stay(pod, signal)
      this.#runs(pod)
      this.#inside.changed()
    } catch (error) {
      if (!signal.aborted) throw error
    } finally {
      leave()
    }
  }

  async #fetch(pod: StaticPod, signal: AbortSignal): Promise<void> {
    const { image } = pod.facts
    if (!this.#images.canBeHad(image, 'cri')) {
      this.#inside.record(`has no image ${image}`)
      this.#set(pod, 'no-image')
    }
    await this.#images.ensure(image, 'cri', signal)
    this.#set(pod, 'starting')
  }

  /** What ends at once is begun over and over. */
  async #stay(pod: StaticPod, signal: AbortSignal): Promise<void> {
    const { faults } = this.#inside.world
    const isNamed = (image: string) => pod.facts.image.includes(image)
    const isFailing = () =>
      faults.find('static-pod-fails', this.#inside, { image: isNamed }) !== undefined
    if (!isFailing()) return
    this.#inside.record(`has ${pod.facts.image}, which ends as soon as it begins`)
    this.#set(pod, 'crashing')
    await untilTrue(
      () => !isFailing(),
      signal,
      (listener) => faults.onChange(listener),
    )
  }

  #runs(pod: StaticPod): void {
    this.#images.keep(pod.facts.image, 'cri')
    pod.facts = { ...pod.facts, state: 'running' }
  }

  #set(pod: StaticPod, state: ComponentFacts['state']): void {
    pod.facts = { ...pod.facts, state }
    this.#inside.changed()
  }
}

const isSame = (one: WantedComponent, other: WantedComponent): boolean =>
  one.image === other.image && one.configVersion === other.configVersion
