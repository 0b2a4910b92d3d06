import type { ControlPlane } from '#api/control-plane.ts'
import { secretsNameOf } from './cluster-secrets.ts'

/** Says that others of the namespace have the same keys: two clusters with one set of them are one to whoever asks for keys. */
export function sharedSecretsWarnings(
  controlPlane: ControlPlane,
  all: readonly ControlPlane[],
): { reason: 'SecretsShared'; message: string }[] {
  const secret = secretsNameOf(controlPlane)
  const { uid } = controlPlane.metadata
  const others = all
    .filter((one) => one.metadata.uid !== uid && secretsNameOf(one) === secret)
    .map(({ metadata }) => metadata.name)
    .sort()
  if (others.length === 0) return []
  return [
    {
      reason: 'SecretsShared',
      message: `Secret ${secret} also has the keys of TalosControlPlane ${others.join(', ')}: whoever has access to one of these clusters has it to all, and a machine of one is taken for one of another. Give each a secretsRef of its own, before it begins.`,
    },
  ]
}
