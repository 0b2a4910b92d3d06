import type { Boot } from '#simulator/machine/boot.ts'
import type { MachineInside } from '#simulator/machine/inside.ts'
import type { Timed } from '#simulator/timing.ts'
import type { TalosService } from './talos-service.ts'

/** A service while it comes up. */
export interface ServiceContext {
  readonly inside: MachineInside
  readonly boot: Boot
  readonly service: TalosService
  readonly signal: AbortSignal
}

export interface BringUp {
  /** What it waits for, and until when. */
  readonly waits?: { readonly for: string; until(): Promise<void> }
  /** What has to be there before it starts. */
  prepares?(): Promise<void>
  readonly takes: Timed
  /** How long until it is known to be well; left out: nobody asks. */
  readonly checks?: Timed
}

/** The way of most services from start to health, in the words of Talos. */
export async function bringUp(context: ServiceContext, steps: BringUp): Promise<void> {
  await start(context, steps)
  if (steps.checks === undefined) return
  await context.inside.takes(steps.checks, context.signal)
  context.service.checked(true)
}

/** The same, up to the moment at which it runs. */
export async function start(
  { inside, service, signal }: ServiceContext,
  { waits, prepares, takes }: Omit<BringUp, 'checks'>,
): Promise<void> {
  if (waits) {
    service.to('Waiting', `Waiting for ${waits.for}`)
    await waits.until()
  }
  service.to('Preparing', 'Running pre state')
  await prepares?.()
  signal.throwIfAborted()
  service.to('Preparing', 'Creating service runner')
  await inside.takes(takes, signal)
  service.to('Running', startedAs(inside, service))
}

/** What is said of a service when it runs. */
export function startedAs({ random }: MachineInside, { id }: TalosService): string {
  const pid = 1000 + Math.floor(random() * 4000)
  return `Started task ${id} (PID ${pid}) for container ${id}`
}
