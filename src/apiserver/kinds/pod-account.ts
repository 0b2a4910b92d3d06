import { forbidden } from '#apiserver/failure.ts'
import { generateName } from '#apiserver/metadata/generate-name.ts'
import { type Fields, fieldsAt, textAt } from '#apiserver/objects.ts'
import { childOf, itemsOf } from './fill.ts'
import type { Surroundings } from './surroundings.ts'

const DEFAULT = 'default'
const PREFIX = 'kube-api-access-'
const MOUNT_PATH = '/var/run/secrets/kubernetes.io/serviceaccount'

/**
 * Makes a new pod run as an account: it has the account's secrets for images, and its token in a volume.
 * Throws when there is no such account.
 */
export function runAsAccount(pod: Fields, { namespacedObject }: Surroundings): void {
  const spec = childOf(pod, 'spec')
  const metadata = fieldsAt(pod, 'metadata')
  const name = textAt(spec, 'serviceAccountName') ?? DEFAULT
  spec.serviceAccountName = name
  spec.serviceAccount = name
  const namespace = textAt(metadata, 'namespace') ?? ''
  const account = namespacedObject({ group: '', plural: 'serviceaccounts', namespace, name })
  // Every namespace is about to have a default account, for which Kubernetes waits a while.
  if (!account && name !== DEFAULT)
    throw forbidden(
      { group: '', kind: 'pods', name: textAt(metadata, 'name') ?? '' },
      `error looking up service account ${namespace}/${name}: serviceaccount "${name}" not found`,
    )
  if (mountsToken(spec, account ?? {})) mountToken(spec)
  takeImageSecrets(spec, account ?? {})
}

const mountsToken = (spec: Fields, account: Fields): boolean =>
  (spec.automountServiceAccountToken ?? account.automountServiceAccountToken ?? true) === true

function mountToken(spec: Fields): void {
  const volumes = itemsOf(spec, 'volumes')
  const known = volumes
    .map((volume) => textAt(volume, 'name'))
    .find((one) => one?.startsWith(PREFIX))
  const name = known ?? generateName(PREFIX)
  const mounting = [...itemsOf(spec, 'initContainers'), ...itemsOf(spec, 'containers')].filter(
    (container) => !itemsOf(container, 'volumeMounts').some((one) => one.mountPath === MOUNT_PATH),
  )
  for (const container of mounting)
    container.volumeMounts = [
      ...itemsOf(container, 'volumeMounts'),
      { name, readOnly: true, mountPath: MOUNT_PATH },
    ]
  if (known === undefined && mounting.length > 0) spec.volumes = [...volumes, tokenVolume(name)]
}

const tokenVolume = (name: string): Fields => ({
  name,
  projected: {
    sources: [
      { serviceAccountToken: { expirationSeconds: 3607, path: 'token' } },
      { configMap: { name: 'kube-root-ca.crt', items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
      {
        downwardAPI: {
          items: [
            {
              path: 'namespace',
              fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.namespace' },
            },
          ],
        },
      },
    ],
    defaultMode: 0o644,
  },
})

function takeImageSecrets(spec: Fields, account: Fields): void {
  const secrets = itemsOf(account, 'imagePullSecrets')
  if (itemsOf(spec, 'imagePullSecrets').length > 0 || secrets.length === 0) return
  spec.imagePullSecrets = secrets.map(({ name }) => ({ name }))
}
