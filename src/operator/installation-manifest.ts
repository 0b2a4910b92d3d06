import { systemClock } from '#base/clock.ts'
import { toYaml } from '#base/yaml.ts'
import { createLog } from '#runtime/log.ts'
import { createMetrics } from '#runtime/metrics.ts'
import { controllersWith } from './controllers.ts'
import { accessOf, installationOf } from './installation.ts'
import { openPorts } from './ports.ts'
import { loadSettings } from './settings-load.ts'

interface Given {
  /** Where the operator itself runs. */
  namespace: string
  /** Whether all of it, or only the account and the roles. */
  what: 'operator' | 'roles'
  /** Left out: that of this version. */
  image?: string | undefined
  /** As for `run`. */
  flags: Readonly<Record<string, unknown>>
  env: Readonly<Record<string, string | undefined>>
}

/** The objects of an operator with these settings, as YAML. Rejects with what is wrong with them. */
export async function installationManifest(given: Given): Promise<string> {
  const { namespace, what, image, flags, env } = given
  const settings = await loadSettings({ flags, env }, new AbortController().signal)
  const log = createLog({ level: settings.logLevel, format: settings.logFormat })
  const metrics = createMetrics({ version: '' })
  await using ports = openPorts({ clock: systemClock, log, version: '', metrics, settings })
  const { namespaces, machineRefKinds } = settings
  const objectsOf = what === 'operator' ? installationOf : accessOf
  const wanted = { namespace, namespaces, machineRefKinds, image }
  return objectsOf(controllersWith(ports), wanted)
    .map((one) => toYaml(one))
    .join('---\n')
}
