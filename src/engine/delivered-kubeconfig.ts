import type { OwnerReference } from '#api/meta.ts'
import { Secret } from '#base/secret.ts'
import { parseYaml } from '#base/yaml.ts'
import { decodeBase64 } from '#kube/kubeconfig-pem.ts'
import { Cluster, Context, KubeconfigFile, parseAs, User } from '#kube/kubeconfig-schema.ts'
import { kubeconfigFor } from '#machineconfig/secrets/kubeconfig.ts'
import type { SecretDraft } from './cluster-secrets-draft.ts'
import type { SecretObject } from './cluster-secrets-entry.ts'
import { type DeliveredFile, type Delivery, deliveredSecret, isDelivered } from './delivered.ts'

interface KubeconfigDelivery extends Delivery {
  /** Of the Kubernetes API: `https://host:6443`. */
  endpoint: string
}

/** The Secret with the administrator's kubeconfig, with a new certificate, good for a year. */
export async function kubeconfigSecret({
  owner,
  ...delivery
}: KubeconfigDelivery & { owner: OwnerReference }): Promise<Secret<SecretDraft>> {
  const { controlPlane, bundle, endpoint, now } = delivery
  const clusterName = controlPlane.metadata.name
  const text = await kubeconfigFor({ clusterName, endpoint, ca: bundle.kubernetes, now })
  return deliveredSecret(KUBECONFIG, { controlPlane, owner }, text)
}

/**
 * Whether that Secret has to be written: it is not there, cannot be read, is of another authority or for
 * another endpoint, or half of its life is over.
 */
export const isKubeconfigDue = (
  secret: SecretObject | undefined,
  { bundle, endpoint, now }: KubeconfigDelivery,
): boolean =>
  !isDelivered(KUBECONFIG, secret, {
    authority: bundle.kubernetes.certificate,
    places: endpoint,
    now,
  })

const KUBECONFIG = { what: 'kubeconfig', key: 'kubeconfig', read: readKubeconfig } as const

/** What its current context leads to, as kubectl takes it. */
function readKubeconfig(text: Secret<string>): DeliveredFile {
  const file = parseAs(KubeconfigFile, parseYaml(text.open()), 'the kubeconfig')
  const named = (name: string | undefined) => (one: { name?: string }) => one.name === name
  const context = parseAs(
    Context,
    file.contexts?.find(named(file['current-context']))?.context,
    'its context',
  )
  const cluster = parseAs(
    Cluster,
    file.clusters?.find(named(context.cluster))?.cluster,
    'its cluster',
  )
  const user = parseAs(User, file.users?.find(named(context.user))?.user, 'its user')
  const pem = (base64 = '') => decodeBase64(base64, 'what it holds')
  return {
    authority: pem(cluster['certificate-authority-data']),
    client: {
      certificate: pem(user['client-certificate-data']),
      key: new Secret(pem(user['client-key-data'])),
    },
    places: cluster.server ?? '',
  }
}
