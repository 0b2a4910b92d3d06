import type { ControlPlane } from '#api/control-plane.ts'
import { LABEL_PREFIX } from '#api/labels.ts'
import { Secret } from '#base/secret.ts'
import type { SecretsBundle } from '#machineconfig/secrets/bundle.ts'
import { writeBundle } from '#machineconfig/secrets/bundle-file.ts'
import { bundleInText, isSameBundle } from './cluster-secrets-bundle.ts'
import { draftOf, type SecretDraft } from './cluster-secrets-draft.ts'
import { type SecretObject, textIn, wordsForEntry } from './cluster-secrets-entry.ts'
import { RESTORE, SecretsError, unusable } from './cluster-secrets-error.ts'

const BUNDLE = 'secretBundle'

/** The name of the Secret in which the published operator keeps what it knows of a control plane. */
export const stateNameOf = ({ metadata }: ControlPlane): string => `${metadata.name}-state`

export interface PublishedBundle {
  from: 'state' | 'status'
  bundle: SecretsBundle
}

interface Published {
  stateSecret: SecretObject | undefined
  controlPlane: ControlPlane
}

/**
 * The bundle that the published operator left in its Secret or in the status; undefined only where it
 * left neither. Throws a SecretsError where there is one that cannot be read, or two that differ.
 */
export function publishedBundle({
  stateSecret,
  controlPlane,
}: Published): PublishedBundle | undefined {
  const inState = stateSecret && bundleInState(stateSecret)
  const inStatus = bundleInStatus(controlPlane)
  if (inState && inStatus && !isSameBundle(inState, inStatus)) {
    throw new SecretsError({
      reason: 'SecretsDiffer',
      what: `${wordsForEntry(stateSecret, BUNDLE)} and status.secretBundle are not the same secrets`,
      remedy: 'Delete the Secret or clear the field, whichever the machines do not accept',
    })
  }
  if (inState) return { from: 'state', bundle: inState }
  if (inStatus) return { from: 'status', bundle: inStatus }
  if (!stateSecret) return undefined
  throw unusable(
    `${wordsForEntry(stateSecret, BUNDLE)} is missing or empty`,
    `${RESTORE}, or delete it if there never was a cluster`,
  )
}

function bundleInState(secret: SecretObject): SecretsBundle | undefined {
  const text = textIn(secret, BUNDLE)
  return text && bundleInText(text, wordsForEntry(secret, BUNDLE))
}

function bundleInStatus({ metadata, status }: ControlPlane): SecretsBundle | undefined {
  const text = status?.secretBundle
  if (!text) return undefined
  const where = `status.secretBundle of TalosControlPlane ${metadata.namespace}/${metadata.name}`
  return bundleInText(
    new Secret(text),
    where,
    'Restore the status from a backup, or clear the field',
  )
}

/** What the published operator would know of a control plane, besides its spec. */
export interface PublishedFacts {
  state: string
  observedKubeVersion: string
  /** Of the Kubernetes API. */
  endpoint: string
  /** Of the control plane machines. */
  addresses: readonly string[]
  /** The generated configuration of a control plane machine. */
  config: Secret<string>
}

// A bundle never changes, and each pass compares what it would write.
const texts = new WeakMap<SecretsBundle, Secret<string>>()

function textOf(bundle: SecretsBundle): Secret<string> {
  const text = texts.get(bundle) ?? writeBundle(bundle)
  texts.set(bundle, text)
  return text
}

/** That Secret as the published operator would write it, so that it can take over from us. */
export function stateMirror(
  controlPlane: ControlPlane,
  bundle: SecretsBundle,
  facts: PublishedFacts,
): Secret<SecretDraft> {
  return draftOf({
    name: stateNameOf(controlPlane),
    labels: { [`${LABEL_PREFIX}type`]: 'state' },
    entries: {
      [BUNDLE]: textOf(bundle),
      bundleConfig: new Secret(bundleConfig(controlPlane, facts)),
      state: new Secret(facts.state),
      config: facts.config,
      observedKubeVersion: new Secret(facts.observedKubeVersion),
    },
  })
}

const bundleConfig = ({ metadata, spec }: ControlPlane, facts: PublishedFacts): string =>
  JSON.stringify({
    clusterName: metadata.name,
    endpoint: facts.endpoint,
    version: spec?.version,
    kubeVersion: facts.observedKubeVersion,
    podCIDR: spec?.podCIDR,
    serviceCIDR: spec?.serviceCIDR,
    clientEndpoint: facts.addresses,
    cni: spec?.cni,
  })
