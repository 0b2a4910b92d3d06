import type { Cancel } from '#base/clock.ts'
import { randomBytesFrom } from '#simulator/random.ts'
import { durationMs } from '#simulator/timing.ts'
import { Boot } from './boot.ts'
import { type MachineInside, PowerLost } from './inside.ts'
import type { TalosImage } from './kept/system-disk.ts'
import { bootSequence } from './sequences/boot.ts'
import { initializeSequence } from './sequences/initialize.ts'
import { installSequence } from './sequences/install.ts'
import type { RestartKind } from './sequences/restart.ts'
import { Sequencer } from './sequences/sequencer.ts'
import { Services } from './services/services.ts'
import { uuidFrom } from './uuid.ts'

/** The switch of a machine: on, off, and from one boot to the next. */
export class Power {
  readonly #inside: MachineInside
  #next: Cancel | undefined
  #isOn = false

  constructor(inside: MachineInside) {
    this.#inside = inside
    inside.cutPower = () => this.off()
  }

  get isOn(): boolean {
    return this.#isOn
  }

  /** Switches it on; nothing happens if it is. */
  on(): void {
    if (this.#isOn) return
    this.#isOn = true
    this.#inside.record('power on')
    this.#bootAfter('firmware')
  }

  /** Takes the power away, whatever it does. */
  off(): void {
    if (!this.#isOn) return
    this.#isOn = false
    this.#next?.()
    this.#inside.record('power off')
    this.#end()
  }

  #bootAfter(what: 'firmware' | 'kexec'): void {
    const { world, random } = this.#inside
    const delayMs = durationMs(what, random) + durationMs('kernel', random)
    this.#next = world.clock.after(delayMs, () => this.#boot())
    this.#inside.changed()
  }

  #boot(): void {
    const image = this.#imageToBoot()
    if (!image) {
      this.#inside.record('finds nothing to boot')
      return
    }
    const boot = newBoot(this.#inside, image, {
      restart: (kind) => this.#restart(kind),
      fail: () => this.#fail(),
    })
    this.#inside.boot = boot
    this.#inside.record(`boots ${image.version}`)
    this.#inside.changed()
    void live(this.#inside, boot)
  }

  /** The disk comes before the medium. */
  #imageToBoot(): TalosImage | undefined {
    const { storage, world, medium } = this.#inside
    const { systemDisk } = storage
    if (!this.#inside.isInstalled) return medium
    if (systemDisk.isNextUntried && world.faults.strike('falls-back', this.#inside)) {
      this.#inside.record('fails to boot the new version')
      systemDisk.stay()
    }
    systemDisk.booted()
    return systemDisk.next
  }

  #restart(kind: RestartKind): void {
    this.#inside.record(kind === 'power off' ? 'shuts down' : 'restarts')
    this.#end()
    if (kind === 'power off' || this.#inside.platform === 'container') this.#isOn = false
    else this.#bootAfter(kind === 'kexec' ? 'kexec' : 'firmware')
    this.#inside.changed()
  }

  /** What has failed is tried again, with a version that ran. */
  #fail(): void {
    const { boot, world, random, storage } = this.#inside
    this.#inside.record('fails')
    storage.systemDisk.fallBack()
    this.#next = world.clock.after(durationMs('restartAfterFailure', random), () => {
      if (this.#inside.boot === boot) this.#restart('reboot')
    })
  }

  #end(): void {
    const inside = this.#inside
    const { boot } = inside
    boot?.cluster?.depart(inside)
    inside.boot = undefined
    inside.isReady = false
    inside.door = 'shut'
    inside.ways.tell()
    boot?.tryRollback?.()
    boot?.over.abort(new PowerLost())
    inside.resources.clear()
    inside.events.clear()
    inside.changed()
  }
}

function newBoot(
  inside: MachineInside,
  image: TalosImage,
  ends: { restart(kind: RestartKind): void; fail(): void },
): Boot {
  const over = new AbortController()
  const services = new Services({
    clock: inside.world.clock,
    signal: over.signal,
    tell: ({ id, phase, isChecked, health }, message) => {
      inside.tell({
        ...{ type: 'ServiceStateEvent', service: id, action: phase, message },
        ...(isChecked && health.isKnown && { isHealthy: health.isHealthy }),
      })
      inside.changed()
    },
  })
  const sequencer = new Sequencer({
    signal: over.signal,
    tell: (payload, actorId) => inside.tell(payload, actorId),
    ...ends,
  })
  const newNodeId = Buffer.from(randomBytesFrom(inside.random, 32)).toString('base64url')
  const id = uuidFrom(inside.random)
  return new Boot({ id, newNodeId, image, over, services, sequencer })
}

/** What a machine does by itself after power came, until it is told something else. */
async function live(inside: MachineInside, boot: Boot): Promise<void> {
  const { sequencer } = boot
  const isReady = await sequencer.run('initialize', initializeSequence(inside, boot))
  if (!isReady) return
  const isInstalled = await sequencer.run('install', installSequence(inside, boot))
  if (isInstalled) await sequencer.run('boot', bootSequence(inside, boot))
}
