// A machine of the model of versions: the operator's plan for it, and what it does when it is told.

import type { ControlPlane } from '#api/control-plane.ts'
import { CONFIG, ETCD_MEMBER, MACHINE_UUID, TURN, TURN_DONE, UPGRADE } from '#api/labels.ts'
import type { Machine } from '#api/machine.ts'
import type { Worker } from '#api/worker.ts'
import { plan } from '#controllers/machine/plan.ts'
import { fetching } from '#controllers/machine/rules/kubernetes.ts'
import { installing, pulling } from '#controllers/machine/rules/upgrade-aim.ts'
import type { ConfigChange, Step, World } from '#controllers/machine/world.ts'
import { recordedFacts } from '#engine/cluster-facts.ts'
import { recordText } from '#engine/config-record.ts'
import { eachOf, movedVersions } from '#engine/kubernetes-record.ts'
import { turnsOf } from '#engine/turns.ts'
import { upgradeText } from '#engine/upgrade-record.ts'
import { olderOf } from '#engine/wanted-config-cluster.ts'
import {
  type ComponentVersions,
  KUBERNETES_COMPONENTS,
} from '#machineconfig/versions/kubernetes-components.ts'
import { aMember, aNode, aWorld, NOW, UUID } from './machine-world.ts'

/** What became of a machine: it was given another Talos, or another Kubernetes; or its turn is over. */
export interface Deed {
  machine: string
  what: 'talos' | 'kubernetes' | 'end'
}

interface Parents {
  controlPlane: ControlPlane
  worker: Worker | undefined
}

type Versions = Partial<ComponentVersions>
type Said = Pick<World, 'isKubernetesMoving' | 'mayKubeletsMove'>

const MEMBER = '00000000000000aa'

/** What a machine is, whatever is known of it. */
export class ModelMachine {
  readonly name: string
  talos: string
  versions: Versions
  /** Its node is not ready, until it boots another Talos. */
  isSick = false
  #boots = 1
  #long: World['long']

  constructor({ metadata }: Machine, { talos, ...parents }: Parents & { talos: string }) {
    this.name = metadata.name
    this.talos = talos
    this.versions = wantedBy(parents)
  }

  /** The annotations that say that it is ours, and has what it was given. */
  get claim(): Record<string, string> {
    const config = JSON.stringify(this.versions)
    return {
      ...{ [MACHINE_UUID]: UUID, [ETCD_MEMBER]: MEMBER },
      [CONFIG]: recordText({ origin: originOf(config), config }),
    }
  }

  /** What follows for it. */
  plan(object: Machine, { controlPlane, worker, ...said }: Parents & Said) {
    const wanted = wantedBy({ controlPlane, worker })
    const config = JSON.stringify(wanted)
    const isTold = object.metadata.annotations?.[UPGRADE] !== undefined
    const world = aWorld({
      ...said,
      parent: { is: 'there', controlPlane, worker },
      wanted: { is: 'known', fingerprint: config, origin: originOf(config), metaText: undefined },
      ...{ change: changeTo(wanted, this.versions), long: this.#long },
      turn: turnOf(object, worker ?? controlPlane),
      components: { is: 'known', amiss: [] },
      seen: aMember({
        ...{ version: this.talos, kubernetes: this.versions },
        fingerprint: JSON.stringify(this.versions),
        boot: { id: `b${this.#boots}`, schematic: undefined, extensions: [], installer: undefined },
        ...(worker && { type: 'worker', etcdMember: undefined }),
      }),
      // There is nothing to drain: what it is drained by is none of this.
      node: isTold ? undefined : aNode({ ready: !this.isSick }),
    })
    return { ...plan(object, world, NOW), wanted }
  }

  /** Does what was planned. The answer is what became of it, and what is written down. */
  act(steps: readonly Step[], { object, wanted }: { object: Machine; wanted: Versions }) {
    const deeds: Deed[] = []
    const annotations: Record<string, string | undefined> = {}
    const { name: machine } = this
    for (const step of steps) {
      deeds.push(...givenBy(step).map((what) => ({ machine, what })))
      switch (step.do) {
        case 'pullImage':
          this.#long = { what: pulling(step.image), is: 'done', result: '' }
          break
        case 'install':
          annotations[UPGRADE] = upgradeText(step.record)
          this.#long = { what: installing(step.image), is: 'done', result: '' }
          break
        case 'noteUpgrade':
          annotations[UPGRADE] = upgradeText(step.record)
          this.#long = undefined
          break
        case 'restart':
          if (step.record) annotations[UPGRADE] = upgradeText(step.record)
          this.talos = object.spec?.version ?? ''
          this.#boots += 1
          this.isSick = false
          break
        case 'noteUpgraded':
        case 'dropUpgrade':
          annotations[UPGRADE] = undefined
          break
        case 'pullImages':
          this.#long = { what: fetching(step.images), is: 'done', result: '' }
          break
        case 'applyConfig':
          this.versions = wanted
          break
        case 'noteConfig':
          annotations[CONFIG] = recordText(step.config)
          break
        case 'endTurn':
          annotations[TURN_DONE] = `${step.turn}`
          deeds.push({ machine, what: 'end' })
          break
        default:
          throw new Error(`the model does not know how to ${step.do}`)
      }
    }
    return { deeds, annotations }
  }
}

/** What a step gives to a machine that is not over before its turn is. */
export function givenBy(step: Step): Deed['what'][] {
  if (step.do === 'install') return ['talos']
  return step.do === 'applyConfig' ? ['kubernetes'] : []
}

const originOf = (config: string): string => `of${config}`

/** What its configuration is to be, as far as versions go. */
function wantedBy({ controlPlane, worker }: Parents): Versions {
  const { kubeVersion = '' } = recordedFacts(controlPlane)
  if (worker) return { kubelet: olderOf(kubeVersion, worker.spec?.kubeVersion ?? kubeVersion) }
  return movedVersions(controlPlane) ?? eachOf(() => kubeVersion)
}

function changeTo(wanted: Versions, has: Versions): ConfigChange | undefined {
  const moved = KUBERNETES_COMPONENTS.filter((one) => wanted[one] !== has[one])
  if (moved.length === 0) return undefined
  return {
    ...{ needs: 'live', isOfNetwork: false, places: moved, moved, older: [] },
    images: moved.map((component) => ({ component, image: `${component}:${wanted[component]}` })),
  }
}

/** As the API has it at this moment. */
function turnOf({ metadata }: Machine, parent: ControlPlane | Worker): number | undefined {
  const { [TURN]: told, [TURN_DONE]: done } = metadata.annotations ?? {}
  const held = turnsOf(parent)?.held.find(({ uid }) => uid === metadata.uid)
  return held && told === `${held.id}` && done !== told ? held.id : undefined
}
