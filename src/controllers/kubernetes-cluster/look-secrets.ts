import { ControlPlane } from '#api/control-plane.ts'
import { Secret } from '#api/foreign.ts'
import type { KubernetesCluster } from '#api/kubernetes-cluster.ts'
import { readSecrets, secretsNameOf } from '#engine/cluster-secrets.ts'
import { type SecretObject, textIn } from '#engine/cluster-secrets-entry.ts'
import { SecretsError } from '#engine/cluster-secrets-error.ts'
import type { Reader } from '#runtime/reader.ts'
import { type Brought, type BroughtTexts, broughtIn, differenceIn } from './brought.ts'
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
  /** Whether a control plane is about to begin with these keys. */
  isBeginning: boolean
}

/**
 * Looks where the keys and tokens of a cluster are. Once it has a control plane, they are that one's to look after:
 * others are never made, because machines may have the first.
 */
export async function lookAtSecrets(known: Known, read: Reader): Promise<SecretsSeen> {
  const { cluster, controlPlane } = known
  if (!controlPlane) {
    const seen = await unlessUnreadable(() => seenBefore(known, read))
    return 'unreadable' in seen ? { is: 'wrong', problem: seen.unreadable } : seen
  }
  const name = secretsNameOf(controlPlane)
  const ignored = await unlessUnreadable(() => ignoredIn(known, name, read))
  return {
    ...{ is: 'with the control plane', name, isInSpec: hasSecrets(cluster) },
    // What cannot be read is for the control plane to tell of.
    ...('ignored' in ignored && ignored),
  }
}

async function unlessUnreadable<Seen>(
  look: () => Promise<Seen>,
): Promise<Seen | { unreadable: string }> {
  try {
    return await look()
  } catch (error) {
    if (error instanceof SecretsError) return { unreadable: error.message }
    throw error
  }
}

/** The same while there is no control plane yet. */
async function seenBefore(known: Known, read: Reader): Promise<SecretsSeen> {
  const name = `${known.shape.name}-talos-secrets`
  const source = await sourceOf(known, read)
  if ('problem' in source) return { is: 'wrong', problem: source.problem }
  if ('whole' in source)
    return (await heldBy(source.whole.metadata.name, known, read)) ?? there(source.whole, false)
  const { where, from, brought } = source
  const own = await read.fetch(Secret, name)
  if (!own) return { is: 'to be made', name, from, brought }
  const difference = differenceIn(brought, readSecrets(own))
  if (difference === undefined)
    return (await heldBy(name, known, read)) ?? there(own, hasSecrets(known.cluster))
  return {
    is: 'wrong',
    problem: `${where} has another ${difference} than Secret ${name}, which is there already and is never changed: delete that if no cluster needs it any more, or take the ${difference} away`,
  }
}

/**
 * Two clusters with the same keys would trust one another's machines. What no cache shows may be there all the same, so
 * the API is asked before one begins.
 */
async function heldBy(
  name: string,
  { cluster, isBeginning }: Known,
  read: Reader,
): Promise<SecretsSeen | undefined> {
  const holderIn = (all: readonly ControlPlane[]) => all.find((one) => secretsNameOf(one) === name)
  const shown = holderIn(read.list(ControlPlane))
  const holder =
    shown || !isBeginning ? shown : holderIn(await read.fetchAll(ControlPlane, cluster))
  if (!holder) return undefined
  const problem = `Secret ${name} has the keys of TalosControlPlane ${holder.metadata.name}, and no two clusters may share them: give this one others, or another name`
  return { is: 'wrong', problem }
}

/** What the user brings, and is not what the cluster has: asked once for each edit. */
async function ignoredIn(known: Known, name: string, read: Reader): Promise<{ ignored?: string }> {
  const { cluster, shape } = known
  const isEdited = cluster.status?.observedGeneration !== cluster.metadata.generation
  if (!isEdited || (!hasSecrets(cluster) && shape.secretRef === undefined)) return {}
  const [source, own] = await Promise.all([sourceOf(known, read), read.fetch(Secret, name)])
  if ('problem' in source || !own) return {}
  if ('whole' in source) {
    return source.whole.metadata.name === name ? {} : { ignored: `Secret ${shape.secretRef}` }
  }
  const difference = differenceIn(source.brought, readSecrets(own))
  return difference ? { ignored: `the ${difference} of ${source.where}` } : {}
}

/** What a user brings: all that makes a cluster, or parts of it, or nothing; or what is wrong with that. */
type Source =
  | { whole: SecretObject }
  | { where: string; from: 'nothing' | 'spec' | 'secret'; brought: Brought }
  | { problem: string }

async function sourceOf({ cluster, shape }: Known, read: Reader): Promise<Source> {
  if (shape.secretRef !== undefined) return referred(shape.secretRef, read)
  const { token, ca } = cluster.spec?.talosConfig?.machine ?? {}
  const from = hasSecrets(cluster) ? 'spec' : 'nothing'
  return partsIn({ where: 'spec.talosConfig.machine', from }, { token, ...ca })
}

/** A Secret that the user names: with all that makes a cluster in it, or with the parts that the user has. */
async function referred(ref: string, read: Reader): Promise<Source> {
  const secret = await read.fetch(Secret, ref)
  const where = `Secret ${ref}, which spec.talosConfig.secretRef names,`
  if (!secret) return { problem: `${where} is not there: create it, or correct secretRef` }
  if (secret.data?.[BUNDLE]) return { whole: secret }
  const [token, crt, key] = [KEYS.token, KEYS.crt, KEYS.key].map((one) =>
    textIn(secret, one)?.open(),
  )
  if (!token && !crt && !key) {
    return {
      problem: `${where} has neither ${BUNDLE} nor any of ${Object.values(KEYS).join(', ')}: put them there, or correct secretRef`,
    }
  }
  return partsIn({ where, from: 'secret' }, { token, crt, key })
}

function partsIn(
  { where, from }: { where: string; from: 'nothing' | 'spec' | 'secret' },
  texts: BroughtTexts,
): Source {
  const brought = broughtIn(texts)
  return typeof brought === 'string' ? { problem: `${where} ${brought}` } : { where, from, brought }
}

function there(secret: SecretObject, isInSpec: boolean): SecretsSeen {
  readSecrets(secret)
  return { is: 'there', name: secret.metadata.name, isInSpec }
}
