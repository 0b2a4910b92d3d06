import type { Clock } from '#base/clock.ts'
import packageFile from '#package.json' with { type: 'json' }
import { calm } from '#runtime/calm-log.ts'
import { createLog } from '#runtime/log.ts'
import { createMetrics } from '#runtime/metrics.ts'
import { apiAccess } from './api-access.ts'
import { controllersWith } from './controllers.ts'
import { runOperator } from './operator.ts'
import { openPorts } from './ports.ts'
import { loadSettings } from './settings-load.ts'

/** The process that the operator runs in. */
interface Host {
  /** What commander has parsed. */
  flags: Readonly<Record<string, unknown>>
  env: Readonly<Record<string, string | undefined>>
  homeFolder: string
  clock: Clock
  /** Ends the operator. Its reason is logged. */
  signal: AbortSignal
}

/** Reads the settings and runs the operator as they say. Rejects with sentences for whoever started it. */
export async function startOperator({
  flags,
  env,
  homeFolder,
  clock,
  signal,
}: Host): Promise<void> {
  const settings = await loadSettings({ flags, env }, signal)
  using log = calm(createLog({ level: settings.logLevel, format: settings.logFormat }), { clock })
  const access = await apiAccess(settings, { env, homeFolder }, { clock, signal })
  const { version } = packageFile
  const metrics = createMetrics({ version })
  await using ports = openPorts({ clock, log, version, metrics, settings })
  const controllers = controllersWith(ports)
  await runOperator({ settings, access, controllers, metrics, version, clock, log, signal })
}
