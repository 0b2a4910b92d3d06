import type { ControlPlane } from '#api/control-plane.ts'
import { Secret } from '#api/foreign.ts'
import type { KubernetesCluster } from '#api/kubernetes-cluster.ts'
import { readSecrets, secretsNameOf } from '#engine/cluster-secrets.ts'
import { type SecretObject, textIn } from '#engine/cluster-secrets-entry.ts'
import { SecretsError } from '#engine/cluster-secrets-error.ts'
import type { Reader } from '#runtime/reader.ts'
import { type BroughtTexts, broughtIn } from './brought.ts'
import type { Shape } from './shape.ts'
import type { SecretsSeen } from './world.ts'

const BUNDLE = 'secrets.yaml'
const KEYS = { token: 'token', crt: 'ca.crt', key: 'ca.key' } as const

/** Whether keys or tokens stand in the spec, where everybody reads them. */
const hasSecrets = ({ spec }: KubernetesCluster): boolean => {
  const { token, ca } = spec?.talosConfig?.machine ?? {}
  return Boolean(token || ca?.crt || ca?.key)
}

interface Known {
  cluster: KubernetesCluster
  shape: Shape
  /** Whoever has the name of the cluster's own one, as the API says. */
  controlPlane: ControlPlane | undefined
}

/**
 * Looks where the keys and tokens of a cluster are. Once it has a control plane, they are that one's to look after:
 * others are never made, because machines may have the first.
 */
export async function lookAtSecrets(known: Known, read: Reader): Promise<SecretsSeen> {
  const { cluster, controlPlane } = known
  const isInSpec = hasSecrets(cluster)
  if (controlPlane)
    return { is: 'with the control plane', name: secretsNameOf(controlPlane), isInSpec }
  try {
    return await seenBefore(known, read)
  } catch (error) {
    if (error instanceof SecretsError) return { is: 'wrong', problem: error.message }
    throw error
  }
}

/** The same while there is no control plane yet. */
async function seenBefore({ cluster, shape }: Known, read: Reader): Promise<SecretsSeen> {
  const isInSpec = hasSecrets(cluster)
  const name = `${shape.name}-talos-secrets`
  if (shape.secretRef !== undefined) return referred(shape.secretRef, name, read)
  const own = await read.fetch(Secret, name)
  if (own) return there(own, isInSpec)
  const { token, ca } = cluster.spec?.talosConfig?.machine ?? {}
  const where = 'spec.talosConfig.machine'
  return made({ name, where, from: isInSpec ? 'spec' : 'nothing' }, { token, ...ca })
}

/** A Secret that the user names: with all that makes a cluster in it, or with the parts that the user has. */
async function referred(ref: string, name: string, read: Reader): Promise<SecretsSeen> {
  const secret = await read.fetch(Secret, ref)
  const where = `Secret ${ref}, which spec.talosConfig.secretRef names,`
  if (!secret)
    return { is: 'wrong', problem: `${where} is not there: create it, or correct secretRef` }
  if (secret.data?.[BUNDLE]) return there(secret, false)
  const own = await read.fetch(Secret, name)
  if (own) return there(own, false)
  const [token, crt, key] = [KEYS.token, KEYS.crt, KEYS.key].map((one) =>
    textIn(secret, one)?.open(),
  )
  if (!token && !crt && !key) {
    return {
      is: 'wrong',
      problem: `${where} has neither ${BUNDLE} nor any of ${Object.values(KEYS).join(', ')}: put them there, or correct secretRef`,
    }
  }
  return made({ name, where, from: 'secret' }, { token, crt, key })
}

interface Making {
  name: string
  where: string
  from: 'nothing' | 'spec' | 'secret'
}

function made({ name, where, from }: Making, texts: BroughtTexts): SecretsSeen {
  const brought = broughtIn(texts)
  if (typeof brought === 'string') return { is: 'wrong', problem: `${where} ${brought}` }
  return { is: 'to be made', name, from, brought }
}

function there(secret: SecretObject, isInSpec: boolean): SecretsSeen {
  readSecrets(secret)
  return { is: 'there', name: secret.metadata.name, isInSpec }
}
