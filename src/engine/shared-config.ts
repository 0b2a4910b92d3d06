import type { ControlPlane } from '#api/control-plane.ts'
import { INSTALL_DISK } from '#api/labels.ts'
import type { Machine } from '#api/machine.ts'
import type { Worker } from '#api/worker.ts'
import type { Secret } from '#base/secret.ts'
import { ConfigError } from '#machineconfig/config-error.ts'
import type { SecretsBundle } from '#machineconfig/secrets/bundle.ts'
import { wantedConfig, wantedText } from './wanted-config.ts'

interface From {
  controlPlane: ControlPlane
  /** The pool, if it is of workers. */
  worker?: Worker
  /** Those of the control plane or of the pool, in the order of the spec. */
  machines: readonly Machine[]
  bundle: SecretsBundle
  configText: string | undefined
}

/**
 * The configuration that a control plane or a pool has for all of its machines, without what is said of
 * single ones; installed where the first of them is. Undefined while none can be made.
 */
export function sharedConfig({ machines, configText, ...from }: From): Secret<string> | undefined {
  const { controlPlane, worker } = from
  const { spec } = worker ?? controlPlane
  const [first] = machines
  if (!first?.spec || !spec) return undefined
  const { machineSpec: _single, ...own } = first.spec
  const shared = spec.metalSpec?.machineSpec
  const machine = {
    ...first,
    spec: { ...own, endpoint: '', version: spec.version, ...(shared && { machineSpec: shared }) },
  }
  const installDisk = first.metadata.annotations?.[INSTALL_DISK]
  try {
    const config = wantedConfig({
      ...from,
      machine,
      ...(configText !== undefined && { configText }),
      ...(installDisk !== undefined && { installDisk }),
    })
    return wantedText(config)
  } catch (error) {
    // Whoever is given its own configuration says what is wrong with it; this one is only shown.
    if (error instanceof ConfigError) return undefined
    throw error
  }
}
