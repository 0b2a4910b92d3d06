import { systemClock } from '#base/clock.ts'
import { toYaml } from '#base/yaml.ts'
import { createLog } from '#runtime/log.ts'
import { createMetrics } from '#runtime/metrics.ts'
import { controllersWith } from './controllers.ts'
import { openPorts } from './ports.ts'
import { rolesFor } from './roles.ts'
import { loadSettings } from './settings-load.ts'

interface Given {
  /** Where the operator itself runs. */
  namespace: string
  /** As for `run`. */
  flags: Readonly<Record<string, unknown>>
  env: Readonly<Record<string, string | undefined>>
}

/** The account and the roles of an operator with these settings, as YAML. Rejects with what is wrong with them. */
export async function rolesManifest({ namespace, flags, env }: Given): Promise<string> {
  const settings = await loadSettings({ flags, env }, new AbortController().signal)
  const log = createLog({ level: settings.logLevel, format: settings.logFormat })
  const metrics = createMetrics({ version: '' })
  await using ports = openPorts({ clock: systemClock, log, version: '', metrics, settings })
  const { namespaces, machineRefKinds } = settings
  const roles = rolesFor(controllersWith(ports), { namespace, namespaces, machineRefKinds })
  return roles.map((one) => toYaml(one)).join('---\n')
}
