import type { ControlPlane } from '#api/control-plane.ts'
import type { OwnerReference } from '#api/meta.ts'
import { Secret } from '#base/secret.ts'
import { talosconfigFor } from '#machineconfig/secrets/talosconfig.ts'
import { readTalosconfig, writeTalosconfig } from '#machineconfig/secrets/talosconfig-file.ts'
import type { SecretDraft } from './cluster-secrets-draft.ts'
import type { SecretObject } from './cluster-secrets-entry.ts'
import { type DeliveredFile, type Delivery, deliveredSecret, isDelivered } from './delivered.ts'

interface TalosconfigDelivery extends Delivery {
  /** The addresses of the control plane machines. Their order does not matter. */
  endpoints: readonly string[]
  /** The machines that are asked when none is named. Their order does not matter either. */
  nodes: readonly string[]
}

/** The Secret with an `os:admin` talosconfig, with a new certificate, good for a year. */
export async function talosconfigSecret({
  owner,
  ...delivery
}: TalosconfigDelivery & { owner: OwnerReference }): Promise<Secret<SecretDraft>> {
  const { controlPlane, bundle, now } = delivery
  const [endpoints, nodes] = [inOrder(delivery.endpoints), inOrder(delivery.nodes)]
  const clusterName = controlPlane.metadata.name
  const config = await talosconfigFor({ clusterName, endpoints, nodes, ca: bundle.talos, now })
  return deliveredSecret(
    talosconfigOf(controlPlane),
    { controlPlane, owner },
    writeTalosconfig(config),
  )
}

/**
 * Whether that Secret has to be written: it is not there, cannot be read, is of another authority or for
 * other machines, or half of its life is over.
 */
export const isTalosconfigDue = (
  secret: SecretObject | undefined,
  { controlPlane, bundle, endpoints, nodes, now }: TalosconfigDelivery,
): boolean =>
  !isDelivered(talosconfigOf(controlPlane), secret, {
    authority: bundle.talos.certificate,
    places: placesOf(endpoints, nodes),
    now,
  })

const talosconfigOf = ({ metadata }: ControlPlane) =>
  ({ what: 'talosconfig', key: `${metadata.name}.talosconfig`, read: readFile }) as const

function readFile(text: Secret<string>): DeliveredFile {
  const { context, contexts } = readTalosconfig(text.open())
  const { ca = '', certificate = '', key, endpoints = [], nodes = [] } = contexts.get(context) ?? {}
  return {
    authority: ca,
    client: { certificate, key: key ?? new Secret('') },
    places: placesOf(endpoints, nodes),
  }
}

const placesOf = (endpoints: readonly string[], nodes: readonly string[]): string =>
  JSON.stringify([inOrder(endpoints), inOrder(nodes)])

/** The same list for the same machines, however they were found. */
const inOrder = (addresses: readonly string[]): string[] => [...new Set(addresses)].sort()
