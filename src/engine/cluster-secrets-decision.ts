import type { ControlPlane } from '#api/control-plane.ts'
import { BOOTSTRAP_MACHINE, CLUSTER_ID, FORCE_DELETION, RECONCILE_MODE } from '#api/labels.ts'
import type { SecretsBundle } from '#machineconfig/secrets/bundle.ts'
import { readSecrets, secretsNameOf } from './cluster-secrets.ts'
import { bundleFromConfigRef, CORRECT, isSameBundle } from './cluster-secrets-bundle.ts'
import type { SecretObject } from './cluster-secrets-entry.ts'
import { RESTORE, SecretsError, type SecretsReason, unusable } from './cluster-secrets-error.ts'
import { publishedBundle, stateNameOf } from './cluster-secrets-published.ts'

/** What is known of a control plane's secrets. The Secrets are asked of the API itself, not of a cache. */
export interface SecretsEvidence {
  /** What is there under `secretsNameOf`. */
  secret: SecretObject | undefined
  /** What is there under `stateNameOf`. */
  stateSecret: SecretObject | undefined
  controlPlane: ControlPlane
  /** What spec.configRef names, if that is there. */
  configText: string | undefined
  /** Whether any TalosMachine of the cluster, workers too, has the UUID of its machine. */
  machinesAreClaimed: boolean
}

/**
 * What is to be done about a cluster's secrets: those that are there are used, those that are somewhere
 * else are stored, new ones are made where there cannot have been any, and otherwise nothing goes on.
 */
export type SecretsDecision =
  | { do: 'use'; bundle: SecretsBundle }
  | { do: 'create'; from: 'generated' }
  | { do: 'create'; from: 'state' | 'status' | 'configRef'; bundle: SecretsBundle }
  | { do: 'refuse'; reason: SecretsReason; message: string }

/** Decides that. The message of a refusal says what is wrong and what to do about it. */
export function secretsDecision(evidence: SecretsEvidence): SecretsDecision {
  try {
    return decided(evidence)
  } catch (error) {
    if (!(error instanceof SecretsError)) throw error
    return { do: 'refuse', reason: error.reason, message: error.message }
  }
}

function decided(evidence: SecretsEvidence): SecretsDecision {
  const { secret } = evidence
  if (secret) {
    const bundle = readSecrets(secret)
    demandOwn(bundle, `Secret ${placed(evidence, secret.metadata.name)}`, evidence)
    return { do: 'use', bundle }
  }
  const elsewhere = bundleElsewhere(evidence)
  if (elsewhere) {
    demandOwn(elsewhere.bundle, SOURCES[elsewhere.from](evidence), evidence)
    return { do: 'create', ...elsewhere }
  }
  const traces = tracesOf(evidence)
  if (traces.length === 0) return { do: 'create', from: 'generated' }
  throw lost(evidence, traces)
}

function bundleElsewhere(evidence: SecretsEvidence) {
  const published = publishedBundle(evidence)
  if (published) return published
  const bundle = configuredBundle(evidence)
  return bundle && { from: 'configRef' as const, bundle }
}

const SOURCES = {
  state: (evidence: SecretsEvidence) =>
    `Secret ${placed(evidence, stateNameOf(evidence.controlPlane))}`,
  status: () => 'status.secretBundle',
  configRef: configWords,
}

/** The bundle that spec.configRef brings along. */
function configuredBundle(evidence: SecretsEvidence): SecretsBundle | undefined {
  const { controlPlane, configText } = evidence
  const { configRef, version } = controlPlane.spec ?? {}
  if (!configRef) return undefined
  if (configText !== undefined) {
    return bundleFromConfigRef(configText, { where: configWords(evidence), talosVersion: version })
  }
  if (configRef.optional) return undefined
  throw unusable(
    `${configWords(evidence)} is not there, and its secrets are to be those of the cluster`,
    CORRECT,
  )
}

/** Throws unless these are the secrets of the cluster that the control plane is known to be. */
function demandOwn(bundle: SecretsBundle, where: string, evidence: SecretsEvidence): void {
  const known = evidence.controlPlane.metadata.annotations?.[CLUSTER_ID]
  if (known !== undefined && known !== bundle.cluster.id) {
    throw new SecretsError({
      reason: 'SecretsDiffer',
      what: `${where} holds the secrets of another cluster than the annotation ${CLUSTER_ID} of the control plane names`,
      remedy: RESTORE,
    })
  }
  const configured = readableConfig(evidence)
  if (configured && !isSameBundle(bundle, configured)) {
    throw new SecretsError({
      reason: 'SecretsDiffer',
      what: `${where} and ${configWords(evidence)} hold different secrets, and a machine with others is lost to the cluster`,
      remedy: CORRECT,
    })
  }
}

/** A configuration that is damaged later takes nobody's access away: whoever would send it says so. */
function readableConfig(evidence: SecretsEvidence): SecretsBundle | undefined {
  try {
    return configuredBundle(evidence)
  } catch (error) {
    if (error instanceof SecretsError) return undefined
    throw error
  }
}

/** Everything that says that the cluster had secrets once. */
function tracesOf({ controlPlane, machinesAreClaimed }: SecretsEvidence): string[] {
  const { metadata, status } = controlPlane
  const annotations = metadata.annotations ?? {}
  const left = ['config', 'bundleConfig'] as const
  return [
    ...[CLUSTER_ID, BOOTSTRAP_MACHINE]
      .filter((key) => annotations[key] !== undefined)
      .map((key) => `it has the annotation ${key}`),
    ...(annotations[RECONCILE_MODE]?.toLowerCase() === 'import'
      ? [`${RECONCILE_MODE} is import, and spec.configRef names no configuration`]
      : []),
    ...(machinesAreClaimed ? ['machines were configured for it'] : []),
    ...(status?.state ? [`status.state is ${JSON.stringify(status.state.slice(0, 40))}`] : []),
    ...(status?.imported ? ['status.imported is true'] : []),
    ...left.filter((field) => status?.[field]).map((field) => `status.${field} is there`),
  ]
}

function lost({ controlPlane }: SecretsEvidence, traces: readonly string[]): SecretsError {
  const { namespace } = controlPlane.metadata
  const [name, state] = [secretsNameOf(controlPlane), stateNameOf(controlPlane)]
  return new SecretsError({
    reason: 'SecretsLost',
    what: `Secret ${namespace}/${name} is not there, and the cluster had secrets before: ${traces.join('; ')}`,
    remedy: `Restore ${name} or ${state} from a backup; if the cluster is gone for good, delete its TalosControlPlane with the annotation ${FORCE_DELETION}: "true" and create it anew`,
  })
}

function configWords(evidence: SecretsEvidence): string {
  const { name = '', key = '' } = evidence.controlPlane.spec?.configRef ?? {}
  return `ConfigMap ${placed(evidence, name)}, key ${JSON.stringify(key)}`
}

const placed = ({ controlPlane }: SecretsEvidence, name: string): string =>
  `${controlPlane.metadata.namespace}/${name}`
