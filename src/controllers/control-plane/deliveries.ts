import { ControlPlane } from '#api/control-plane.ts'
import { Secret as SecretKind } from '#api/foreign.ts'
import { LABEL_PREFIX } from '#api/labels.ts'
import type { Machine } from '#api/machine.ts'
import type { Clock } from '#base/clock.ts'
import type { Secret } from '#base/secret.ts'
import { holds, type SecretDraft } from '#engine/cluster-secrets-draft.ts'
import type { SecretObject } from '#engine/cluster-secrets-entry.ts'
import { stateMirror, stateNameOf } from '#engine/cluster-secrets-published.ts'
import { configDue } from '#engine/config-delivery.ts'
import { deliveredNameOf } from '#engine/delivered.ts'
import { configSecret } from '#engine/delivered-config.ts'
import { isKubeconfigDue, kubeconfigSecret } from '#engine/delivered-kubeconfig.ts'
import { isTalosconfigDue, talosconfigSecret } from '#engine/delivered-talosconfig.ts'
import { endpointOf } from '#engine/wanted-config-cluster.ts'
import type { SecretsBundle } from '#machineconfig/secrets/bundle.ts'
import { ownedBy } from '#runtime/controller.ts'
import type { Reader } from '#runtime/reader.ts'
import type { Delivered, Due, Taken } from './world.ts'

export interface From {
  controlPlane: ControlPlane
  bundle: SecretsBundle
  machines: readonly Machine[]
  /** What all of its machines have in common; undefined while that cannot be made. */
  config: Secret<string> | undefined
  clock: Clock
}

/** Which Secrets have to be written, again or for the first time, and which cannot be. */
export async function dueOf(from: From, read: Reader): Promise<{ due: Due[]; taken: Taken[] }> {
  const all = from.config ? DELIVERED : DELIVERED.filter((what) => !NEEDS_CONFIG.includes(what))
  const found = await Promise.all(
    all.map(async (what) => {
      const name = nameOf(what, from.controlPlane)
      return { what, name, secret: await read.fetch(SecretKind, name) }
    }),
  )
  const taken = found.flatMap(({ what, name, secret }) => {
    const why = secret && (whoseItIs(what, secret, from) ?? whyItStays(what, secret, from))
    return why === undefined ? [] : [{ what, name, why }]
  })
  const due = found
    .filter(({ what }) => !taken.some((one) => one.what === what))
    .filter(({ what, secret }) => isDue(what, secret, from))
    .map(({ what, name, secret }) => ({ what, name, isNew: secret === undefined }))
  return { due, taken }
}

/** One of them, with new credentials where it has such. */
export async function delivery(what: Delivered, from: From): Promise<Secret<SecretDraft>> {
  const owner = ownedBy(ControlPlane, from.controlPlane)
  if (what === 'kubeconfig') return kubeconfigSecret({ ...wanted(from), owner })
  if (what === 'talosconfig') return talosconfigSecret({ ...wanted(from), owner })
  return fixed(what, from)
}

const DELIVERED: readonly Delivered[] = ['kubeconfig', 'talosconfig', 'config', 'state']
const NEEDS_CONFIG: readonly Delivered[] = ['config', 'state']

function nameOf(what: Delivered, controlPlane: ControlPlane): string {
  if (what === 'state') return stateNameOf(controlPlane)
  return what === 'config'
    ? `${controlPlane.metadata.name}-config`
    : deliveredNameOf(controlPlane, what)
}

function isDue(what: Delivered, secret: SecretObject | undefined, from: From): boolean {
  if (what === 'kubeconfig') return isKubeconfigDue(secret, wanted(from))
  if (what === 'talosconfig') return isTalosconfigDue(secret, wanted(from))
  return !holds(secret, fixed(what, from))
}

const OF_SOMEBODY_ELSE = 'belongs to somebody else'

/** Whose it is, if it must not be written. */
function whoseItIs(what: Delivered, secret: SecretObject, from: From): string | undefined {
  const { labels, ownerReferences = [] } = secret.metadata
  if (what === 'config') {
    return configDue(secret, fixed(what, from)) === 'taken' ? OF_SOMEBODY_ELSE : undefined
  }
  if (what === 'state') {
    return labels?.[`${LABEL_PREFIX}type`] === 'state' ? undefined : OF_SOMEBODY_ELSE
  }
  const controller = ownerReferences.find((owner) => owner.controller)
  if (!controller || controller.uid === from.controlPlane.metadata.uid) return undefined
  return `belongs to ${controller.kind} ${controller.name}`
}

/** What no API server takes is not tried for ever: all else that is to be done would wait for it. */
function whyItStays(what: Delivered, secret: SecretObject, from: From): string | undefined {
  const { immutable, type } = secret
  // Into `config` only entries are put.
  const isOfOtherType = what !== 'config' && type !== undefined && type !== 'Opaque'
  if (!immutable && !isOfOtherType) return undefined
  // What says all that it should is not written.
  if (!isDue(what, secret, from)) return undefined
  return immutable ? 'is immutable' : `is of type ${type}, which cannot be changed to Opaque`
}

/** Those that are the same as long as the spec is. */
function fixed(what: 'config' | 'state', from: From): Secret<SecretDraft> {
  const { controlPlane, bundle, config } = from
  if (!config) throw new Error('the plan is not of this look')
  if (what === 'config') {
    const owner = ownedBy(ControlPlane, controlPlane)
    return configSecret(controlPlane, { owner, key: 'controlplane.yaml', text: config })
  }
  const { spec, status } = controlPlane
  const { endpoint, nodes: addresses } = wanted(from)
  return stateMirror(controlPlane, bundle, {
    ...{ endpoint, addresses, config },
    // Whoever takes over must not begin it again, and sees the rest for himself.
    state: 'Bootstrapped',
    observedKubeVersion: status?.observedKubeVersion ?? spec?.kubeVersion ?? '',
  })
}

function wanted({ controlPlane, bundle, machines, clock }: From) {
  const addresses = machines.flatMap(({ spec }) => (spec ? [spec.endpoint] : []))
  return {
    ...{ controlPlane, bundle, endpoint: endpointOf(controlPlane), now: clock.now() },
    ...{ endpoints: addresses, nodes: addresses },
  }
}
